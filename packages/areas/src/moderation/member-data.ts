import { personalData } from '#platform/catalogue/personal-data.ts'
import { muteId } from './ids.ts'
import { eraseMutes } from './mutes/queries.ts'

/** What moderators have decided about members, and whom members do not want to hear of. */
export const memberData = [
  personalData({
    table: 'suspensions',
    member: 'id',
    columns: ['id', 'reason', 'until', 'created_at'],
    ids: { id: 'member' },
  }),
  personalData({ table: 'post_fingerprints', member: 'author_id', columns: ['created_at'] }),
  personalData({
    table: 'mutes',
    member: 'member_id',
    columns: ['id', 'muted_id', 'created_at'],
    ids: { id: muteId, muted_id: 'member' },
    erase: async (ctx, { memberIds }) => ctx.tx.askLast(eraseMutes({ memberIds })),
  }),
]
