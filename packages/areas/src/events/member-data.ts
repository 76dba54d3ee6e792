import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

const forget = defineQuery('erase_events', (v: { memberIds: readonly string[] }) =>
  query.selectNoFrom(sql`app.erase_events(${v.memberIds}::uuid[])`.as('erased')),
)

/** What the log of the last 30 days tells of members. */
export const memberData = [
  personalData({
    table: 'events',
    member: 'member_id',
    columns: ['id', 'type', 'payload', 'occurred_at'],
    names: { payload: 'data', occurred_at: 'timestamp' },
    ids: { id: 'event' },
    // Behind all else: other areas may tell of members while they are erased.
    erase: async (ctx, { memberIds }) => ctx.tx.askLast(forget({ memberIds })),
  }),
]
