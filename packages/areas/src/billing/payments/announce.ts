import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { paymentId, refundId } from '../ids.ts'
import type { ProviderDispute } from '../providers/provider.ts'
import {
  disputeClosed,
  disputeOpened,
  paymentFailed,
  paymentSucceeded,
  refundFailed,
  refundSucceeded,
} from './events.ts'
import type { PaymentHandlers } from './handlers.ts'
import { type PaymentRow, toPayment } from './queries.ts'
import type { RefundRow } from './refunds/queries.ts'
import type { PaymentData } from './schema.ts'

/** What a payment is for, by purpose, and whose it is. */
function paidFor(handlers: PaymentHandlers, { purpose, purpose_id, member_id }: PaymentRow) {
  const type = handlers[purpose]?.idType
  const id = type === undefined ? null : toId(type, purpose_id)
  return {
    member_id: toId('member', member_id),
    bill_id: purpose === 'bill' ? id : null,
    order_id: purpose === 'order' ? id : null,
  }
}

const dataOf = (handlers: PaymentHandlers, payment: PaymentRow): PaymentData => {
  const { id, ...shown } = toPayment(payment)
  return { id, ...paidFor(handlers, payment), ...shown }
}

/** Announces that a payment has succeeded or failed; other states are not announced. */
export function announcePayment(ctx: Context, handlers: PaymentHandlers, payment: PaymentRow): void {
  if (payment.status === 'succeeded') emit(ctx, paymentSucceeded, dataOf(handlers, payment))
  if (payment.status === 'failed') emit(ctx, paymentFailed, dataOf(handlers, payment))
}

/** Announces that a refund has succeeded or failed; one that is under way is not announced. */
export function announceRefund(
  ctx: Context,
  handlers: PaymentHandlers,
  refund: RefundRow,
  payment: PaymentRow,
): void {
  if (refund.status === 'pending') return
  emit(ctx, refund.status === 'succeeded' ? refundSucceeded : refundFailed, {
    id: toId(refundId, refund.id),
    payment_id: toId(paymentId, payment.id),
    ...paidFor(handlers, payment),
    status: refund.status,
    amount: fromMinor(refund.amount_minor, payment.currency),
    currency: payment.currency,
    reason: refund.reason,
    provider_reference: refund.provider_reference,
    created_at: refund.created_at,
  })
}

/** Tells that a dispute was opened, or that the bank has decided it. */
export function announceDispute(
  ctx: Context,
  handlers: PaymentHandlers,
  payment: PaymentRow,
  { status, reason, amountMinor, reference }: ProviderDispute,
): void {
  emit(ctx, status === 'open' ? disputeOpened : disputeClosed, {
    ...dataOf(handlers, payment),
    dispute: status,
    dispute_reason: reason,
    disputed_amount: fromMinor(amountMinor, payment.currency),
    dispute_reference: reference,
  })
}
