import type { Effect, Event, Outcome, State } from './state.ts'

type Suspended = NonNullable<State['suspended']>
type Next = (state: State, event: Event, now: number) => Outcome

/** Has a subscription stand still, because its member was deleted and can be restored. */
export function suspend(state: State, now: number): Outcome {
  const { status } = state
  const effects: Effect[] = [{ type: 'stop_payments' }]
  if (status !== 'incomplete' && status !== 'paused') effects.push({ type: 'revoke' })
  const pausedAt = status === 'paused' ? state.pausedAt : now
  return { state: { ...state, status: 'paused', pausedAt, suspended: { since: now, status } }, effects }
}

/** Has it go on where it stood when its member was deleted: every moment that lay ahead lies that much later. */
function reinstate(state: State, suspended: Suspended, now: number): Outcome {
  const by = now - suspended.since
  const later = (time: number | null) => (time === null ? null : time + by)
  const was = asBefore(state, suspended)
  const dunning = { dunningSince: later(was.dunningSince), dunningAt: later(was.dunningAt) }
  const openBills = was.openBills.map((bill) => ({ ...bill, dueSince: bill.dueSince + by }))
  const bills: Effect = { type: 'move_bills', byMs: by }
  // Its own pause moves the period when it ends, by all of its length.
  if (was.status === 'paused')
    return { state: { ...was, ...dunning, openBills, resumeAt: later(was.resumeAt) }, effects: [bills] }
  const periodEnd = was.periodEnd + by
  const moved: State = {
    ...was,
    ...dunning,
    openBills,
    ...{ periodStart: was.periodStart + by, periodEnd, anchor: periodEnd, periods: 0 },
    trialEnd: was.status === 'trialing' ? later(was.trialEnd) : was.trialEnd,
  }
  const effects: Effect[] = [bills]
  if (was.status !== 'incomplete') effects.push({ type: 'grant' })
  // The charge that was under way was ended.
  const waiting = was.openBills.find(({ reason }) => reason !== 'first')
  if (was.provider !== null && waiting !== undefined && was.dunningAt === null)
    effects.push({ type: 'charge', bill: waiting.id })
  return { state: moved, effects }
}

/** What an event makes of a subscription that stands still. Money that comes counts; nothing is asked for or given. */
export function nextWhileSuspended(
  state: State,
  suspended: Suspended,
  event: Event,
  { now, next }: { now: number; next: Next },
): Outcome {
  const { type } = event
  if (type === 'member_restored') return reinstate(state, suspended, now)
  if (type === 'due' || type === 'member_deleted') return 'ignored'
  if (type === 'pause' || type === 'resume' || type === 'change') return { refused: 'MEMBER_DELETED' }
  const outcome = next(asBefore(state, suspended), event, now)
  if (outcome === 'ignored' || 'refused' in outcome) return outcome
  const effects = outcome.effects.flatMap((effect): Effect[] => {
    if (effect.type === 'reduce_bill') return [{ ...effect, until: Math.min(effect.until, suspended.since) }]
    return effect.type === 'close_bill' || effect.type === 'revoke' ? [effect] : []
  })
  const { status } = outcome.state
  if (status === 'canceled') return { state: outcome.state, effects }
  const { pausedAt } = state
  return {
    state: { ...outcome.state, status: 'paused', pausedAt, suspended: { ...suspended, status } },
    effects,
  }
}

const asBefore = (state: State, { status }: Suspended): State => ({
  ...state,
  status,
  pausedAt: status === 'paused' ? state.pausedAt : null,
  suspended: null,
})
