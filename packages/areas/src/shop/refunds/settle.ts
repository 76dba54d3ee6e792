import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { updateOrder, writeHistory } from '../orders/changes.ts'
import { getOrder, type OrderParts } from '../orders/queries.ts'

interface Settled {
  order: string
  refund: string
  status: 'succeeded' | 'failed'
}

const known = statement('settle_order_refund', (v: Settled) =>
  query
    .updateTable('order_refunds')
    .set({ status: v.status })
    .where('order_id', '=', v.order)
    .where('payment_refund_id', '=', v.refund)
    // A bank can send back what was called done.
    .where('status', '<>', v.status)
    .returning('amount_minor'),
)

const byItself = statement('settle_late_order_refund', (v: Settled) =>
  query
    .updateTable('order_refunds')
    .set({ status: v.status, payment_refund_id: v.refund })
    .where('order_id', '=', v.order)
    .where('payment_refund_id', 'is', null)
    .where('status', '=', 'pending')
    .returning('amount_minor'),
)

/**
 * Notes what became of a refund whose money billing moves. One that failed was no refund: the money is the order's again,
 * and so is its state; what was taken back from the buyer stays so until an operator decides.
 */
export async function settleRefund(
  ctx: Context,
  order: OrderParts['order'],
  refund: string,
  payment: string,
  status: Settled['status'],
): Promise<void> {
  const values = { order: order.id, refund, status }
  const [first] = await ctx.tx.all(known, values)
  // Money that came too late goes back by itself: the refund is made after the order has noted it.
  const [found = first] = first || order.payment_id !== payment ? [first] : await ctx.tx.all(byItself, values)
  if (found === undefined || status === 'succeeded') return
  const { history } = await getOrder(ctx, order.id)
  const before = history.findLast(({ to_status }) => to_status === 'refunded')?.from_status
  const after = order.status === 'refunded' ? (before ?? 'paid') : order.status
  await updateOrder(ctx, order, { refunded_minor: order.refunded_minor - found.amount_minor, status: after })
  await writeHistory(ctx, order.id, { from: order.status, to: after, reason: 'a refund failed' })
}
