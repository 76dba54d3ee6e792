import { addIntervals, DAY_MS } from './calendar.ts'
import { onChange, planAfter, planKept, stepOf } from './change.ts'
import { type BillsAtEnd, byOldest, closeBills, newBill, withoutBill, withoutDunning } from './open-bills.ts'
import { periodLine } from './prices.ts'
import {
  dueAt,
  type Effect,
  type Event,
  HAND_END_DAYS,
  NEW_BILL,
  type OpenBill,
  type Outcome,
  type RefusalCode,
  type State,
} from './state.ts'
import { nextWhileSuspended, suspend } from './suspend.ts'

const done = (state: State, ...effects: Effect[]): Outcome => ({ state, effects })
const refuse = (refused: RefusalCode): Outcome => ({ refused })

/** What an event makes of a subscription: the one place that decides it. Pure. */
export function next(state: State, event: Event, now: number): Outcome {
  if (state.status === 'canceled') return afterEnd(state, event, now)
  if (state.suspended !== null) return nextWhileSuspended(state, state.suspended, event, { now, next })
  switch (event.type) {
    case 'due':
      return onDue(state, now)
    case 'bill_paid':
      return onPaid(state, event.bill, now)
    case 'charge_failed':
      return onChargeFailed(state, event, now)
    case 'bill_voided':
      return onVoided(state, event.bill, now)
    case 'cancel':
      return onCancel(state, event.at, now)
    case 'pause':
      return onPause(state, event.until, now)
    case 'resume':
      return onResume(state, now)
    case 'change':
      return onChange(state, event, now)
    case 'override':
      return end(state, event.reason, {
        now,
        bills: event.reason === 'member_deleted' ? 'void' : 'time_used',
      })
    case 'member_deleted':
      return suspend(state, now)
    case 'member_restored':
      return 'ignored'
  }
}

/** After the end only bills that are left matter: they hold up nothing, and are given up in the end. */
function afterEnd(state: State, event: Event, now: number): Outcome {
  const { type } = event
  if (type === 'cancel' || type === 'pause' || type === 'resume' || type === 'change')
    return refuse('SUBSCRIPTION_CANCELED')
  const { openBills, dunningAt } = state
  if (type === 'due' && dunningAt !== null && dunningAt <= now) {
    const closing = openBills.map(
      ({ id }): Effect => ({ type: 'close_bill', bill: id, status: 'uncollectible' }),
    )
    return done({ ...state, openBills: [], dunningAt: null }, ...closing)
  }
  if (type !== 'bill_paid' && type !== 'bill_voided') return 'ignored'
  return billOf(state, event.bill) === undefined ? 'ignored' : done(withoutBill(state, event.bill, now))
}

const billOf = ({ openBills }: State, id: string): OpenBill | undefined =>
  openBills.find((bill) => bill.id === id)

/** Ends it. Nothing is credited. */
function end(
  state: State,
  cancelReason: string,
  { now, bills }: { readonly now: number; readonly bills: BillsAtEnd },
): { state: State; effects: readonly Effect[] } {
  const closed = closeBills(state, now, bills)
  const revoked: Effect[] = state.status === 'incomplete' ? [] : [{ type: 'revoke' }]
  const over = { nextPlan: null, nextPlanIsLater: false, pausedAt: null, resumeAt: null, suspended: null }
  return {
    state: { ...closed.state, ...over, status: 'canceled', cancelReason },
    effects: [...closed.effects, ...revoked],
  }
}

function onDue(state: State, now: number): Outcome {
  const due = dueAt(state)
  if (due === null || due > now) return 'ignored'
  const { status, periodEnd, dunningAt } = state
  if (status === 'paused') return onResume(state, now)
  if (status === 'incomplete') return end(state, 'incomplete_expired', { now, bills: 'void' })
  if (status === 'trialing' && due < periodEnd)
    return done(
      { ...state, reminded: true },
      { type: 'announce', event: 'trial_ending' },
      { type: 'mail', mail: 'trial_ending' },
    )
  if (dunningAt !== null && dunningAt <= now && dunningAt <= periodEnd) return onDunning(state, now)
  return onPeriodEnd(state, now)
}

function onPeriodEnd(state: State, now: number): Outcome {
  const { openBills, provider } = state
  if (state.cancelAtPeriodEnd) return end(state, 'period_end', { now, bills: 'time_used' })
  // Not paid for a whole period: it can not go on.
  if (openBills.some(({ reason }) => reason === 'renewal')) return giveUp(state, now)
  // With a provider the change has not taken effect. By hand it has, and is still to be paid.
  const closing = provider === null ? [] : openBills
  const plan = state.nextPlan ?? state.plan
  // Periods of another length are counted from here.
  const keeps = plan.interval === state.plan.interval && plan.intervalCount === state.plan.intervalCount
  const anchor = keeps ? state.anchor : state.periodEnd
  const periods = (keeps ? state.periods : 0) + plan.intervalCount
  const period = { start: state.periodEnd, end: addIntervals(anchor, plan.interval, periods) }
  const kept = provider === null ? openBills.map((bill) => ({ ...bill, isOfPeriod: false })) : []
  const renewed: State = {
    ...state,
    ...{ plan, nextPlan: null, nextPlanIsLater: false, anchor, periods },
    ...{ periodStart: period.start, periodEnd: period.end },
    openBills: [...kept, newBill('renewal', now)],
  }
  const ongoing: State =
    provider === null && state.status !== 'trialing'
      ? byOldest(renewed, now)
      : byOldest({ ...withoutDunning(renewed), status: 'active', dunningSince: now }, now)
  const lines = [periodLine(plan, period, stepOf(state, plan))]
  const effects: Effect[] = [
    ...closing.map(({ id }): Effect => ({ type: 'close_bill', bill: id, status: 'void' })),
    ...(state.nextPlan === null ? [] : [{ type: 'grant' } as const]),
    { type: 'bill', reason: 'renewal', lines, plan: null },
    ...(provider === null ? [] : [{ type: 'charge', bill: NEW_BILL } as const]),
  ]
  return done(ongoing, ...effects)
}

