import type { Context } from '#platform/db/tenant.ts'
import { type EventType, emit } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { countLateUse, countUse } from '../discounts/queries.ts'
import { orderCanceled, orderCompleted, orderFulfilled, orderPaid, orderRefunded } from '../events.ts'
import { freeOf } from '../variants/rows.ts'
import { byVariant, moveLines } from '../variants/stock.ts'
import { lockVariants } from '../variants/stock-queries.ts'
import { afterEvent, insertRefund, invalidTransition, updateOrder, writeHistory } from './changes.ts'
import { grantLines } from './grants.ts'
import type { OrderNotices } from './notices.ts'
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
 * meanwhile, it is on again if its stock is still there; otherwise the money goes back by itself.
 * @throws ApiError 404; 422 INVALID_TRANSITION where it was paid before
 */
export async function payOrder(
  ctx: Context,
  id: string,
  notices: OrderNotices,
  reason?: string,
): Promise<OrderParts> {
  const parts = await lockOrder(ctx, id)
  const { order, lines } = parts
  const status = afterEvent(order, 'pay')
  if (order.paid_minor > 0) throw invalidTransition('canceled')
  if (order.status === 'canceled') {
    if (!(await isFree(ctx, lines))) return payBack(ctx, parts, notices)
    await moveLines(ctx, 'reserve', id, lines)
    if (order.discount_id !== null) await countLateUse(ctx, order.discount_id)
  }
  await moveLines(ctx, 'sell', id, lines)
  await updateOrder(ctx, order, { status, cancel_reason: null, paid_minor: order.total_minor })
  await writeHistory(ctx, id, { from: order.status, to: status, reason: reason ?? null })
  await grantLines(ctx, order.member_id, lines)
  const after = await announce(ctx, id, orderPaid)
  await notices.receipt(ctx, after)
  return after
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

async function payBack(ctx: Context, { order }: OrderParts, notices: OrderNotices): Promise<OrderParts> {
  const amount = order.total_minor
  await updateOrder(ctx, order, { paid_minor: amount, refunded_minor: amount })
  const reason = 'paid after it was canceled, and no longer in stock'
  await insertRefund(ctx, {
    id: newUuid(),
    order: order.id,
    amount,
    status: 'succeeded',
    lines: '[]',
    restock: false,
    reason,
  })
  await writeHistory(ctx, order.id, { from: order.status, to: order.status, reason })
  const after = await announce(ctx, order.id, orderRefunded)
  await notices.refund(ctx, after, amount)
  return after
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
  notices: OrderNotices,
): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, id)
  const status = afterEvent(order, 'fulfill')
  await updateOrder(ctx, order, { status, tracking_number, tracking_url })
  await writeHistory(ctx, id, { from: order.status, to: status })
  const after = await announce(ctx, id, orderFulfilled)
  await notices.shipped(ctx, after)
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
