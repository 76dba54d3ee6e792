import { defineArea } from '#platform/area.ts'
import * as mails from './digests/mails.ts'
import { notifyDueSubscribers } from './digests/notify-subscribers.due.ts'
import { notifySubscribers } from './digests/notify-subscribers.job.ts'
import { discussionUnsubscribePages } from './digests/unsubscribe.ts'
import * as errors from './errors.ts'
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
      'Discussions of members: categories, discussions and comments. Content is Markdown; `content_html` is safe to show in any page.',
    Moderation:
      'Posts that members report, and posts that wait for a moderator. A member with one of the moderator roles of the project moderates with their own token.',
  },
  routes: discussionRoutes,
  pages: discussionUnsubscribePages,
  errors,
  events,
  mails,
  background: { jobs: [notifySubscribers] },
  dueWork: [notifyDueSubscribers],
  memberData,
})
