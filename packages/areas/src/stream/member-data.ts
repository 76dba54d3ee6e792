import { personalData } from '#platform/catalogue/personal-data.ts'

/** Tickets of the last hour, and what they were for. */
export const memberData = [
  personalData({
    table: 'stream_tickets',
    member: 'member_id',
    columns: ['topics', 'created_at', 'expires_at', 'used_at'],
  }),
]
