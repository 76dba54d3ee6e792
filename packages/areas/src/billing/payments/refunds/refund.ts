import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { refundTooLarge } from '../../errors.ts'
import { chargeable } from '../../providers/chargeable.ts'
import type { ProviderRefund } from '../../providers/provider.ts'
import { announceRefund } from '../announce.ts'
import type { PaymentHandlers } from '../handlers.ts'
import { holdPayment, pauseAfter } from '../hold.ts'
import { askAboutMoneyBack, lockPayment } from '../queries.ts'
import {
  getPaymentProvider,
  getRefund,
  insertRefundRow,
  lockRefund,
  type RefundRow,
  releaseRefund,
  reserveRefund,
  settleRefundRow,
} from './refund-queries.ts'

/** Why money goes back that nobody waited for. */
export const UNWANTED = 'unwanted'

export interface RefundRequest {
  readonly paymentId: string
  readonly amountMinor: number
  readonly reason?: string | undefined
}

/**
 * Promises money back, in the caller's transaction. What was taken by hand is given back by hand, so that it counts at
 * once; otherwise a worker has the provider do it.
 * @throws ApiError 422 REFUND_EXCEEDS_PAID
 */
export async function refundPayment(
  ctx: Context,
  handlers: PaymentHandlers,
  { paymentId, amountMinor, reason }: RefundRequest,
): Promise<RefundRow> {
  const payment = await reserveRefund(ctx, paymentId, amountMinor)
  if (payment === undefined) throw refundTooLarge()
  const refund = await insertRefundRow(ctx, {
    id: newUuid(),
    payment_id: paymentId,
    amount_minor: amountMinor,
    status: payment.account_id === null ? 'succeeded' : 'pending',
    reason: reason ?? null,
  })
  if (refund.status === 'succeeded') {
    const row = await lockPayment(ctx, paymentId)
    announceRefund(ctx, handlers, refund, row)
    await handlers[row.purpose]?.refunded(ctx, refund, row)
  }
  return refund
}

/**
 * What the provider of a payment refunds: multiples of this, in the smallest unit.
 * @throws ApiError 404
 */
export const refundStep = (ctx: Context, paymentId: string) =>
  getPaymentProvider(ctx, paymentId).map(({ provider, currency }) => chargeable(provider, currency).step)

/** Records what a provider says of a refund. */
export async function recordRefund(
  ctx: Context,
  handlers: PaymentHandlers,
  id: string,
  said: ProviderRefund | undefined,
): Promise<void> {
  const payment = await holdPayment(ctx, handlers, (await getRefund(ctx, id)).payment_id)
  const before = await lockRefund(ctx, id)
  const status = said?.status ?? before.status
  // A bank can send back what the provider called done; nothing else follows an end.
  const isMoved = before.status === 'pending' || (before.status === 'succeeded' && status === 'failed')
  if (!isMoved) {
    // A notice had it asked about again: nothing new.
    await settleRefundRow(ctx, { id, status: before.status, provider_reference: null, ask_in: null })
    return
  }
  await settleRefundRow(ctx, {
    id,
    status,
    provider_reference: said?.reference || null,
    ask_in: status === 'pending' ? pauseAfter(before.asked) : null,
  })
  if (status === 'pending') return
  if (status === 'failed') {
    await releaseRefund(ctx, before.payment_id, before.amount_minor)
    // It may have been refused because the money went back already.
    askAboutMoneyBack(ctx, payment.id)
  }
  const after = { ...before, status, provider_reference: said?.reference || before.provider_reference }
  announceRefund(ctx, handlers, after, payment)
  const handler = handlers[payment.purpose]
  await (status === 'failed' ? handler?.refundFailed : handler?.refunded)?.(ctx, after, payment)
}
