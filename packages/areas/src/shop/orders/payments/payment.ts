import { accountId } from '#areas/billing/ids.ts'
import { accountIn, askForAccount, openFirstPayment, openPayment, payByHand } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { afterEvent, cannotBecome } from '../changes.ts'
import { getOrder, lockOrder, type OrderParts } from '../queries.ts'

type Handlers = Parameters<typeof payByHand>[1]

/** Asks for the account that an order is to be paid with. */
export const askForAccountOf = (ctx: Context, named: string | undefined) => askForAccount(ctx, stored(named))

/** Its stored id; null: by hand. @throws ApiError 422 for one that there is not */
export const accountOf = (named: string | undefined, found: { id: string } | undefined): string | null =>
  accountIn(stored(named), found)

const stored = (named: string | undefined) =>
  named === undefined ? undefined : (parseId(accountId, named) ?? NONE)

const NONE = '00000000-0000-0000-0000-000000000000'

/** What a payment has to know of an order. */
type Payable = Pick<
  OrderParts['order'],
  'id' | 'member_id' | 'total_minor' | 'currency' | 'payment_account_id'
>

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

/** Has an order's payment ready to be begun, or goes on with the one that is. @throws ApiError 422 INVALID_TRANSITION */
export async function resumePayment(ctx: Context, order: OrderParts['order']): Promise<void> {
  if (order.status !== 'pending_payment') throw cannotBecome(order)
  await openPayment(ctx, { ...requestOf(order), accountId: order.payment_account_id })
}

/**
 * An operator says that the money of an order came. What then happens is up to `orderPayments`.
 * @throws ApiError 404; 422 INVALID_TRANSITION
 */
export async function markPaid(ctx: Context, handlers: Handlers, id: string): Promise<OrderParts> {
  const { order } = await lockOrder(ctx, id)
  afterEvent(order, 'pay')
  await payByHand(ctx, handlers, requestOf(order))
  return getOrder(ctx, id)
}
