import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { ProviderPayment } from '../providers/provider.ts'
import { accountFor } from './accounts.ts'
import { announcePayment } from './announce.ts'
import { lockWithPurpose, type PaymentHandlers } from './handlers.ts'
import { findOpenPayment, insertPayment, type PaymentRow, pauseAfter, updatePayment } from './queries.ts'
import { refundPayment, UNWANTED } from './refunds/refund.ts'
import type { Purpose } from './schema.ts'

/** Money that is asked of a member for one thing. All ids are stored ones. */
export interface PaymentRequest {
  readonly memberId: string
  readonly purpose: Purpose
  readonly purposeId: string
  readonly amountMinor: number
  readonly currency: string
  /** The account to pay with; null: by hand. Where omitted, the project's default, and by hand where there is none. */
  readonly accountId?: string | null | undefined
  /**
   * Whether the card is saved for charges without its owner. Where omitted, as the payment for the same thing before this
   * one; at first it is not.
   */
  readonly savesMethod?: boolean | undefined
}

/**
 * The payment for a thing: the one that is under way, or a new one. Nothing is asked of the provider yet: `beginPayment`
 * does that outside of the transaction, and where nobody does, a worker will once it is `offSession`.
 */
export async function openPayment(
  ctx: Context,
  request: PaymentRequest & { readonly offSession?: boolean },
): Promise<PaymentRow> {
  const { purpose, purposeId, offSession = false } = request
  const known = await findOpenPayment(ctx, { purpose, purpose_id: purposeId })
  if (known !== undefined) return known
  const accountId = request.accountId === undefined ? await accountFor(ctx, undefined) : request.accountId
  const made = await insertPayment(ctx, {
    id: newUuid(),
    member_id: request.memberId,
    account_id: accountId,
    purpose,
    purpose_id: purposeId,
    status: 'pending',
    amount_minor: request.amountMinor,
    currency: request.currency,
    off_session: offSession,
    saves_method: request.savesMethod ?? null,
    asks: offSession,
  })
  // Two at once: the other one's is as good.
  return made ?? ((await findOpenPayment(ctx, { purpose, purpose_id: purposeId })) as PaymentRow)
}

/**
 * The payment for a thing that is made in this transaction, so that none can be under way for it. Nobody waits for the row:
 * it is sent with what comes next.
 * @param now the time by the project's clock
 */
export function openFirstPayment(
  ctx: Context,
  { purpose, purposeId, memberId, amountMinor, currency, accountId, savesMethod = false }: FirstPayment,
  now: string,
): PaymentRow {
  const row = {
    id: newUuid(),
    member_id: memberId,
    account_id: accountId,
    purpose,
    purpose_id: purposeId,
    status: 'pending' as const,
    amount_minor: amountMinor,
    currency,
    off_session: false,
    saves_method: savesMethod,
  }
  insertPayment(ctx, { ...row, asks: false })
  return {
    ...row,
    ...{ refunded_minor: 0, provider_reference: null, failure: null, asked: 0, created_at: now },
    ...{ dispute: null, dispute_reason: null, money_back_noticed: false },
  }
}

type FirstPayment = PaymentRequest & { readonly accountId: string | null }

/** Records money that was taken by hand. A payment that is under way with a provider is ended. */
export async function payByHand(
  ctx: Context,
  handlers: PaymentHandlers,
  request: PaymentRequest,
): Promise<PaymentRow> {
  const { purpose, purposeId } = request
  await cancelPayments(ctx, purpose, purposeId)
  const made = (await insertPayment(ctx, {
    id: newUuid(),
    member_id: request.memberId,
    account_id: null,
    purpose,
    purpose_id: purposeId,
    status: 'succeeded',
    amount_minor: request.amountMinor,
    currency: request.currency,
    off_session: false,
    saves_method: false,
    asks: false,
  })) as PaymentRow
  await handle(ctx, handlers, made)
  return made
}

