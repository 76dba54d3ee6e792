import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { lockCart, takeBoughtOut } from '../cart/queries.ts'
import { countLateUse } from '../discounts/queries.ts'
import { orderRefunded } from '../events.ts'
import { freeOf } from '../variants/rows.ts'
import { byVariant, moveLines } from '../variants/stock.ts'
import { lockVariants } from '../variants/stock-queries.ts'
import { announce } from './announce.ts'
import { insertRefund, updateOrder, writeHistory } from './changes.ts'
import { tellBuyer } from './notices.ts'
import type { OrderParts } from './queries.ts'

// Money can come for an order that was canceled: a payer was slow, or a provider's answer was lost.

/**
 * Takes again what an order gave back when it was canceled: its stock, its use of a discount, and what its buyer has in
 * the cart of it. The cart is locked first, as at checkout, so that neither can use a discount that the other has used.
 * @returns why that cannot be; then nothing was taken
 */
export async function takeAgain(ctx: Context, { order, lines }: OrderParts): Promise<string | undefined> {
  const { id, member_id, discount_id } = order
  await lockCart(ctx, member_id)
  if (!(await isFree(ctx, lines))) return 'no longer in stock'
  if (discount_id !== null && !(await countLateUse(ctx, discount_id, member_id)))
    return 'its discount has been used up'
  await moveLines(ctx, 'reserve', id, lines)
  await takeBoughtOut(ctx, id, member_id)
  return undefined
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

/**
 * Notes that money came too late. The refund itself is billing's, and settles the row that is made here.
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
  await updateOrder(ctx, order, change)
  const reason = `paid after it was canceled: ${why}`
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
}
