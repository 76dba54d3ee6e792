import type { Config } from '#platform/config.ts'
import type { Context } from '#platform/db/tenant.ts'
import * as billExportFile from './bills/export.ts'
import * as accounts from './payments/accounts.ts'
import { PaymentProviders } from './payments/ask-provider.ts'
import type { PaymentHandlers } from './payments/handlers.ts'
import * as payments from './payments/queries.ts'
import * as refundQueries from './payments/refunds/queries.ts'
import * as refunds from './payments/refunds/refund.ts'
import * as requests from './payments/service.ts'
import * as charges from './providers/chargeable.ts'
import * as settingsQueries from './settings/queries.ts'
import * as settings from './settings/settings.ts'
import * as subscriptionExportFile from './subscriptions/export.ts'
import { endSubscription, followMember, lockSubscriptionOf } from './subscriptions/override.ts'

/** How a side of a project works with this area, for its operators. */
export const { LOST_DISPUTE_ACTS, MEMBER_ACTS, assertBillingSettings } = settings
export const { findBillingSettings, updateBillingSettings } = settingsQueries

/** Bills as a file. */
export const billExport = billExportFile.billExport

/** Subscriptions as a file. */
export const subscriptionExport = subscriptionExportFile.subscriptionExport

// What other areas use of billing.

/** The payment for a thing: the one that is under way, or a new one. Within a transaction. */
export const openPayment = requests.openPayment
/** The payment for a thing that is made in this transaction. Nobody waits for it. */
export const openFirstPayment = requests.openFirstPayment
/** Records money that was taken by hand. */
export const payByHand = requests.payByHand
/** Ends what is under way for a thing. */
export const cancelPayments = requests.cancelPayments
/** Promises money back. @throws ApiError 422 REFUND_EXCEEDS_PAID */
export const refundPayment = refunds.refundPayment
/** The account that something is to be paid with. @throws ApiError 422 */
export const accountFor = accounts.accountFor
/** The project's default account; undefined where money is taken by hand. */
export const findDefaultAccount = accounts.findDefaultAccount
/** The question of `accountFor`, to be asked together with others. */
export const askForAccount = accounts.askForAccount
/** What the answer to `askForAccount` says. @throws ApiError 422 */
export const accountIn = accounts.accountIn
/** What a provider can charge in a currency. */
export const chargeable = charges.chargeable
/** Whether a provider refused a payment because it is too small. */
export const isRefusedAsTooSmall = charges.isRefusedAsTooSmall
/** What the provider of a payment refunds multiples of, in the smallest unit. */
export const refundStep = refundQueries.refundStep
/** Whether an account takes money by hand; so does none. */
export const isByHand = accounts.isByHand
/** How long the stock of an unpaid order by hand is reserved, in hours. */
export const reserveHoursOf = accounts.reserveHoursOf
export const { LONGEST_RESERVE_HOURS, RESERVE_HOURS } = accounts
/** All payments for these things, the earliest first. */
export const listPayments = payments.listPayments
/** A payment as clients see it. */
export const toPayment = payments.toPayment

/** Talks with providers, outside of transactions: one for the routes of an area, to be closed with them. */
export const makePaymentProviders = (parts: {
  config: Config
  log: ConstructorParameters<typeof PaymentProviders>[0]['log']
  handlers: PaymentHandlers
}) => new PaymentProviders(parts)

/**
 * Has an operator's word on a member's plan end the subscription that runs, without credit. Locks are in the order
 * of subscription and member, as everywhere.
 * @param change sets the plan; answers whether anything changed
 */
export async function overridingSubscription(
  ctx: Context,
  memberId: string,
  change: () => Promise<boolean>,
): Promise<boolean> {
  const running = await lockSubscriptionOf(ctx, memberId)
  const changed = await change()
  if (changed && running !== undefined) await endSubscription(ctx, running, 'operator')
  return changed
}

/**
 * Deletes a member who can be restored. The subscription stands still until then, with its bills: nobody is charged.
 * @param remove deletes the member, whom it locks
 */
export async function pausingSubscription(
  ctx: Context,
  memberId: string,
  remove: () => PromiseLike<unknown>,
): Promise<void> {
  const running = await lockSubscriptionOf(ctx, memberId)
  await remove()
  // Whoever subscribes holds the member, so that from now on there is no other one.
  const paused = running ?? (await lockSubscriptionOf(ctx, memberId))
  if (paused !== undefined) await followMember(ctx, paused, 'member_deleted')
}

/**
 * Deletes a member who leaves. The subscription ends with it, without credit, and its open bills are void.
 * @param remove deletes the member, whom it locks
 */
export async function endingSubscription<T>(
  ctx: Context,
  memberId: string,
  remove: () => PromiseLike<T>,
): Promise<T> {
  const running = await lockSubscriptionOf(ctx, memberId)
  const removed = await remove()
  // Whoever subscribes holds the member, so that from now on there is no other one.
  const ended = running ?? (await lockSubscriptionOf(ctx, memberId))
  if (ended !== undefined) await endSubscription(ctx, ended, 'member_deleted')
  return removed
}

/**
 * Restores a member. The subscription goes on where it stood, with all of its time still ahead.
 * @param restore restores the member, whom it locks
 */
export async function resumingSubscription<T>(
  ctx: Context,
  memberId: string,
  restore: () => PromiseLike<T>,
): Promise<T> {
  const paused = await lockSubscriptionOf(ctx, memberId)
  const restored = await restore()
  if (paused !== undefined) await followMember(ctx, paused, 'member_restored')
  return restored
}
