import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { feedbackRoutes } from './routes.ts'
import * as mails from './status/mails.ts'
import { notifyVoters } from './status/notify-voters.job.ts'
import { feedbackUnsubscribePages } from './status/unsubscribe.ts'

export const feedback = defineArea({
  name: 'feedback',
  ids,
  permissions: ['community'],
  tags: {
    Feedback:
      'Wishes and bug reports of members and visitors: a board with votes, a roadmap and a changelog. Members and public keys see public items; moderators and secret keys see all.',
  },
  routes: feedbackRoutes,
  pages: feedbackUnsubscribePages,
  errors,
  events,
  mails,
  background: { jobs: [notifyVoters] },
  memberData,
})
