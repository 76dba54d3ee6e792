import { isByHand, toPayment } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { amountsOf, type CartFault, faultsOf } from '../cart/cart-view.ts'
import { type CartRow, cartDiscount, cartLines, emptyCart, lockCart } from '../cart/queries.ts'
import { countUse, usesOfMember } from '../discounts/queries.ts'
import { cartChanged, cartEmpty, discountInvalid, MOST_OPEN_ORDERS, tooManyOpenOrders } from '../errors.ts'
import { orderCreated } from '../events.ts'
import type { OrderAmounts } from '../money/order-amounts.ts'
import { actorOf, writeHistory } from '../orders/changes.ts'
import { NO_MEMBER } from '../orders/owner.ts'
import { accountOf, askForAccountOf, firstPayment } from '../orders/payments/payment.ts'
import { countUnpaidByHand, findOpenOrder, getOrder, type OrderParts } from '../orders/queries.ts'
import { toOrder } from '../orders/rows.ts'
import type { Order } from '../orders/schema.ts'
import { payOrder } from '../orders/service.ts'
import { showOrder } from '../orders/shown.ts'
import { byVariant } from '../variants/stock.ts'
import { reserveStock } from '../variants/stock-queries.ts'
import { newOrderNumber } from './order-number.ts'
import { insertLineRows, insertOrderRow, type NewLine, type NewOrder } from './queries.ts'
import { reservedUntil } from './reserved-until.ts'
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
 * @throws ApiError 422 CART_EMPTY, CART_CHANGED, DISCOUNT_INVALID, TOO_MANY_OPEN_ORDERS, or for who acts
 */
export async function checkOut(ctx: Context, who: WhoActs, input: Checkout): Promise<CheckedOut> {
  const { memberId: member = NO_MEMBER } = who
  const acting = actingMember(ctx, who)
  // What is read behind the lock is what is there once it is held.
  const mine = lockCart(ctx, member).and(cartLines(ctx, member)).and(cartDiscount(ctx, member))
  const unpaid = countUnpaidByHand(ctx, member)
  const { payment_account_id: named } = input
  const others = projectNow(ctx).and(findOpenOrder(ctx, member)).and(askForAccountOf(ctx, named))
  await acting
  const [[[[cart, rows], discount], waiting], [[now, open], account]] = await mine.and(unpaid).and(others)
  if (rows.length === 0 || cart === undefined) {
    if (open === undefined) throw cartEmpty()
    return { order: await showOrder(ctx, await getOrder(ctx, open.id)), isToBegin: true }
  }
  const limited = discount !== undefined && discount.max_uses_per_member !== null
  const uses = limited ? await usesOfMember(ctx, discount.id, member) : 0
  assertSound(faultsOf({ rows, discount, uses, now }), rows)

  const paymentAccount = accountOf(named, account)
  const amounts = amountsOf(rows, discount)
  const byHand = isByHand(account)
  // Nothing else of this member is checked out while its cart is held still, so that the count is exact.
  if (byHand && amounts.total > 0 && waiting >= MOST_OPEN_ORDERS) throw tooManyOpenOrders()
  const lines = rows.map((row, i) => toNewLine(row, i, amounts))
  const order: NewOrder = {
    id: newUuid(),
    number: newOrderNumber(now),
    line_names: [...new Set(lines.map(({ name }) => name))].join('\n'),
    member_id: member,
    cart_id: cart.id,
    cart_version: cart.version,
    currency: rows[0]?.currency ?? '',
    subtotal_minor: amounts.subtotal,
    discount_minor: amounts.discount,
    tax_minor: amounts.tax,
    total_minor: amounts.total,
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    addresses: input.addresses === undefined ? null : JSON.stringify(input.addresses),
    note: input.note ?? null,
    payment_account_id: paymentAccount,
    by_hand: byHand,
    reserved_until: reservedUntil(now, rows, account),
    created_at: now,
  }
  // Nobody waits for any of this: it travels with the commit, stock last.
  insertOrderRow(ctx, order)
  insertLineRows(ctx, order.id, lines)
  writeHistory(ctx, order.id, { from: null, to: 'pending_payment' })
  emptyCart(ctx, cart.id)
  const payment = order.total_minor > 0 ? firstPayment(ctx, order, now) : undefined
  for (const [variantId, quantity] of byVariant(lines))
    reserveStock(ctx, { variantId, quantity, orderId: order.id })
  if (discount) countUse(ctx, discount.id, 1)
  const made = toParts(ctx, order, lines, input)
  const shown = toOrder(made)
  emit(ctx, orderCreated, shown)
  if (payment !== undefined)
    return { order: { ...shown, payment: toPayment(payment) }, isToBegin: payment.account_id !== null }
  await payOrder(ctx, order.id, undefined)
  return { order: await showOrder(ctx, await getOrder(ctx, order.id)), isToBegin: false }
}

/** @throws ApiError 422 for the first kind of fault that there is, with all lines that have one */
function assertSound(faults: readonly CartFault[], rows: readonly CartRow[]): void {
  if (faults.length === 0) return
  const ofLines = faults.filter(({ item }) => item !== undefined)
  if (ofLines.length === 0) throw discountInvalid(undefined, { message: faults[0]?.message ?? '' })
  const details = ofLines.map(({ item, fault, message }) => ({
    field: `lines[${rows.findIndex((row) => row.id === item)}]`,
    rule: fault,
    message,
  }))
  throw cartChanged(undefined, { details })
}

function toNewLine(row: CartRow, place: number, amounts: OrderAmounts): NewLine {
  const { discount = 0, tax = 0, total = 0 } = amounts.lines[place] ?? {}
  return {
    id: newUuid(),
    place,
    product_id: row.product_id,
    variant_id: row.variant_id,
    name: row.name,
    variant_name: row.variant_name,
    sku: row.sku,
    quantity: row.quantity,
    unit_minor: row.price_minor,
    discount_minor: discount,
    tax_milli: row.tax_milli,
    tax_minor: tax,
    total_minor: total,
    is_tracked: row.variant_id !== null && row.stock !== null,
    grant_plan_id: row.grant_plan_id,
    grant_features: row.grant_features,
    grant_course_id: row.grant_course_id,
    grant_days: row.grant_days,
  }
}

/** The order as it will be read: so it is not read again before the commit. */
function toParts(ctx: Context, order: NewOrder, lines: readonly NewLine[], input: Checkout): OrderParts {
  const { kind, actor } = actorOf(ctx)
  return {
    order: {
      ...order,
      addresses: input.addresses ?? null,
      status: 'pending_payment',
      cancel_reason: null,
      paid_minor: 0,
      refunded_minor: 0,
      tracking_number: null,
      tracking_url: null,
      payment_id: null,
      updated_at: order.created_at,
    },
    lines: lines.map((line) => ({
      ...line,
      granted_at: null,
      taken_back_at: null,
      refunded_quantity: 0,
      restocked_quantity: 0,
    })),
    history: [
      {
        id: order.id,
        from_status: null,
        to_status: 'pending_payment',
        reason: null,
        actor_kind: kind,
        actor_id: actor,
        created_at: order.created_at,
      },
    ],
    refunds: [],
  }
}