function onDunning(state: State, now: number): Outcome {
  const [bill] = state.openBills
  if (bill === undefined) return done(withoutDunning(state))
  if (state.provider !== null) return done({ ...state, dunningAt: null }, { type: 'charge', bill: bill.id })
  if (state.status === 'past_due') return giveUp(state, now)
  return done(
    { ...state, status: 'past_due', dunningStep: 1, dunningAt: now + HAND_END_DAYS * DAY_MS },
    { type: 'mail', mail: 'payment_failed', bill: bill.id },
  )
}

function giveUp(state: State, now: number): Outcome {
  const { state: ended, effects } = end(state, 'unpaid', { now, bills: 'uncollectible' })
  const bill = state.openBills[0]?.id ?? NEW_BILL
  return done(ended, ...effects, { type: 'mail', mail: 'subscription_canceled', bill })
}

function onPaid(state: State, id: string, now: number): Outcome {
  const bill = billOf(state, id)
  if (bill === undefined) return 'ignored'
  const paid = withoutBill(state, id, now)
  if (bill.reason === 'first') return done({ ...withoutDunning(paid), status: 'active' }, { type: 'grant' })
  // Otherwise access was never taken, or a pause has begun since.
  return bill.plan === null ? done(paid) : done(planAfter(paid, bill, bill.plan), { type: 'grant' })
}

type ChargeFailed = Extract<Event, { type: 'charge_failed' }>

function onChargeFailed(state: State, { bill: id, retryDays }: ChargeFailed, now: number): Outcome {
  const bill = billOf(state, id)
  if (bill?.reason === 'change' && state.provider !== null)
    return done(planKept(withoutBill(state, id, now)), { type: 'close_bill', bill: id, status: 'void' })
  // The first bill can still be paid in another way.
  if (bill?.reason !== 'renewal' || state.provider === null) return 'ignored'
  // A new card was tried before the next retry, which comes all the same.
  if (state.dunningAt !== null) return 'ignored'
  const days = retryDays[state.dunningStep]
  if (days === undefined) return giveUp(state, now)
  const since = state.dunningStep === 0 ? now : (state.dunningSince ?? now)
  // A retry that comes late is followed by the next one at least a day later.
  const dunningAt = Math.max(since + days * DAY_MS, now + (state.dunningStep === 0 ? 0 : DAY_MS))
  return done(
    { ...state, status: 'past_due', dunningStep: state.dunningStep + 1, dunningSince: since, dunningAt },
    { type: 'mail', mail: 'payment_failed', bill: id },
  )
}

function onVoided(state: State, id: string, now: number): Outcome {
  const bill = billOf(state, id)
  if (bill === undefined) return 'ignored'
  const left = planKept(withoutBill(state, id, now))
  return bill.reason === 'first' ? end(left, 'bill_voided', { now, bills: 'void' }) : done(left)
}

function onCancel(state: State, at: 'now' | 'period_end', now: number): Outcome {
  if (at === 'now' || state.status === 'incomplete')
    return end(state, 'canceled', { now, bills: 'time_used' })
  const flagged = { ...state, cancelAtPeriodEnd: true, nextPlan: null, nextPlanIsLater: false }
  // The grant says from now on when it ends; while paused there is none.
  return state.status === 'paused' ? done(flagged) : done(flagged, { type: 'grant' })
}

function onPause(state: State, until: number | null, now: number): Outcome {
  if (state.status === 'incomplete') return refuse('SUBSCRIPTION_INCOMPLETE')
  if (state.status === 'paused') return refuse('SUBSCRIPTION_PAUSED')
  if (state.status === 'past_due') return refuse('SUBSCRIPTION_PAST_DUE')
  if (state.status !== 'active') return refuse('SUBSCRIPTION_NOT_ACTIVE')
  if (state.openBills.length > 0) return refuse('BILL_OPEN')
  return done({ ...state, status: 'paused', pausedAt: now, resumeAt: until }, { type: 'revoke' })
}

/** Ends a pause, or takes a cancellation at the period's end back. */
function onResume(state: State, now: number): Outcome {
  if (state.status === 'incomplete') return refuse('SUBSCRIPTION_INCOMPLETE')
  if (state.status === 'paused' && state.pausedAt !== null) {
    // The clock stood still: the period lies later, as long as it was, and later ones are counted from its end.
    const paused = now - state.pausedAt
    const periodEnd = state.periodEnd + paused
    const moved = { periodStart: state.periodStart + paused, periodEnd, anchor: periodEnd, periods: 0 }
    const resumed: State = { ...state, ...moved, status: 'active', pausedAt: null, resumeAt: null }
    return done(byOldest(resumed, now), { type: 'grant' })
  }
  if (!state.cancelAtPeriodEnd) return refuse('NOTHING_TO_RESUME')
  return done({ ...state, cancelAtPeriodEnd: false }, { type: 'grant' })
}
