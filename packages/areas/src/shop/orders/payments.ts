import { accountKeyRefused, amountTooSmall } from '#areas/billing/errors.ts'
import { accountId, paymentId } from '#areas/billing/ids.ts'
import {
  accountIn,
  askForAccount,
  isRefusedAsTooSmall,
  listPayments,
  type makePaymentProviders,
  openFirstPayment,
  openPayment,
  payByHand,
} from '#areas/billing/service.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { endReservation } from '../checkout/expire-reservations.due.ts'
import { orderId } from '../ids.ts'
import { afterEvent, cannotBecome } from './changes.ts'
import { assertMayBuyCourses } from './closed-courses.ts'
import { getOrder, lockOrder, type OrderParts, type OrderRow, withPayment } from './queries.ts'
import type { Order } from './schema.ts'

export type PaymentProviders = ReturnType<typeof makePaymentProviders>
type Handlers = Parameters<typeof payByHand>[1]

/** Asks for the account that an order is to be paid with. */
export const askForAccountOf = (ctx: Context, named: string | undefined) =>
  askForAccount(ctx, named === undefined ? undefined : parseId(accountId, named))

/** Its stored id; null: by hand. @throws ApiError 422 for one that does not exist */
export const accountOf = (named: string | undefined, found: { id: string } | undefined): string | null =>
  // A text that is no id belongs to no account.
  accountIn(named === undefined ? undefined : (parseId(accountId, named) ?? named), found)

/** An order with its payment, as whoever may see it does. */
export const showOrder = async (ctx: Context, parts: OrderParts): Promise<Order> =>
  withPayment(parts, await listPayments(ctx, { purpose: 'order', ids: [parts.order.id] }))

/** What a payment has to know of an order. */
type Payable = Pick<OrderRow, 'id' | 'member_id' | 'total_minor' | 'currency' | 'payment_account_id'>

const requestOf = ({ id, member_id, total_minor, currency }: Payable) => ({
  memberId: member_id,
  purpose: 'order' as const,
  purposeId: id,
  amountMinor: total_minor,
  currency,
})

/** The payment of an order that is made in this transaction. @param now the time by the project's clock */
export const firstPayment = (
  ctx: Context,
  order: Payable & { readonly savesMethod: boolean },
  now: string,
) => {
  const { payment_account_id: accountId, savesMethod } = order
  return openFirstPayment(ctx, { ...requestOf(order), accountId, savesMethod }, now)
}

/**
 * Has an order's payment ready to be begun, or goes on with the one that is.
 * @throws ApiError 422 INVALID_TRANSITION, REMOVED_FROM_COURSE
 */
export async function resumePayment(ctx: Context, { order, lines }: OrderParts): Promise<void> {
  if (order.status !== 'pending_payment') throw cannotBecome(order)
  await assertMayBuyCourses(ctx, order.member_id, lines)
  await openPayment(ctx, { ...requestOf(order), accountId: order.payment_account_id })
}

/**
 * An operator says that the money of an order came. What then happens is up to `orderPayments`.
 * @throws ApiError 404; 422 INVALID_TRANSITION
 */
export async function markPaid(ctx: Context, handlers: Handlers, id: string): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, { id })
  afterEvent(order, 'pay')
  await payByHand(ctx, handlers, requestOf(order))
  return getOrder(ctx, { id })
}

/**
 * Begins the payment of an order that waits for one, outside of transactions. Money by hand needs no beginning.
 * @throws ApiError 503 where the provider cannot be reached, 422 where it refuses our key: the order stands, and its
 *   payment can be begun again; 422 AMOUNT_TOO_SMALL: the order is canceled, and its buyer has the cart back
 */
export async function beginPayment(
  providers: PaymentProviders,
  data: ProjectData,
  order: Order,
): Promise<Order> {
  const { payment } = order
  if (payment === null || order.status !== 'pending_payment') return order
  const begun = await providers.begin(data, parseId(paymentId, payment.id) ?? '')
  if (isRefusedAsTooSmall(begun)) {
    await data.write((ctx) => endReservation(ctx, parseId(orderId, order.id) ?? '', 'amount_too_small'))
    throw amountTooSmall()
  }
  return { ...order, payment: begun }
}

/**
 * The same for an order that was made a moment ago. The buyer gets the id of the order also if the provider fails: then
 * the order has no payment, and POST /shop/orders/{id}/pay begins it.
 */
export const tryToBeginPayment = (...args: Parameters<typeof beginPayment>): Promise<Order> =>
  beginPayment(...args).catch((error: unknown) => {
    if (error instanceof ApiError && AWAY.has(error.code)) return args[2]
    throw error
  })

const AWAY: ReadonlySet<string> = new Set(['UNAVAILABLE', accountKeyRefused.code])
