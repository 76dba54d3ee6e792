import { audit } from '#platform/audit.ts'
import { query, statement } from '#platform/db/statement.ts'
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
const insert = statement('accept_difference', (v: Row) =>
  query.insertInto('accepted_differences').values({
    id: v.id,
    member_id: v.member_id,
    currency: v.currency,
    amount_minor: v.amount_minor,
    reason: v.reason,
  }),
)

/** Has the proof count differences of a member from now on, by an operator's word. What was paid and given stays as it is. */
export async function acceptDifferences(
  ctx: Context,
  differences: readonly Difference[],
  reason: string,
): Promise<void> {
  for (const { member_id, currency, difference } of differences) {
    await ctx.tx.run(insert, { id: newUuid(), member_id, currency, amount_minor: difference, reason })
    audit(ctx, {
      action: 'difference.accept',
      target: toId('member', member_id),
      reason,
      after: { amount: fromMinor(difference, currency), currency },
    })
  }
}
