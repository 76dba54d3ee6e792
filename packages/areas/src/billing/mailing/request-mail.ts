import type { Context } from '#platform/db/tenant.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { BillRow } from '../bills/queries.ts'
import type { PricedPlan } from '../subscriptions/machine/prices.ts'
import { type BillMail, mailPayer } from './mail-payer.job.ts'
import { mailSubscriber, type SubscriberMail } from './mail-subscriber.job.ts'

/**
 * Requests a mail to the payer of a bill.
 * @param bill as it is now, which is what the mail says
 * @param thenAt when the charge is tried again (`payment_failed`), or when the subscription ends (`overdue`)
 */
export const requestPayerMail = (
  ctx: Context,
  mail: BillMail,
  bill: Pick<BillRow, 'id' | 'total_minor' | 'due_at'>,
  thenAt: string | null = null,
): void =>
  enqueue(ctx, mailPayer, {
    mail,
    bill_id: bill.id,
    total_minor: bill.total_minor,
    due_at: bill.due_at,
    then_at: thenAt,
  })

interface Ahead {
  readonly memberId: string
  readonly plan: Pick<PricedPlan, 'id'>
  /** The plan of the period that follows. */
  readonly next: Pick<PricedPlan, 'id' | 'version'>
  readonly endsAt: string
}

/** Requests a mail that tells a subscriber what follows the present period. */
export const requestSubscriberMail = (
  ctx: Context,
  mail: SubscriberMail,
  { memberId, plan, next, endsAt }: Ahead,
): void =>
  enqueue(ctx, mailSubscriber, {
    mail,
    member_id: memberId,
    plan_id: plan.id,
    next_plan_id: next.id,
    next_plan_version: next.version,
    ends_at: endsAt,
  })
