import { addIntervals, DAY_MS } from './calendar.ts'
import { canProrate, type Line, type PricedPlan, periodLine, prorationLines, sumOf } from './prices.ts'

export const STATUSES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

export type BillReason = 'first' | 'renewal' | 'change'

/** Everything that decides what happens next to a subscription. Times are milliseconds. */
export interface State {
  readonly status: Status
  readonly plan: PricedPlan
  /** The plan from the period's end on. */
  readonly nextPlan: PricedPlan | null
  /** `provider`: cards are charged by themselves; `hand`: bills wait until somebody marks them paid. */
  readonly collects: 'provider' | 'hand'
  readonly anchor: number
  /** How many intervals after the anchor the period ends. */
  readonly periods: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly trialEnd: number | null
  readonly reminded: boolean
  readonly cancelAtPeriodEnd: boolean
  readonly pausedAt: number | null
  readonly resumeAt: number | null
  /** Why there is a bill that is not paid yet. */
  readonly openBill: BillReason | null
  /** Of an open bill of a change: the plan that comes with it. */
  readonly billedPlan: PricedPlan | null
  readonly dunningStep: number
  readonly dunningSince: number | null
  readonly dunningAt: number | null
  readonly cancelReason: string | null
}

export type Event =
  /** The clock has reached `dueAt`. */
  | { readonly type: 'due' }
  | { readonly type: 'bill_paid' }
  /** The provider could not take the money. */
  | { readonly type: 'charge_failed' }
  /** The open bill was voided by an operator. */
  | { readonly type: 'bill_voided' }
  | { readonly type: 'cancel'; readonly at: 'now' | 'period_end' }
  | { readonly type: 'pause'; readonly until: number | null }
  | { readonly type: 'resume' }
  /** @param pricedAt the moment of the preview that is held to; now where there is none */
  | { readonly type: 'change'; readonly plan: PricedPlan; readonly at: 'now' | 'period_end'; readonly pricedAt?: number }
  /** An operator put the member on another plan, or the member is gone. */
  | { readonly type: 'override'; readonly reason: string }

export const EVENT_TYPES = [
  ...(['due', 'bill_paid', 'charge_failed', 'bill_voided', 'cancel'] as const),
  ...(['pause', 'resume', 'change', 'override'] as const),
] as const

/** What has to be done besides storing the new state, in this order. */
export type Effect =
  | { readonly type: 'grant' }
  | { readonly type: 'revoke' }
  | { readonly type: 'bill'; readonly reason: BillReason; readonly lines: readonly Line[]; readonly plan: PricedPlan | null }
  /** Takes the money of the open bill without its owner. */
  | { readonly type: 'charge' }
  /** What becomes of the open bill. */
  | { readonly type: 'close_bill'; readonly status: 'void' | 'uncollectible' }
  | { readonly type: 'mail'; readonly mail: 'payment_failed' | 'subscription_canceled' | 'trial_ending' }
  | { readonly type: 'announce'; readonly event: 'trial_ending' }

export type Outcome =
  | { readonly state: State; readonly effects: readonly Effect[] }
  | { readonly refused: RefusalCode }
  /** Nothing to do: it was done before, or does not matter any more. */
  | 'ignored'

export type RefusalCode =
  | 'SUBSCRIPTION_CANCELED'
  | 'SUBSCRIPTION_INCOMPLETE'
  | 'SUBSCRIPTION_PAUSED'
  | 'SUBSCRIPTION_PAST_DUE'
  | 'SUBSCRIPTION_NOT_ACTIVE'
  | 'NOTHING_TO_RESUME'
  | 'BILL_OPEN'
  | 'SAME_PLAN'
  | 'PERIOD_END_ONLY'

/** How long an unpaid first bill waits. */
const INCOMPLETE_MS = { provider: DAY_MS, hand: 14 * DAY_MS } as const
/** Days after the failed renewal at which it is tried again. */
export const RETRY_DAYS = [1, 3, 5, 7] as const
/** By hand: days after a renewal is due until it is overdue, and then until the end. */
const HAND_DUE_DAYS = 14
const HAND_END_DAYS = 7
const REMIND_MS = 3 * DAY_MS

/** When something happens by itself; null where only somebody can move it. */
export function dueAt(state: State): number | null {
  const { status, periodEnd, dunningAt, resumeAt, reminded } = state
  const times: (number | null)[] = [dunningAt]
  if (status === 'trialing') times.push(periodEnd, reminded ? null : periodEnd - REMIND_MS)
  if (status === 'active' || status === 'past_due') times.push(periodEnd)
  if (status === 'paused') times.push(resumeAt)
  const known = times.filter((time) => time !== null)
  return known.length === 0 || status === 'canceled' ? null : Math.min(...known)
}

