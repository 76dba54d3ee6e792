import type { Context } from '#platform/db/tenant.ts'
import { listBillsById } from '../bills/queries.ts'
import { requestPayerMail, requestSubscriberMail } from '../mailing/request-mail.ts'
import type { Decision } from './machine/decide.ts'
import type { Effect } from './machine/state.ts'
import { iso } from './rows.ts'

/** Asks for the mails of moves that are written: they say what is so now. */
export async function mailMembers(ctx: Context, decisions: readonly Decision[]): Promise<void> {
  for (const decision of decisions)
    for (const effect of decision.effects) {
      if (effect.type !== 'mail') continue
      if (effect.mail === 'trial_ending') mailAboutTrial(ctx, decision)
      else await mailAboutBill(ctx, decision, effect)
    }
}

/** Nothing follows a trial that was canceled. */
function mailAboutTrial(ctx: Context, { row, state }: Decision): void {
  const { plan, nextPlan, periodEnd, cancelAtPeriodEnd } = state
  if (cancelAtPeriodEnd) return
  const next = nextPlan ?? plan
  requestSubscriberMail(ctx, 'trial_ending', { memberId: row.member_id, plan, next, endsAt: iso(periodEnd) })
}

type BillMail = Extract<Effect, { type: 'mail'; bill: string }>

async function mailAboutBill(ctx: Context, { state }: Decision, { mail, bill: id }: BillMail): Promise<void> {
  const [bill] = await listBillsById(ctx, { ids: [id] })
  if (bill === undefined) return
  if (mail === 'bill_reduced') {
    // No mail is sent about one that came to nothing.
    if (bill.status === 'open') requestPayerMail(ctx, 'reduced', bill)
    return
  }
  if (mail === 'subscription_canceled') return requestPayerMail(ctx, 'ended', bill)
  // By hand nothing was charged: the bill was not paid in time.
  const then = state.dunningAt === null ? null : iso(state.dunningAt)
  requestPayerMail(ctx, state.provider === null ? 'overdue' : 'payment_failed', bill, then)
}
