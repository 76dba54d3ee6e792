import { chargeable } from '../../providers/chargeable.ts'
import { addIntervals, DAY_MS } from './calendar.ts'
import { byOldest, newBill } from './open-bills.ts'
import { canProrate, type PricedPlan, periodLine, prorationLines, sumOf } from './prices.ts'
import { type Effect, type Event, NEW_BILL, type OpenBill, type Outcome, type State } from './state.ts'

type Change = Extract<Event, { type: 'change' }>

/** What every amount has to be a multiple of. */
export const stepOf = ({ provider }: State, { currency }: PricedPlan): number =>
  chargeable(provider, currency).step

const isSame = (a: PricedPlan, b: PricedPlan) => a.id === b.id && a.version === b.version

/** Changes the plan, now or at the end of the period. */
export function onChange(state: State, event: Change, now: number): Outcome {
  const { status, openBills } = state
  if (status === 'incomplete') return { refused: 'SUBSCRIPTION_INCOMPLETE' }
  if (status === 'paused') return { refused: 'SUBSCRIPTION_PAUSED' }
  if (event.at === 'period_end') return atPeriodEnd(state, event.plan)
  if (isSame(event.plan, state.plan)) return { refused: 'SAME_PLAN' }
  // Time can only be given up after it was paid.
  if (openBills.length > 0) return { refused: 'BILL_OPEN' }
  return status === 'trialing' ? fromTrial(state, event, now) : withinPeriod(state, event, now)
}

function atPeriodEnd(state: State, plan: PricedPlan): Outcome {
  // What the open bill of a change brings comes before it.
  const isLater = state.openBills.some((bill) => bill.plan !== null)
  const stays = isSame(plan, state.plan) && !isLater
  if (stays && state.nextPlan === null) return { refused: 'SAME_PLAN' }
  const nextPlan = stays ? null : plan
  return {
    state: { ...state, nextPlan, nextPlanIsLater: isLater, cancelAtPeriodEnd: false },
    effects: [{ type: 'grant' }],
  }
}

/**
 * What costs nothing more, or is billed by hand, takes effect at once; otherwise when its bill is paid.
 * @param changed the state once it has taken effect
 */
function bill(
  state: State,
  changed: State,
  { effect, open, now }: { effect: Extract<Effect, { type: 'bill' }>; open: Partial<OpenBill>; now: number },
): Outcome {
  const total = sumOf(effect.lines)
  if (total <= 0) return { state: changed, effects: [effect, { type: 'grant' }] }
  const made = newBill('change', now, open)
  if (state.provider === null)
    return {
      state: byOldest({ ...changed, openBills: [...changed.openBills, { ...made, plan: null }] }, now),
      effects: [effect, { type: 'grant' }],
    }
  return {
    state: { ...state, openBills: [...state.openBills, made] },
    effects: [effect, { type: 'charge', bill: NEW_BILL }],
  }
}

function withinPeriod(state: State, { plan, pricedAt }: Change, now: number): Outcome {
  if (!canProrate(state.plan, plan)) return { refused: 'PERIOD_END_ONLY' }
  const lines = prorationLines(plan, {
    from: state.plan,
    paid: state.paidLines,
    period: { start: state.periodStart, end: state.periodEnd },
    at: Math.max(pricedAt ?? now, state.periodStart),
    step: stepOf(state, plan),
  })
  const changed = { ...state, plan, nextPlan: null, nextPlanIsLater: false }
  const effect = { type: 'bill', reason: 'change', lines, plan } as const
  return bill(state, changed, { effect, open: { plan }, now })
}

/** A trial goes on, to the earlier end, where the member has an unused one of the plan. Otherwise the plan begins with a bill. */
function fromTrial(state: State, { plan, trialDays = 0 }: Change, now: number): Outcome {
  const changed: State = { ...state, plan, nextPlan: null, nextPlanIsLater: false }
  if (trialDays > 0) {
    const trialEnd = Math.min(state.periodEnd, now + trialDays * DAY_MS)
    const reminded = state.reminded && trialEnd === state.periodEnd
    const ends = { trialEnd, periodEnd: trialEnd, anchor: trialEnd, periods: 0 }
    return { state: { ...changed, ...ends, reminded }, effects: [{ type: 'try' }, { type: 'grant' }] }
  }
  const begun = begins(changed, now)
  const period = { start: begun.periodStart, end: begun.periodEnd }
  const lines = [periodLine(plan, period, stepOf(state, plan))]
  const effect = { type: 'bill', reason: 'change', lines, plan } as const
  return bill(state, begun, { effect, open: { plan, beginsPeriod: true }, now })
}

/** Ends a trial with a period of the plan. */
function begins(state: State, at: number): State {
  const { interval, intervalCount } = state.plan
  return {
    ...state,
    ...{ status: 'active', trialEnd: at, anchor: at, periods: intervalCount },
    ...{ periodStart: at, periodEnd: addIntervals(at, interval, intervalCount) },
  }
}

/** The state after the bill of a change has ended unpaid: nothing changes but what was asked for since. */
export function planKept(state: State): State {
  const { plan, nextPlan } = state
  const stays = nextPlan !== null && isSame(nextPlan, plan)
  return { ...state, nextPlan: stays ? null : nextPlan, nextPlanIsLater: false }
}

/** The state after a change has been paid. A later request still takes effect at the period's end. */
export function planAfter(state: State, paid: OpenBill, plan: PricedPlan): State {
  const { nextPlan, nextPlanIsLater } = state
  const isWanted = nextPlanIsLater && nextPlan !== null && !isSame(nextPlan, plan)
  const changed = { ...state, plan, nextPlan: isWanted ? nextPlan : null, nextPlanIsLater: false }
  return paid.beginsPeriod ? begins(changed, paid.dueSince) : changed
}
