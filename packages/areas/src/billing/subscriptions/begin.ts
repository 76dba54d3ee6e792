import { chargeable } from '../providers/chargeable.ts'
import { addIntervals, DAY_MS } from './machine/calendar.ts'
import { newBill } from './machine/open-bills.ts'
import { type PricedPlan, periodLine } from './machine/prices.ts'
import { type Effect, INCOMPLETE_MS, type State } from './machine/state.ts'

/** What a subscription begins as. */
export function begin(
  plan: PricedPlan,
  { now, provider, trialDays }: { now: number; provider: string | null; trialDays: number },
): { state: State; effects: readonly Effect[] } {
  const isTrial = trialDays > 0
  const trialEnd = isTrial ? now + trialDays * DAY_MS : null
  const anchor = trialEnd ?? now
  const state: State = {
    status: isTrial ? 'trialing' : 'incomplete',
    plan,
    nextPlan: null,
    nextPlanIsLater: false,
    provider,
    anchor,
    periods: isTrial ? 0 : plan.intervalCount,
    periodStart: now,
    periodEnd: trialEnd ?? addIntervals(anchor, plan.interval, plan.intervalCount),
    trialEnd,
    reminded: false,
    cancelAtPeriodEnd: false,
    pausedAt: null,
    resumeAt: null,
    openBills: isTrial ? [] : [newBill('first', now)],
    paidLines: [],
    dunningStep: 0,
    dunningSince: null,
    dunningAt: isTrial ? null : now + INCOMPLETE_MS[provider === null ? 'hand' : 'provider'],
    cancelReason: null,
    suspended: null,
  }
  if (isTrial) return { state, effects: [{ type: 'try' }, { type: 'grant' }] }
  const { step } = chargeable(provider, plan.currency)
  const lines = [periodLine(plan, { start: state.periodStart, end: state.periodEnd }, step)]
  return { state, effects: [{ type: 'bill', reason: 'first', lines, plan: null }] }
}
