import { defineNotice } from '#platform/events/notify-streams.ts'

export const notificationCreated = defineNotice({
  name: 'notification.created',
  description: 'A member has a new notification, or one more like in an unread one',
})
