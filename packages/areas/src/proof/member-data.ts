import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { query, statement } from '#platform/db/statement.ts'

const blankReasons = statement('blank_reasons_of_differences', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('accepted_differences')
    .set({ reason: '' })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`),
)

/** Differences in the money of members that an operator has accepted. */
export const memberData = [
  personalData({
    table: 'accepted_differences',
    member: 'member_id',
    columns: ['currency', 'amount_minor', 'reason', 'created_at'],
    // The proof has to add up; what somebody wrote about the member goes.
    erase: async (ctx, { memberIds }) => ctx.tx.defer(blankReasons, { memberIds }),
  }),
]
