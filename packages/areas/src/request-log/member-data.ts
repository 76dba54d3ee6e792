import { personalData } from '#platform/catalogue/personal-data.ts'

/** Requests that members sent themselves, of the last 7 days. Whoever is forgotten has sent none. */
export const memberData = [
  personalData({
    table: 'request_log',
    member: 'member_id',
    columns: ['at', 'method', 'route', 'status', 'request_id'],
  }),
]
