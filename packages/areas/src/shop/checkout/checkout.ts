import { amountTooSmall } from '#areas/billing/errors.ts'
import { toPayment } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { type CartFault, faultsOf } from '../cart/cart-view.ts'
import { type CartRow, cartDiscount, cartLines, emptyCart, lockCart } from '../cart/queries.ts'
import { countUse, usesOfMember } from '../discounts/queries.ts'
import { cartChanged, cartEmpty, discountInvalid, MOST_OPEN_ORDERS, tooManyOpenOrders } from '../errors.ts'
import { orderCreated } from '../events.ts'
import { writeHistory } from '../orders/changes.ts'
import { NO_MEMBER } from '../orders/owner.ts'
import { askForAccountOf, firstPayment } from '../orders/payments/payment.ts'
import { countUnpaidByHand, findOpenOrder, getOrder } from '../orders/queries.ts'
import { toOrder } from '../orders/rows.ts'
import type { Order } from '../orders/schema.ts'
import { payOrder } from '../orders/service.ts'
import { showOrder } from '../orders/shown.ts'
import { byVariant } from '../variants/stock.ts'
import { reserveStock } from '../variants/stock-queries.ts'
import { asMade, newOrder } from './new-order.ts'
import { insertLineRows, insertOrderRow } from './queries.ts'
import type { Checkout } from './schema.ts'

/** An order that a cart became. */
export interface CheckedOut {
  readonly order: Order
  /** Whether its payment is to be begun with a provider; one by hand has been read as it was written. */
  readonly isToBegin: boolean
}

/**
 * Makes an order of a member's cart, and empties it. The same cart makes one order, however often it is checked out. Once
 * everything is decided, stock is reserved and all is written in one trip, so that a product that many want at the same
 * moment is held for no longer than a commit takes.
 * @throws ApiError 422 CART_EMPTY, CART_CHANGED, DISCOUNT_INVALID, AMOUNT_TOO_SMALL, TOO_MANY_OPEN_ORDERS, or for who acts
 */
export async function checkOut(ctx: Context, who: WhoActs, input: Checkout): Promise<CheckedOut> {
  const { memberId: member = NO_MEMBER } = who
  const acting = actingMember(ctx, who)
  // What is read behind the lock is what is there once it is held.
  const mine = lockCart(ctx, member).and(cartLines(ctx, member)).and(cartDiscount(ctx, member))
  const unpaid = countUnpaidByHand(ctx, member)
  const { payment_account_id: named, save_payment_method: savesMethod = false } = input
  const others = projectNow(ctx).and(findOpenOrder(ctx, member)).and(askForAccountOf(ctx, named))
  await acting
  const [[[[cart, rows], discount], waiting], [[now, open], account]] = await mine.and(unpaid).and(others)
  if (rows.length === 0 || cart === undefined) {
    if (open === undefined) throw cartEmpty()
    return { order: await showOrder(ctx, await getOrder(ctx, open.id)), isToBegin: true }
  }
  const limited = discount !== undefined && discount.max_uses_per_member !== null
  const uses = limited ? await usesOfMember(ctx, discount.id, member) : 0
  const parts = { rows, discount, uses, now, provider: account?.provider ?? null }
  assertSound(faultsOf(parts), rows)
  const { order, lines } = newOrder(parts, { cart, member, account, input })
  // Nothing else of this member is checked out while its cart is held still, so that the count is exact.
  if (order.by_hand && order.total_minor > 0 && waiting >= MOST_OPEN_ORDERS) throw tooManyOpenOrders()
  // Nobody waits for any of this: it travels with the commit, stock last.
  insertOrderRow(ctx, order)
  insertLineRows(ctx, order.id, lines)
  writeHistory(ctx, order.id, { from: null, to: 'pending_payment' })
  emptyCart(ctx, cart.id)
  const payment = order.total_minor > 0 ? firstPayment(ctx, { ...order, savesMethod }, now) : undefined
  for (const [variantId, quantity] of byVariant(lines))
    reserveStock(ctx, { variantId, quantity, orderId: order.id })
  if (order.discount_id !== null) countUse(ctx, order.discount_id, 1)
  const shown = toOrder(asMade(ctx, order, lines, input))
  emit(ctx, orderCreated, shown)
  if (payment !== undefined)
    return { order: { ...shown, payment: toPayment(payment) }, isToBegin: !order.by_hand }
  await payOrder(ctx, order.id, undefined)
  return { order: await showOrder(ctx, await getOrder(ctx, order.id)), isToBegin: false }
}

/** @throws ApiError 422 for the first kind of fault that there is, with all lines that have one */
function assertSound(faults: readonly CartFault[], rows: readonly CartRow[]): void {
  if (faults.length === 0) return
  const ofLines = faults.filter(({ item }) => item !== undefined)
  if (ofLines.length === 0) {
    const [{ fault, message } = { fault: '', message: '' }] = faults
    throw (fault === 'amount_too_small' ? amountTooSmall : discountInvalid)(undefined, { message })
  }
  const details = ofLines.map(({ item, fault, message }) => ({
    field: `lines[${rows.findIndex((row) => row.id === item)}]`,
    rule: fault,
    message,
  }))
  throw cartChanged(undefined, { details })
}
