import { personalData } from '#platform/catalogue/personal-data.ts'
import { notificationId } from './ids.ts'
import { KIND_NAMES } from './kinds.ts'

/** The notifications of members, and their settings. Both are deleted with the member. */
export const memberData = [
  personalData({
    table: 'notifications',
    member: 'member_id',
    columns: ['id', 'kind', 'target_type', 'detail', 'note', 'created_at', 'read_at'],
    ids: { id: notificationId },
  }),
  personalData({
    table: 'notification_preferences',
    member: 'id',
    columns: ['id', 'time_zone', 'last_mail_at', ...KIND_NAMES],
    ids: { id: 'member' },
  }),
]
