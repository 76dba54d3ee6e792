import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { query, statement } from '#platform/db/statement.ts'

const forget = statement('erase_events', (v: { memberIds: readonly string[] }) =>
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
    erase: async (ctx, { memberIds }) => ctx.tx.defer(forget, { memberIds }),
  }),
]
