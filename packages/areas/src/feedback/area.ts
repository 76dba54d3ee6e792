import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import { fillFeedbackSpellings } from './fill-spellings.due.ts'
import { searchSource } from './found.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { feedbackPosts } from './moderated.ts'
import { feedbackRoutes } from './routes.ts'
import { feedbackTopics } from './topics.ts'

export const feedback = defineArea({
  name: 'feedback',
  ids,
  permissions: ['community'],
  tags: {
    Feedback:
      'Wishes and bug reports of members and visitors: a board with votes, a roadmap and a changelog. Members and public keys see public items; moderators and secret keys see all.',
  },
  routes: feedbackRoutes,
  errors,
  events,
  dueWork: [fillFeedbackSpellings],
  memberData,
  moderated: [feedbackPosts],
  topics: [feedbackTopics],
  searchSources: [searchSource],
})
