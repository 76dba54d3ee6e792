import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { listBillsById } from '../bills/queries.ts'
import type { PaymentRow } from '../payments/queries.ts'
import { cancelBegun, cancelPayments, openPayment } from '../payments/service.ts'
import type { Decision } from './machine/decide.ts'

// When the money of open bills is asked for, and when not.

/** Has a worker take the money of open bills, without their payers. @returns the payments, those under way included */
export async function chargeBills(ctx: Context, ids: readonly string[]): Promise<PaymentRow[]> {
  const payments: PaymentRow[] = []
  for (const bill of await listBillsById(ctx, { ids })) {
    // What its payer began and left lying keeps nobody from charging; should its money come, too, it goes back.
    await cancelBegun(ctx, 'bill', bill.id)
    const payment = await openPayment(ctx, {
      memberId: bill.member_id,
      purpose: 'bill',
      purposeId: bill.id,
      amountMinor: bill.total_minor,
      currency: bill.currency,
      accountId: bill.account_id,
      offSession: true,
    })
    payments.push(payment)
  }
  return payments
}

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
