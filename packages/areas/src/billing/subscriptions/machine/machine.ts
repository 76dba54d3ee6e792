import { chargeable } from '../../providers/chargeable.ts'
import { addIntervals, DAY_MS } from './calendar.ts'
import { canProrate, type Line, type PricedPlan, periodLine, prorationLines, sumOf } from './prices.ts'
import {
  dueAt,
  type Effect,
  type Event,
  HAND_DUE_DAYS,
  HAND_END_DAYS,
  type Outcome,
  type RefusalCode,
  type State,
} from './state.ts'
import { nextWhileSuspended, suspend } from './suspend.ts'

const done = (state: State, ...effects: Effect[]): Outcome => ({ state, effects })
const refuse = (refused: RefusalCode): Outcome => ({ refused })

/** What an event makes of a subscription: the one place that decides it. Pure. */
export function next(state: State, event: Event, now: number): Outcome {
  if (state.status === 'canceled') return afterEnd(event)
  if (state.suspended !== null) return nextWhileSuspended(state, state.suspended, event, { now, next })
  switch (event.type) {
    case 'due':
      return onDue(state, now)
    case 'bill_paid':
      return onPaid(state)
    case 'charge_failed':
      return onChargeFailed(state, event.retryDays, now)
    case 'bill_voided':
      return onVoided(state)
    case 'cancel':
      return onCancel(state, event.at)
    case 'pause':
      return onPause(state, event.until, now)
    case 'resume':
      return onResume(state, now)
    case 'change':
      return onChange(state, event, now)
    case 'override':
      return end(state, event.reason)
    case 'member_deleted':
      return suspend(state, now)
    case 'member_restored':
      return 'ignored'
  }
}

function afterEnd({ type }: Event): Outcome {
  const isAsked = type === 'cancel' || type === 'pause' || type === 'resume' || type === 'change'
  return isAsked ? refuse('SUBSCRIPTION_CANCELED') : 'ignored'
}

/** Ends it. Nothing is credited; what is not paid is not asked for any more. */
function end(state: State, cancelReason: string, bill: 'void' | 'uncollectible' = 'void'): Outcome {
  const effects: Effect[] = []
  if (state.openBill !== null) effects.push({ type: 'close_bill', status: bill })
  if (state.status !== 'incomplete') effects.push({ type: 'revoke' })
  const over = { ...withoutBill(state), nextPlan: null, pausedAt: null, resumeAt: null }
  return done({ ...over, status: 'canceled', cancelReason }, ...effects)
}

const withoutBill = (state: State): State => ({
  ...state,
  openBill: null,
  billedPlan: null,
  dunningStep: 0,
  dunningSince: null,
  dunningAt: null,
})

function onDue(state: State, now: number): Outcome {
  const due = dueAt(state)
  if (due === null || due > now) return 'ignored'
  const { status, periodEnd, dunningAt } = state
  if (status === 'paused') return onResume(state, now)
  if (status === 'incomplete') return end(state, 'incomplete_expired')
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
  if (state.cancelAtPeriodEnd) return end(state, 'period_end')
  // Not paid for a whole period: it can not go on.
  if (state.openBill === 'renewal') return giveUp(state)
  const closing: Effect[] = state.openBill === null ? [] : [{ type: 'close_bill', status: 'void' }]
  const plan = state.nextPlan ?? state.plan
  // Periods of another length are counted from here.
  const keeps = plan.interval === state.plan.interval && plan.intervalCount === state.plan.intervalCount
  const anchor = keeps ? state.anchor : state.periodEnd
  const periods = (keeps ? state.periods : 0) + plan.intervalCount
  const period = { start: state.periodEnd, end: addIntervals(anchor, plan.interval, periods) }
  const renewed: State = {
    ...withoutBill(state),
    ...{
      status: 'active',
      plan,
      nextPlan: null,
      anchor,
      periods,
      periodStart: period.start,
      periodEnd: period.end,
    },
    ...{ openBill: 'renewal', dunningSince: now },
    dunningAt: state.provider === null ? now + HAND_DUE_DAYS * DAY_MS : null,
  }
  const bill: Effect = {
    type: 'bill',
    reason: 'renewal',
    lines: [periodLine(plan, period, stepOf(state, plan))],
    plan: null,
  }
  const granted: Effect[] = state.nextPlan === null ? [] : [{ type: 'grant' }]
  const charge: Effect[] = state.provider !== null ? [{ type: 'charge' }] : []
  return done(renewed, ...closing, ...granted, bill, ...charge)
}

function onDunning(state: State, now: number): Outcome {
  if (state.provider !== null) return done({ ...state, dunningAt: null }, { type: 'charge' })
  if (state.status === 'past_due') return giveUp(state)
  return done(
    { ...state, status: 'past_due', dunningStep: 1, dunningAt: now + HAND_END_DAYS * DAY_MS },
    { type: 'mail', mail: 'payment_failed' },
  )
}

function giveUp(state: State): Outcome {
  const ended = end(state, 'unpaid', 'uncollectible')
  if (ended === 'ignored' || 'refused' in ended) return ended
  return done(ended.state, ...ended.effects, { type: 'mail', mail: 'subscription_canceled' })
}

