import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { refundTooLarge } from '../../errors.ts'
import type { ProviderRefund } from '../../providers/provider.ts'
import { announceRefund } from '../announce.ts'
import { lockWithPurpose, type PaymentHandlers } from '../handlers.ts'
import { askAboutMoneyBack, lockPayment, pauseAfter } from '../queries.ts'
import {
  getRefund,
  insertRefund,
  lockRefund,
  type RefundRow,
  releaseRefund,
  reserveRefund,
  updateRefund,
} from './queries.ts'

/** Why money goes back that nobody waited for. */
export const UNWANTED = 'unwanted'

export interface RefundRequest {
  readonly paymentId: string
  readonly amountMinor: number
  readonly reason?: string | undefined
}

/**
 * Promises money back, in the caller's transaction. Money that was taken by hand is given back by hand, so it counts at
 * once; otherwise a worker asks the provider.
 * @throws ApiError 422 REFUND_EXCEEDS_PAID
 */
export async function refundPayment(
  ctx: Context,
  handlers: PaymentHandlers,
  { paymentId, amountMinor, reason }: RefundRequest,
): Promise<RefundRow> {
  const payment = await reserveRefund(ctx, { id: paymentId, amount: amountMinor })
  if (payment === undefined) throw refundTooLarge()
  const refund = await insertRefund(ctx, {
    id: newUuid(),
    payment_id: paymentId,
    amount_minor: amountMinor,
    status: payment.account_id === null ? 'succeeded' : 'pending',
    reason: reason ?? null,
    provider_reference: null,
  })
  if (refund.status === 'succeeded') {
    const row = await lockPayment(ctx, { id: paymentId })
    announceRefund(ctx, handlers, refund, row)
    await handlers[row.purpose]?.refunded(ctx, refund, row)
  }
  return refund
}

/** Records what a provider says of a refund. @returns whether it has failed now */
export async function recordRefund(
  ctx: Context,
  handlers: PaymentHandlers,
  id: string,
  answer: ProviderRefund | undefined,
): Promise<boolean> {
  const payment = await lockWithPurpose(ctx, handlers, (await getRefund(ctx, { id })).payment_id)
  const before = await lockRefund(ctx, { id })
  const status = answer?.status ?? before.status
  // A bank can send back what the provider called done; nothing else follows an end.
  const isMoved = before.status === 'pending' || (before.status === 'succeeded' && status === 'failed')
  if (!isMoved) {
    // A notice had it asked about again: nothing new.
    updateRefund(ctx, { id, status: before.status, provider_reference: null, ask_in: null })
    return false
  }
  updateRefund(ctx, {
    id,
    status,
    provider_reference: answer?.reference || null,
    ask_in: status === 'pending' ? pauseAfter(before.asked) : null,
  })
  if (status === 'pending') return false
  if (status === 'failed') {
    releaseRefund(ctx, { id: before.payment_id, amount: before.amount_minor })
    // It may have been refused because the money went back already.
    askAboutMoneyBack(ctx, payment)
  }
  const after = { ...before, status, provider_reference: answer?.reference || before.provider_reference }
  announceRefund(ctx, handlers, after, payment)
  const handler = handlers[payment.purpose]
  await (status === 'failed' ? handler?.refundFailed : handler?.refunded)?.(ctx, after, payment)
  return status === 'failed'
}