/** Ends what is under way for a thing, such as a bill that is void. A worker notifies the provider. */
export async function cancelPayments(ctx: Context, purpose: Purpose, purposeId: string): Promise<void> {
  const open = await findOpenPayment(ctx, { purpose, purpose_id: purposeId })
  if (open !== undefined) endOpenPayment(ctx, open)
}

/** Ends what a payer has begun for a thing and not finished; a charge that is under way goes on. */
export async function cancelBegun(ctx: Context, purpose: Purpose, purposeId: string): Promise<void> {
  const open = await findOpenPayment(ctx, { purpose, purpose_id: purposeId })
  if (open !== undefined && !open.off_session) endOpenPayment(ctx, open)
}

function endOpenPayment(ctx: Context, { id, account_id }: PaymentRow): void {
  updatePayment(ctx, {
    id,
    asked: 0,
    status: 'canceled',
    provider_reference: null,
    failure: null,
    // Whoever asks tells the provider, too, and learns whether it was too late.
    ask_in: account_id === null ? null : 0,
  })
}

/**
 * Records what a provider says of a payment, whoever asked and however often: a payment that has succeeded stays so, and
 * what it says a second time changes nothing.
 * @param isPayerHere it is being paid now, so that it is asked about again soon
 */
export async function recordPayment(
  ctx: Context,
  handlers: PaymentHandlers,
  id: string,
  { answer, isPayerHere }: { answer: ProviderPayment | undefined; isPayerHere: boolean },
): Promise<PaymentRow> {
  const before = await lockWithPurpose(ctx, handlers, id)
  if (before.status === 'succeeded') {
    // Whether its money went back is asked once it is known for certain that it came.
    updatePayment(ctx, { ...before, ask_in: before.money_back_noticed ? pauseAfter(0) : null })
    return before
  }
  const asked = isPayerHere ? 0 : before.asked + 1
  const isOurs = answer === undefined || answer.reference === '' || isSame(before, answer)
  if (answer === undefined || !isOurs) {
    // Nobody knows, or it is not what we asked for: an operator sees it in `failure`, and it is asked about again.
    const failure = isOurs ? before.failure : 'amount_mismatch'
    updatePayment(ctx, { ...before, failure, asked, ask_in: pauseAfter(asked) })
    return { ...before, failure }
  }
  const isOver = answer.status === 'succeeded' || answer.status === 'failed' || answer.status === 'canceled'
  // A payment that was given up stays so, unless money came after all.
  const isGivenUp = before.status === 'canceled' || before.status === 'failed'
  const status = isGivenUp && answer.status !== 'succeeded' ? before.status : answer.status
  const after = {
    ...before,
    status,
    provider_reference: answer.reference === '' ? before.provider_reference : answer.reference,
    failure: answer.failure ?? null,
  }
  const count = status === before.status ? asked : 0
  updatePayment(ctx, {
    ...after,
    asked: count,
    ask_in: isOver && !after.money_back_noticed ? null : pauseAfter(count),
  })
  if (after.status !== before.status) {
    if (after.status === 'succeeded' && answer.method !== undefined)
      await handlers[after.purpose]?.methodSaved(ctx, after, answer.method)
    await handle(ctx, handlers, after)
  }
  return after
}

const isSame = (row: PaymentRow, answer: ProviderPayment) =>
  answer.amountMinor === row.amount_minor && answer.currency === row.currency

async function handle(ctx: Context, handlers: PaymentHandlers, payment: PaymentRow): Promise<void> {
  const handler = handlers[payment.purpose]
  if (handler === undefined) throw new Error(`nobody handles payments of ${payment.purpose}s`)
  announcePayment(ctx, handlers, payment)
  if (payment.status === 'failed' || payment.status === 'canceled') return handler.failed(ctx, payment)
  if (payment.status !== 'succeeded') return
  if ((await handler.paid(ctx, payment)) === 'unwanted')
    await refundPayment(ctx, handlers, {
      paymentId: payment.id,
      amountMinor: payment.amount_minor,
      reason: UNWANTED,
    })
}