function onPaid(state: State): Outcome {
  if (state.openBill === null) return 'ignored'
  const paid = withoutBill(state)
  if (state.openBill === 'first') return done({ ...paid, status: 'active' }, { type: 'grant' })
  if (state.openBill === 'change' && state.billedPlan !== null)
    return done({ ...paid, plan: state.billedPlan, nextPlan: null }, { type: 'grant' })
  // A pause has begun since, or the renewal was late: access was never taken.
  return done({ ...paid, status: state.status === 'past_due' ? 'active' : state.status })
}

function onChargeFailed(state: State, retryDays: readonly number[], now: number): Outcome {
  if (state.openBill === 'change') return done(withoutBill(state), { type: 'close_bill', status: 'void' })
  // The first bill can still be paid in another way.
  if (state.openBill !== 'renewal' || state.provider === null) return 'ignored'
  // A new card was tried before the next retry, which comes all the same.
  if (state.dunningAt !== null) return 'ignored'
  const days = retryDays[state.dunningStep]
  if (days === undefined) return giveUp(state)
  const since = state.dunningStep === 0 ? now : (state.dunningSince ?? now)
  // A retry that comes late is followed by the next one at least a day later.
  const dunningAt = Math.max(since + days * DAY_MS, now + (state.dunningStep === 0 ? 0 : DAY_MS))
  return done(
    { ...state, status: 'past_due', dunningStep: state.dunningStep + 1, dunningSince: since, dunningAt },
    { type: 'mail', mail: 'payment_failed' },
  )
}

function onVoided(state: State): Outcome {
  if (state.openBill === null) return 'ignored'
  if (state.openBill === 'first') return end({ ...state, openBill: null }, 'bill_voided')
  return done({ ...withoutBill(state), status: state.status === 'past_due' ? 'active' : state.status })
}

function onCancel(state: State, at: 'now' | 'period_end'): Outcome {
  if (at === 'now' || state.status === 'incomplete') return end(state, 'canceled')
  const flagged = { ...state, cancelAtPeriodEnd: true, nextPlan: null }
  // The grant says from now on when it ends; while paused there is none.
  return state.status === 'paused' ? done(flagged) : done(flagged, { type: 'grant' })
}

function onPause(state: State, until: number | null, now: number): Outcome {
  if (state.status === 'incomplete') return refuse('SUBSCRIPTION_INCOMPLETE')
  if (state.status === 'paused') return refuse('SUBSCRIPTION_PAUSED')
  if (state.status === 'past_due') return refuse('SUBSCRIPTION_PAST_DUE')
  if (state.status !== 'active') return refuse('SUBSCRIPTION_NOT_ACTIVE')
  if (state.openBill !== null) return refuse('BILL_OPEN')
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
    return done({ ...state, ...moved, status: 'active', pausedAt: null, resumeAt: null }, { type: 'grant' })
  }
  if (!state.cancelAtPeriodEnd) return refuse('NOTHING_TO_RESUME')
  return done({ ...state, cancelAtPeriodEnd: false }, { type: 'grant' })
}

type Change = Extract<Event, { type: 'change' }>

function onChange(state: State, { plan, at, pricedAt }: Change, now: number): Outcome {
  if (state.status === 'incomplete') return refuse('SUBSCRIPTION_INCOMPLETE')
  if (state.status === 'paused') return refuse('SUBSCRIPTION_PAUSED')
  if (state.status === 'past_due') return refuse('SUBSCRIPTION_PAST_DUE')
  const isSame = plan.id === state.plan.id && plan.version === state.plan.version
  if (isSame && state.nextPlan === null) return refuse('SAME_PLAN')
  if (at === 'period_end')
    return done({ ...state, nextPlan: isSame ? null : plan, cancelAtPeriodEnd: false }, { type: 'grant' })
  if (isSame) return refuse('SAME_PLAN')
  if (state.openBill !== null && state.provider !== null) return refuse('BILL_OPEN')
  const changed: State = { ...state, plan, nextPlan: null }
  // A trial costs nothing on any plan.
  if (state.status === 'trialing') return done(changed, { type: 'grant' })
  if (!canProrate(state.plan, plan)) return refuse('PERIOD_END_ONLY')
  const lines = changeLines(state, plan, pricedAt ?? now)
  // What costs nothing more, or is billed by hand, takes effect at once; otherwise when its bill is paid.
  if (state.provider === null || sumOf(lines) <= 0)
    return done(changed, { type: 'bill', reason: 'change', lines, plan }, { type: 'grant' })
  return done(
    { ...state, openBill: 'change', billedPlan: plan },
    { type: 'bill', reason: 'change', lines, plan },
    { type: 'charge' },
  )
}

/** What a change now costs: the lines that a preview shows and that the change charges. */
export const changeLines = (state: State, plan: PricedPlan, at: number): Line[] =>
  state.status === 'trialing'
    ? []
    : prorationLines(plan, {
        from: state.plan,
        paid: state.paidLines,
        period: { start: state.periodStart, end: state.periodEnd },
        at: Math.max(at, state.periodStart),
        step: stepOf(state, plan),
      })

const stepOf = ({ provider }: State, { currency }: PricedPlan) => chargeable(provider, currency).step
