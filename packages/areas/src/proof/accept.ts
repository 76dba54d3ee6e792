import { audit } from '#platform/audit.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { Difference } from './service.ts'

interface Row {
  id: string
  member_id: string
  currency: string
  amount_minor: number
  reason: string
}
const insertAccepted = defineQuery('accept_difference', (v: Row) =>
  query
    .insertInto('accepted_differences')
    .values(pick(v, 'id', 'member_id', 'currency', 'amount_minor', 'reason')),
)

/**
 * Makes the proof accept differences of a member from now on, as an operator decided. Payments and grants stay as they
 * are.
 */
export function acceptDifferences(ctx: Context, differences: readonly Difference[], reason: string): void {
  for (const { member_id, currency, difference } of differences) {
    insertAccepted(ctx, { id: newUuid(), member_id, currency, amount_minor: difference, reason })
    audit(ctx, {
      action: 'difference.accept',
      target: toId('member', member_id),
      reason,
      after: { amount: fromMinor(difference, currency), currency },
    })
  }
}
