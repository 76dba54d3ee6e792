import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const notificationId = defineId('ntf', 'Notification')
export const messageId = defineId('nmsg', 'Message to members')
