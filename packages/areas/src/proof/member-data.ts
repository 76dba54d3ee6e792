import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'

const blankReasons = defineQuery('blank_reasons_of_differences', (v: { memberIds: readonly string[] }) =>
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
    erase: blankReasons,
  }),
]
