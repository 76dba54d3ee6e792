import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { cancelPayments } from '../payments/service.ts'
import type { Decision } from './machine/decide.ts'

const openBills = statement('open_bills_of', (v: { subscription_id: string }) =>
  query
    .selectFrom('bills')
    .select('id')
    .where('subscription_id', '=', v.subscription_id)
    .where('status', '=', 'open')
    .orderBy('id'),
)

const move = statement('move_open_bills', (v: { subscription_id: string; by_ms: number }) =>
  query
    .updateTable('bills')
    .set({ due_at: sql`due_at + ${v.by_ms}::float8 * interval '1 millisecond'` })
    .where('subscription_id', '=', v.subscription_id)
    .where('status', '=', 'open'),
)

/** Bills of a subscription that stands still are not asked for, and are due that much later once it goes on. */
export async function suspendBills(ctx: Context, decisions: readonly Decision[]): Promise<void> {
  for (const { row, effects } of decisions)
    for (const effect of effects) {
      if (effect.type === 'move_bills')
        await ctx.tx.run(move, { subscription_id: row.id, by_ms: effect.byMs })
      if (effect.type === 'stop_payments')
        for (const { id } of await ctx.tx.all(openBills, { subscription_id: row.id }))
          await cancelPayments(ctx, 'bill', id)
    }
}
