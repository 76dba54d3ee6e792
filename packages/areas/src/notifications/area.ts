import { defineArea } from '#platform/area.ts'
import { deleteOldNotifications } from './delete-old.due.ts'
import * as ids from './ids.ts'
import { mailNotifications } from './mails/mail-notifications.due.ts'
import * as mails from './mails/mails.ts'
import { unsubscribePages } from './mails/pages.ts'
import { fanOutToNotifications } from './making/fan-out.ts'
import { notify } from './making/notify.job.ts'
import { memberData } from './member-data.ts'
import { notifyPlan } from './messages/notify-plan.job.ts'
import { notificationRoutes } from './routes.ts'
import { notificationTopics } from './topics.ts'

export const notifications = defineArea({
  name: 'notifications',
  ids,
  permissions: ['community'],
  tags: {
    Notifications:
      'Notifications of members: replies, mentions, likes, news of feedback, orders and courses, and messages of your team. Members choose for each kind whether it is listed and how it is mailed.',
  },
  routes: notificationRoutes,
  pages: unsubscribePages,
  mails,
  background: { jobs: [notify, notifyPlan], fanOuts: [fanOutToNotifications] },
  dueWork: [mailNotifications, deleteOldNotifications],
  memberData,
  topics: [notificationTopics],
})
