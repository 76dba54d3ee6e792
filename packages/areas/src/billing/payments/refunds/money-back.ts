import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { MoneyBack } from '../../providers/provider.ts'
import { findBillingSettings } from '../../settings/queries.ts'
import { announceDispute, announceRefund } from '../announce.ts'
import { lockWithPurpose, type PaymentHandlers } from '../handlers.ts'
import { askAboutMoneyBack, lockPayment, type PaymentRow, pauseAfter, updateMoneyBack } from '../queries.ts'
import { insertRefund, listRefunds, type RefundRow, reserveRefund } from './queries.ts'
import { recordRefund, refundPayment, UNWANTED } from './refund.ts'

/** What an order or a bill does about money that went back without us. */
const REASONS = {
  refund: 'refunded with the payment provider',
  dispute: 'the payer won a dispute',
} as const

/** Money that is with its payer again, or on its way there. */
interface Back {
  readonly reference: string
  readonly amountMinor: number
  readonly status: 'pending' | 'succeeded'
  readonly kind: keyof typeof REASONS
}

/**
 * Records refunds that were made without us, and disputes. A dispute that the payer won is a refund; one that was lost
 * first and won at last is a refund that failed.
 * @param answer undefined where the provider did not answer: it is asked again
 */
export async function recordMoneyBack(
  ctx: Context,
  handlers: PaymentHandlers,
  id: string,
  answer: MoneyBack | undefined,
): Promise<void> {
  const payment = await lockWithPurpose(ctx, handlers, id)
  const later = pauseAfter(payment.asked)
  if (answer === undefined) {
    updateMoneyBack(ctx, { ...payment, ask_in: later })
    return
  }
  let isReversed = false
  for (const { reference, status } of answer.disputes) {
    const known = (await listRefunds(ctx, { payment_id: id })).find(
      (row) => row.provider_reference === reference,
    )
    if (status === 'won' && known?.status === 'succeeded')
      isReversed =
        (await recordRefund(ctx, handlers, known.id, { reference, status: 'failed' })) || isReversed
  }
  let isComplete = true
  for (const back of newOf(answer, await listRefunds(ctx, { payment_id: id })))
    isComplete = (await take(ctx, handlers, payment, back)) && isComplete
  await giveRestBack(ctx, handlers, payment)
  const last = answer.disputes.at(-1)
  const dispute = last?.status ?? payment.dispute
  const isMoved = last !== undefined && dispute !== payment.dispute
  updateMoneyBack(ctx, {
    id,
    dispute,
    dispute_reason: last?.reason ?? payment.dispute_reason,
    ask_in: isComplete ? null : later,
  })
  // What did not fit before may fit now.
  if (isReversed) askAboutMoneyBack(ctx, payment)
  if (!isMoved) return
  announceDispute(ctx, handlers, await lockPayment(ctx, { id }), last)
  await handlers[payment.purpose]?.disputed(ctx, payment)
}

/** What went back and is not recorded yet. */
function newOf({ refunds, disputes }: MoneyBack, known: readonly RefundRow[]): Back[] {
  const isNew = (reference: string, id?: string) =>
    !known.some((row) => row.provider_reference === reference || row.id === id)
  return [
    ...refunds.flatMap(({ reference, id, status, amountMinor }): Back[] =>
      status !== 'failed' && isNew(reference, id) ? [{ reference, amountMinor, status, kind: 'refund' }] : [],
    ),
    ...disputes.flatMap(({ reference, status, amountMinor }): Back[] =>
      status === 'lost' && isNew(reference)
        ? [{ reference, amountMinor, status: 'succeeded', kind: 'dispute' }]
        : [],
    ),
  ]
}

/**
 * Records one of them. No more than what was paid ever counts as paid back.
 * @returns false where a refund of ours that is under way holds the amount: it is looked at again once that is decided
 */
async function take(
  ctx: Context,
  handlers: PaymentHandlers,
  payment: PaymentRow,
  { reference, amountMinor, status, kind }: Back,
): Promise<boolean> {
  const { id, amount_minor: paid } = payment
  const known = await listRefunds(ctx, { payment_id: id })
  const left = known.reduce((sum, row) => sum - (row.status === 'failed' ? 0 : row.amount_minor), paid)
  if (amountMinor > left && known.some((row) => row.status === 'pending')) return false
  const amount = Math.min(amountMinor, left)
  if (amount <= 0) {
    if (kind === 'dispute') await loseDispute(ctx, handlers, payment)
    return true
  }
  if ((await reserveRefund(ctx, { id, amount })) === undefined) return false
  const refund = await insertRefund(ctx, {
    id: newUuid(),
    payment_id: id,
    amount_minor: amount,
    status,
    reason: REASONS[kind],
    provider_reference: reference,
  })
  announceRefund(ctx, handlers, refund, payment)
  await handlers[payment.purpose]?.refundedElsewhere(ctx, refund, payment, kind)
  if (kind === 'dispute') await loseDispute(ctx, handlers, payment)
  return true
}

/**
 * Money that nobody waited for goes back whole. If our refund was refused because a part had gone back before, the rest
 * goes back now; one that was refused for another reason is for people.
 */
async function giveRestBack(
  ctx: Context,
  handlers: PaymentHandlers,
  { id, amount_minor: paid }: PaymentRow,
): Promise<void> {
  const known = await listRefunds(ctx, { payment_id: id })
  const refused = known.filter(({ reason, status }) => reason === UNWANTED && status === 'failed')
  const left = known.reduce((sum, row) => sum - (row.status === 'failed' ? 0 : row.amount_minor), paid)
  if (refused.length === 0 || left <= 0 || refused.some(({ amount_minor }) => amount_minor <= left)) return
  await refundPayment(ctx, handlers, { paymentId: id, amountMinor: left, reason: UNWANTED })
}

async function loseDispute(ctx: Context, handlers: PaymentHandlers, payment: PaymentRow): Promise<void> {
  const { on_lost_dispute } = await findBillingSettings(ctx)
  if (on_lost_dispute === 'revoke') await handlers[payment.purpose]?.disputeLost(ctx, payment)
}
