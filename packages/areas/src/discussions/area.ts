import { defineArea } from '#platform/area.ts'
import * as mails from './digests/mails.ts'
import { unsubscribePages } from './digests/pages.ts'
import { tellSubscribersJob } from './digests/tell-subscribers.job.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { memberData } from './member-data.ts'
import { discussionRoutes } from './routes.ts'

export const discussions = defineArea({
  name: 'discussions',
  ids,
  permissions: ['community'],
  tags: {
    Discussions:
      'Where members talk: categories, discussions, comments. Content is Markdown; `content_html` is safe in any page as it is.',
    Moderation:
      'What members report and what waits for a moderator. Members with one of the project’s moderator roles moderate with their own token.',
  },
  routes: discussionRoutes,
  pages: unsubscribePages,
  events,
  mails,
  background: { jobs: [tellSubscribersJob] },
  memberData,
})