const done = (state: State, ...effects: Effect[]): Outcome => ({ state, effects })
const refuse = (refused: RefusalCode): Outcome => ({ refused })

/** What a subscription begins as. */
export function begin(
  plan: PricedPlan,
  { now, collects, trialDays }: { now: number; collects: State['collects']; trialDays: number },
): { state: State; effects: readonly Effect[] } {
  const isTrial = trialDays > 0
  const trialEnd = isTrial ? now + trialDays * DAY_MS : null
  const anchor = trialEnd ?? now
  const state: State = {
    status: isTrial ? 'trialing' : 'incomplete',
    plan,
    nextPlan: null,
    collects,
    anchor,
    periods: isTrial ? 0 : plan.intervalCount,
    periodStart: now,
    periodEnd: trialEnd ?? addIntervals(anchor, plan.interval, plan.intervalCount),
    trialEnd,
    reminded: false,
    cancelAtPeriodEnd: false,
    pausedAt: null,
    resumeAt: null,
    openBill: isTrial ? null : 'first',
    billedPlan: null,
    dunningStep: 0,
    dunningSince: null,
    dunningAt: isTrial ? null : now + INCOMPLETE_MS[collects],
    cancelReason: null,
  }
  if (isTrial) return { state, effects: [{ type: 'grant' }] }
  const lines = [periodLine(plan, { start: state.periodStart, end: state.periodEnd })]
  return { state, effects: [{ type: 'bill', reason: 'first', lines, plan: null }] }
}

/** What an event makes of a subscription: the one place that decides it. Pure. */
export function next(state: State, event: Event, now: number): Outcome {
  if (state.status === 'canceled') return afterEnd(event)
  switch (event.type) {
    case 'due':
      return onDue(state, now)
    case 'bill_paid':
      return onPaid(state)
    case 'charge_failed':
      return onChargeFailed(state, now)
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
    return done({ ...state, reminded: true }, { type: 'announce', event: 'trial_ending' }, { type: 'mail', mail: 'trial_ending' })
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
    ...{ status: 'active', plan, nextPlan: null, anchor, periods, periodStart: period.start, periodEnd: period.end },
    ...{ openBill: 'renewal', dunningSince: now },
    dunningAt: state.collects === 'hand' ? now + HAND_DUE_DAYS * DAY_MS : null,
  }
  const bill: Effect = { type: 'bill', reason: 'renewal', lines: [periodLine(plan, period)], plan: null }
  const granted: Effect[] = state.nextPlan === null ? [] : [{ type: 'grant' }]
  const charge: Effect[] = state.collects === 'provider' ? [{ type: 'charge' }] : []
  return done(renewed, ...closing, ...granted, bill, ...charge)
}

function onDunning(state: State, now: number): Outcome {
  if (state.collects === 'provider') return done({ ...state, dunningAt: null }, { type: 'charge' })
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

function onChargeFailed(state: State, now: number): Outcome {
  if (state.openBill === 'change') return done(withoutBill(state), { type: 'close_bill', status: 'void' })
  // The first bill can still be paid in another way.
  if (state.openBill !== 'renewal' || state.collects === 'hand') return 'ignored'
  const days = RETRY_DAYS[state.dunningStep]
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
  if (state.openBill !== null && state.collects === 'provider') return refuse('BILL_OPEN')
  const changed: State = { ...state, plan, nextPlan: null }
  // A trial costs nothing on any plan.
  if (state.status === 'trialing') return done(changed, { type: 'grant' })
  if (!canProrate(state.plan, plan)) return refuse('PERIOD_END_ONLY')
  const lines = changeLines(state, plan, pricedAt ?? now)
  // What costs nothing more, or is billed by hand, takes effect at once; otherwise when its bill is paid.
  if (state.collects === 'hand' || sumOf(lines) <= 0)
    return done(changed, { type: 'bill', reason: 'change', lines, plan }, { type: 'grant' })
  return done({ ...state, openBill: 'change', billedPlan: plan }, { type: 'bill', reason: 'change', lines, plan }, { type: 'charge' })
}

/** What a change now costs: the lines that a preview shows and that the change charges. */
export const changeLines = (state: State, plan: PricedPlan, at: number): Line[] =>
  state.status === 'trialing'
    ? []
    : prorationLines(state.plan, plan, { start: state.periodStart, end: state.periodEnd }, Math.max(at, state.periodStart))
