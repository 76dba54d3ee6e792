import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { billDisputed, billPaid } from '../events.ts'
import { billId } from '../ids.ts'
import { requestPayerMail } from '../mailing/request-mail.ts'
import type { PaymentHandler } from '../payments/handlers.ts'
import { listPayments } from '../payments/queries.ts'
import { isRefusedAsTooSmall } from '../providers/chargeable.ts'
import { findBillingSettings } from '../settings/queries.ts'
import { applyEvent, endSubscription } from '../subscriptions/override.ts'
import { findMethodOfBill, keepMethod } from '../subscriptions/payment-method/queries.ts'
import { type LockedSubscription, lockSubscriptions } from '../subscriptions/queries.ts'
import { oweBill, takePayment } from './end-open-bill.ts'
import { getBill, getBillPlace } from './queries.ts'
import { finishRefund, noteRefundElsewhere } from './refunds/refund.ts'
import { toBill, toBillData } from './rows.ts'

/** Locks the subscription of a bill. */
async function lockSubscriptionOf(ctx: Context, id: string): Promise<LockedSubscription | undefined> {
  const { subscription_id } = await getBillPlace(ctx, { id })
  const [row] = await lockSubscriptions(ctx, [subscription_id])
  return row
}

/** A first bill that is too small to be charged begins nothing; another one is owed, and what waits for it happens. */
async function oweTooSmall(ctx: Context, row: LockedSubscription, id: string): Promise<void> {
  const bill = await getBill(ctx, { id })
  if (bill.reason === 'first') return applyEvent(ctx, row, { type: 'override', reason: 'amount_too_small' })
  if (!(await oweBill(ctx, bill))) return
  emit(ctx, billPaid, toBillData(await getBill(ctx, { id })))
  await applyEvent(ctx, row, { type: 'bill_paid', bill: id })
}

/** What happens when money for a bill moves. */
export const billPayments: PaymentHandler = {
  idType: billId,
  lock: (ctx, { purpose_id }) => lockSubscriptionOf(ctx, purpose_id),
  paid: async (ctx, { id, purpose_id }) => {
    const row = await lockSubscriptionOf(ctx, purpose_id)
    // It was paid in another way or voided meanwhile.
    if (!(await takePayment(ctx, purpose_id, id))) return 'unwanted'
    const bill = await getBill(ctx, { id: purpose_id })
    emit(ctx, billPaid, toBillData(bill))
    requestPayerMail(ctx, 'receipt', bill)
    if (row !== undefined) await applyEvent(ctx, row, { type: 'bill_paid', bill: purpose_id })
    return 'kept'
  },
  savedMethod: (ctx, { purpose_id }) => findMethodOfBill(ctx, { id: purpose_id }),
  methodSaved: async (ctx, { purpose_id, created_at, off_session }, method) => {
    const { subscription_id: subscription } = await getBillPlace(ctx, { id: purpose_id })
    keepMethod(ctx, { subscription, method, at: created_at, ifNone: off_session })
  },
  failed: async (ctx, payment) => {
    const { purpose_id: id } = payment
    const row = await lockSubscriptionOf(ctx, id)
    // Nobody waits for it any more.
    if (row?.open_bills?.some((bill) => bill.id === id) !== true) return
    if (isRefusedAsTooSmall(payment)) return oweTooSmall(ctx, row, id)
    // A payer who is there can try again. What we end ourselves does not come here.
    if (!payment.off_session) return
    const { retry_days: retryDays } = await findBillingSettings(ctx)
    await applyEvent(ctx, row, { type: 'charge_failed', bill: id, retryDays })
  },
  refunded: (ctx, refund) => finishRefund(ctx, refund.id, 'succeeded'),
  refundFailed: (ctx, refund) => finishRefund(ctx, refund.id, 'failed'),
  // A bill that was paid stays so.
  refundedElsewhere: noteRefundElsewhere,
  // It ends although later bills may be paid: its payer does not want it.
  disputeLost: async (ctx, { purpose_id }) => {
    const row = await lockSubscriptionOf(ctx, purpose_id)
    if (row !== undefined) await endSubscription(ctx, row, 'dispute_lost')
  },
  disputed: async (ctx, { purpose_id }) => {
    const payments = await listPayments(ctx, { purpose: 'bill', ids: [purpose_id] })
    emit(ctx, billDisputed, toBill(await getBill(ctx, { id: purpose_id }), payments))
  },
}
