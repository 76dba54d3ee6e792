import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { lockCart, takeBoughtOut } from '../cart/queries.ts'
import { countLateUse } from '../discounts/queries.ts'
import { orderRefunded } from '../events.ts'
import { areFree, moveLines } from '../variants/stock.ts'
import { announce, insertRefund, updateOrder, writeHistory } from './changes.ts'
import { notifyBuyer } from './mail-buyer.job.ts'
import type { OrderParts } from './queries.ts'

// Money can come for an order that was canceled: a payer was slow, or a provider's answer was lost.

/**
 * Takes again what an order gave back when it was canceled: its stock, its use of a discount, and what its buyer has in
 * the cart of it. The cart is locked first, as at checkout, so that neither can use a discount that the other has used.
 * @returns why that cannot be; then nothing was taken
 */
export async function takeAgain(ctx: Context, { order, lines }: OrderParts): Promise<string | undefined> {
  const { id, member_id, discount_id } = order
  lockCart(ctx, { member: member_id })
  if (!(await areFree(ctx, lines))) return 'no longer in stock'
  if (discount_id !== null && !(await countLateUse(ctx, { id: discount_id, member: member_id })))
    return 'its discount has been used up'
  await moveLines(ctx, 'reserve', id, lines)
  takeBoughtOut(ctx, { order: id, member: member_id })
  return undefined
}

/**
 * Notes that money came too late. The refund itself is billing's, and completes the row that is made here.
 * @param why what it was too late for
 */
export async function payBack(
  ctx: Context,
  order: OrderParts['order'],
  payment: string | undefined,
  why: string,
): Promise<void> {
  const amount = order.total_minor
  const change = { paid_minor: amount, refunded_minor: amount, payment_id: payment ?? null }
  updateOrder(ctx, order, change)
  const reason = `paid after it was canceled: ${why}`
  insertRefund(ctx, {
    ...{ id: newUuid(), order_id: order.id, amount_minor: amount, status: 'pending', lines: '[]' },
    ...{ restock: false, reason, payment_refund_id: null },
  })
  writeHistory(ctx, order.id, { from: order.status, to: order.status, reason })
  await announce(ctx, order.id, orderRefunded)
  notifyBuyer(ctx, 'refund', order.id, amount)
}
