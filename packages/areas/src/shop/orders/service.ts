import { cancelPayments } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type EventType, emit } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { countLateUse, countUse } from '../discounts/queries.ts'
import { orderCanceled, orderCompleted, orderFulfilled, orderPaid, orderRefunded } from '../events.ts'
import { freeOf } from '../variants/rows.ts'
import { byVariant, moveLines } from '../variants/stock.ts'
import { lockVariants } from '../variants/stock-queries.ts'
import { afterEvent, insertRefund, updateOrder, writeHistory } from './changes.ts'
import { grantLines } from './grants.ts'
import { next, type OrderStatus } from './machine.ts'
import { tellBuyer } from './notices.ts'
import { getOrder, lockOrder, type OrderParts } from './queries.ts'
import { toOrder } from './rows.ts'
import type { Order } from './schema.ts'

export type CancelReason = 'expired' | 'by_customer' | 'by_operator'

/** Reads an order after a change and announces it. */
export async function announce(ctx: Context, id: string, type: EventType<typeof Order>): Promise<OrderParts> {
  const after = await getOrder(ctx, id)
  emit(ctx, type, toOrder(after))
  return after
}

/**
 * The money of an order came. Its stock is sold and its buyer is given what it grants. Where the order was canceled
 * meanwhile, it is on again if its stock is still there.
 * @param payment the stored id of what paid; undefined where nothing had to be paid
 * @returns `unwanted` where the money has to go back: the stock is gone, or the order was paid before
 * @throws ApiError 404
 */
export async function payOrder(
  ctx: Context,
  id: string,
  payment: string | undefined,
): Promise<'kept' | 'unwanted'> {
  const { order, lines } = await lockOrder(ctx, id)
  const status = next(order.status as OrderStatus, 'pay')
  if (status === undefined || order.paid_minor > 0) return 'unwanted'
  if (order.status === 'canceled') {
    if (!(await isFree(ctx, lines))) return payBack(ctx, order, payment)
    await moveLines(ctx, 'reserve', id, lines)
    if (order.discount_id !== null) await countLateUse(ctx, order.discount_id)
  }
  await moveLines(ctx, 'sell', id, lines)
  const payment_id = payment ?? null
  await updateOrder(ctx, order, { status, cancel_reason: null, paid_minor: order.total_minor, payment_id })
  await writeHistory(ctx, id, { from: order.status, to: status })
  await grantLines(ctx, order.member_id, lines)
  await announce(ctx, id, orderPaid)
  tellBuyer(ctx, 'receipt', id)
  return 'kept'
}

/** Whether all lines of a canceled order could be reserved again. Their variants are locked. */
async function isFree(ctx: Context, lines: OrderParts['lines']): Promise<boolean> {
  const wanted = byVariant(lines)
  const variants = await lockVariants(
    ctx,
    wanted.map(([variant]) => variant),
  )
  const free = new Map(variants.map((row) => [row.id, freeOf(row)]))
  return wanted.every(([variant, quantity]) => (free.get(variant) ?? 0) >= quantity)
}

/** Notes that money came too late. The refund itself is billing's, and settles the row that is made here. */
async function payBack(
  ctx: Context,
  order: OrderParts['order'],
  payment: string | undefined,
): Promise<'unwanted'> {
  const amount = order.total_minor
  const change = { paid_minor: amount, refunded_minor: amount, payment_id: payment ?? null }
  await updateOrder(ctx, order, change)
  const reason = 'paid after it was canceled, and no longer in stock'
  await insertRefund(ctx, {
    id: newUuid(),
    order: order.id,
    amount,
    status: 'pending',
    lines: '[]',
    restock: false,
    reason,
    payment_refund: null,
  })
  await writeHistory(ctx, order.id, { from: order.status, to: order.status, reason })
  await announce(ctx, order.id, orderRefunded)
  tellBuyer(ctx, 'refund', order.id, amount)
  return 'unwanted'
}

/**
 * Gives back what an order that waits for payment reserved, its use of a discount included.
 * @throws ApiError 404; 422 INVALID_TRANSITION
 */
export async function cancelOrder(
  ctx: Context,
  parts: OrderParts,
  why: CancelReason,
  reason?: string,
): Promise<OrderParts> {
  const { order, lines } = parts
  const status = afterEvent(order, 'cancel')
  await moveLines(ctx, 'release', order.id, lines)
  if (order.discount_id !== null) await countUse(ctx, order.discount_id, -1)
  await cancelPayments(ctx, 'order', order.id)
  await updateOrder(ctx, order, { status, cancel_reason: why })
  await writeHistory(ctx, order.id, { from: order.status, to: status, reason: reason ?? why })
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
  const { order } = await lockOrder(ctx, id)
  const status = afterEvent(order, 'fulfill')
  await updateOrder(ctx, order, { status, tracking_number, tracking_url })
  await writeHistory(ctx, id, { from: order.status, to: status })
  const after = await announce(ctx, id, orderFulfilled)
  tellBuyer(ctx, 'shipped', id)
  return after
}

/** An operator says that an order is done with. @throws ApiError 404; 422 INVALID_TRANSITION */
export async function completeOrder(ctx: Context, id: string): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, id)
  const status = afterEvent(order, 'complete')
  await updateOrder(ctx, order, { status })
  await writeHistory(ctx, id, { from: order.status, to: status })
  return announce(ctx, id, orderCompleted)
}
