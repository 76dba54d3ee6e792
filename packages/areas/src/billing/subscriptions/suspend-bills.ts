import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { cancelPayments } from '../payments/service.ts'
import type { Decision } from './machine/decide.ts'

const listOpenBills = defineQuery('open_bills_of', (v: { subscription_id: string }) =>
  query
    .selectFrom('bills')
    .select('id')
    .where('subscription_id', '=', v.subscription_id)
    .where('status', '=', 'open')
    .orderBy('id'),
)

const moveOpenBills = defineQuery('move_open_bills', (v: { subscription_id: string; by_ms: number }) =>
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
      if (effect.type === 'move_bills') moveOpenBills(ctx, { subscription_id: row.id, by_ms: effect.byMs })
      if (effect.type === 'stop_payments')
        for (const { id } of await listOpenBills(ctx, { subscription_id: row.id }))
          await cancelPayments(ctx, 'bill', id)
    }
}
