import { cancelPayments } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { countUse } from '../discounts/queries.ts'
import { orderCanceled, orderCompleted, orderFulfilled, orderPaid } from '../events.ts'
import { moveLines } from '../variants/stock.ts'
import { afterEvent, announce, updateOrder, writeHistory } from './changes.ts'
import { grantLines, takeBack } from './grants.ts'
import { payBack, takeAgain } from './late-money.ts'
import { next } from './machine.ts'
import { notifyBuyer } from './mail-buyer.job.ts'
import { lockOrder, type OrderParts } from './queries.ts'

export type CancelReason = 'expired' | 'by_customer' | 'by_operator'

/**
 * The money of an order came. Its stock is sold and its buyer is given what it grants. An order that was canceled in
 * the meantime is open again if its stock and its discount are still there.
 * @param payment the stored id of what paid; undefined where nothing had to be paid
 * @returns `unwanted` where the money has to go back: it came too late, or the order was paid before
 * @throws ApiError 404
 */
export async function payOrder(
  ctx: Context,
  id: string,
  payment: string | undefined,
): Promise<'kept' | 'unwanted'> {
  const parts = await lockOrder(ctx, { id })
  const { order, lines } = parts
  const status = next(order, 'pay')
  if (status === undefined) return 'unwanted'
  if (order.status === 'canceled') {
    const why = await takeAgain(ctx, parts)
    if (why !== undefined) {
      await payBack(ctx, order, payment, why)
      return 'unwanted'
    }
  }
  await moveLines(ctx, 'sell', id, lines)
  const payment_id = payment ?? null
  updateOrder(ctx, order, { status, cancel_reason: null, paid_minor: order.total_minor, payment_id })
  writeHistory(ctx, id, { from: order.status, to: status })
  await grantLines(ctx, order.member_id, lines)
  await announce(ctx, id, orderPaid)
  notifyBuyer(ctx, 'receipt', id)
  return 'kept'
}

/**
 * Gives back what an order took: its stock, its use of a discount, and, of one that cost nothing and was done, what it
 * granted.
 * @throws ApiError 404; 422 INVALID_TRANSITION
 */
export async function cancelOrder(
  ctx: Context,
  { order, lines }: OrderParts,
  why: CancelReason,
  reason?: string,
): Promise<OrderParts> {
  const status = afterEvent(order, 'cancel')
  const isWaiting = order.status === 'pending_payment'
  await moveLines(ctx, isWaiting ? 'release' : 'restock', order.id, lines)
  if (order.discount_id !== null) countUse(ctx, { id: order.discount_id, by: -1 })
  if (isWaiting) await cancelPayments(ctx, 'order', order.id)
  else await takeBack(ctx, order.member_id, lines)
  updateOrder(ctx, order, { status, cancel_reason: why })
  writeHistory(ctx, order.id, { from: order.status, to: status, reason: reason ?? why })
  return announce(ctx, order.id, orderCanceled)
}

/** An operator says that an order was sent or handed over. @throws ApiError 404; 422 INVALID_TRANSITION */
export async function fulfillOrder(
  ctx: Context,
  id: string,
  {
    tracking_number = null,
    tracking_url = null,
  }: { tracking_number?: string | null; tracking_url?: string | null },
): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, { id })
  const status = afterEvent(order, 'fulfill')
  updateOrder(ctx, order, { status, tracking_number, tracking_url })
  writeHistory(ctx, id, { from: order.status, to: status })
  const after = await announce(ctx, id, orderFulfilled)
  notifyBuyer(ctx, 'shipped', id)
  return after
}

/** An operator says that an order is done with. @throws ApiError 404; 422 INVALID_TRANSITION */
export async function completeOrder(ctx: Context, id: string): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, { id })
  const status = afterEvent(order, 'complete')
  updateOrder(ctx, order, { status })
  writeHistory(ctx, id, { from: order.status, to: status })
  return announce(ctx, id, orderCompleted)
}
