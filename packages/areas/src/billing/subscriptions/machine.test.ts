import { describe, expect, test } from 'vitest'
import { addIntervals, DAY_MS } from './calendar.ts'
import { begin, dueAt, EVENT_TYPES, type Event, next, type Outcome, type State, STATUSES, type Status } from './machine.ts'
import type { PricedPlan } from './prices.ts'

const plan = (id: string, rank: number, priceMinor: number, more: Partial<PricedPlan> = {}): PricedPlan => ({
  ...{ id, version: 1, name: id, rank, priceMinor, currency: 'eur', interval: 'month', intervalCount: 1 },
  ...more,
})
const low = plan('low', 10, 1_000)
const high = plan('high', 20, 3_000)
const START = Date.UTC(2026, 0, 1)
const MID = START + 15 * DAY_MS

/** A subscription in each state, in the middle of its period. */
function stateOf(status: Status, more: Partial<State> = {}): State {
  const { state } = begin(low, { now: START, collects: 'provider', trialDays: status === 'trialing' ? 31 : 0 })
  const settled: State = { ...state, openBill: null, dunningAt: null }
  const states: Record<Status, State> = {
    incomplete: state,
    trialing: state,
    active: { ...settled, status: 'active' },
    past_due: {
      ...settled,
      ...{ status: 'past_due', openBill: 'renewal', dunningStep: 1, dunningSince: START, dunningAt: START + DAY_MS },
    },
    paused: { ...settled, status: 'paused', pausedAt: START + 10 * DAY_MS },
    canceled: { ...settled, status: 'canceled', cancelReason: 'canceled' },
  }
  return { ...states[status], ...more }
}

const EVENTS: Record<(typeof EVENT_TYPES)[number], Event> = {
  due: { type: 'due' },
  bill_paid: { type: 'bill_paid' },
  charge_failed: { type: 'charge_failed' },
  bill_voided: { type: 'bill_voided' },
  cancel: { type: 'cancel', at: 'now' },
  pause: { type: 'pause', until: null },
  resume: { type: 'resume' },
  change: { type: 'change', plan: high, at: 'now' },
  override: { type: 'override', reason: 'operator' },
}

/** What an outcome amounts to: the new status and what is done, the refusal, or that it is ignored. */
const told = (outcome: Outcome): string => {
  if (outcome === 'ignored') return 'ignored'
  if ('refused' in outcome) return outcome.refused
  return [outcome.state.status, ...outcome.effects.map((effect) => effect.type)].join(' ')
}

/** Every cell: a state in the middle of its period, and an event. */
const CELLS: Record<Status, Record<keyof typeof EVENTS, string>> = {
  incomplete: {
    due: 'canceled close_bill',
    bill_paid: 'active grant',
    charge_failed: 'ignored',
    bill_voided: 'canceled',
    cancel: 'canceled close_bill',
    pause: 'SUBSCRIPTION_INCOMPLETE',
    resume: 'SUBSCRIPTION_INCOMPLETE',
    change: 'SUBSCRIPTION_INCOMPLETE',
    override: 'canceled close_bill',
  },
  trialing: {
    due: 'ignored',
    bill_paid: 'ignored',
    charge_failed: 'ignored',
    bill_voided: 'ignored',
    cancel: 'canceled revoke',
    pause: 'SUBSCRIPTION_NOT_ACTIVE',
    resume: 'NOTHING_TO_RESUME',
    change: 'trialing grant',
    override: 'canceled revoke',
  },
  active: {
    due: 'ignored',
    bill_paid: 'ignored',
    charge_failed: 'ignored',
    bill_voided: 'ignored',
    cancel: 'canceled revoke',
    pause: 'paused revoke',
    resume: 'NOTHING_TO_RESUME',
    change: 'active bill charge',
    override: 'canceled revoke',
  },
  past_due: {
    due: 'past_due charge',
    bill_paid: 'active',
    charge_failed: 'past_due mail',
    bill_voided: 'active',
    cancel: 'canceled close_bill revoke',
    pause: 'SUBSCRIPTION_PAST_DUE',
    resume: 'NOTHING_TO_RESUME',
    change: 'SUBSCRIPTION_PAST_DUE',
    override: 'canceled close_bill revoke',
  },
  paused: {
    due: 'ignored',
    bill_paid: 'ignored',
    charge_failed: 'ignored',
    bill_voided: 'ignored',
    cancel: 'canceled revoke',
    pause: 'SUBSCRIPTION_PAUSED',
    resume: 'active grant',
    change: 'SUBSCRIPTION_PAUSED',
    override: 'canceled revoke',
  },
  canceled: {
    due: 'ignored',
    bill_paid: 'ignored',
    charge_failed: 'ignored',
    bill_voided: 'ignored',
    cancel: 'SUBSCRIPTION_CANCELED',
    pause: 'SUBSCRIPTION_CANCELED',
    resume: 'SUBSCRIPTION_CANCELED',
    change: 'SUBSCRIPTION_CANCELED',
    override: 'ignored',
  },
}

describe.each(STATUSES)('a subscription that is %s', (status) => {
  test.each(EVENT_TYPES)('answers %s as the table says', (type) => {
    expect(told(next(stateOf(status), EVENTS[type], MID))).toBe(CELLS[status][type])
  })
})

/** The state after an event that must be taken. */
function after(state: State, event: Event, now: number): State {
  const outcome = next(state, event, now)
  if (outcome === 'ignored' || 'refused' in outcome) throw new Error(told(outcome))
  return outcome.state
}

describe('time', () => {
  test('months are counted in UTC from the anchor: 31 January, 28 February, 31 March', () => {
    const anchor = Date.UTC(2026, 0, 31, 12)
    const ends = [1, 2, 3, 13].map((count) => new Date(addIntervals(anchor, 'month', count)).toISOString())
    expect(ends).toEqual([
      '2026-02-28T12:00:00.000Z',
      '2026-03-31T12:00:00.000Z',
      '2026-04-30T12:00:00.000Z',
      '2027-02-28T12:00:00.000Z',
    ])
    expect(new Date(addIntervals(Date.UTC(2028, 1, 29), 'year', 1)).toISOString()).toBe('2029-02-28T00:00:00.000Z')
  })

  test('a period’s end renews once, however late, and the period begins where the last one ended', () => {
    const state = stateOf('active')
    const late = state.periodEnd + 7 * DAY_MS
    const renewed = after(state, { type: 'due' }, late)
    expect(renewed).toMatchObject({ status: 'active', periodStart: state.periodEnd, openBill: 'renewal' })
    expect(next(renewed, { type: 'due' }, late)).toBe('ignored')
  })

  test('a cancellation at the period’s end ends it then, and can be taken back before', () => {
    const flagged = after(stateOf('active'), { type: 'cancel', at: 'period_end' }, MID)
    expect(told(next(flagged, { type: 'due' }, flagged.periodEnd))).toBe('canceled revoke')
    const back = after(flagged, { type: 'resume' }, MID)
    expect(told(next(back, { type: 'due' }, back.periodEnd))).toBe('active bill charge')
  })

  test('a trial reminds once, three days before its end, and bills from its end on', () => {
    const trial = stateOf('trialing')
    expect(dueAt(trial)).toBe(trial.periodEnd - 3 * DAY_MS)
    const reminded = after(trial, { type: 'due' }, trial.periodEnd - 3 * DAY_MS)
    expect(dueAt(reminded)).toBe(trial.periodEnd)
    const renewed = after(reminded, { type: 'due' }, trial.periodEnd)
    expect([renewed.periodStart, renewed.periodEnd]).toEqual([Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)])
  })

  test('a pause adds its length to the period, and its end wakes it', () => {
    const active = stateOf('active')
    const paused = after(active, { type: 'pause', until: MID + 10 * DAY_MS }, MID)
    expect(dueAt(paused)).toBe(MID + 10 * DAY_MS)
    const resumed = after(paused, { type: 'due' }, MID + 10 * DAY_MS)
    expect(resumed.periodEnd - active.periodEnd).toBe(10 * DAY_MS)
    expect(resumed.periodEnd - resumed.periodStart).toBe(active.periodEnd - active.periodStart)
  })

  test('a failed renewal is tried again after 1, 3, 5 and 7 days, and then ends', () => {
    const renewed = after(stateOf('active'), { type: 'due' }, stateOf('active').periodEnd)
    const since = renewed.periodStart
    let state = after(renewed, { type: 'charge_failed' }, since)
    const tried: number[] = []
    while (state.status === 'past_due') {
      const at = state.dunningAt ?? 0
      tried.push((at - since) / DAY_MS)
      state = after(after(state, { type: 'due' }, at), { type: 'charge_failed' }, at)
    }
    expect(tried).toEqual([1, 3, 5, 7])
    expect(state).toMatchObject({ status: 'canceled', cancelReason: 'unpaid' })
  })

  test('by hand a renewal is overdue after 14 days and ends 7 days later', () => {
    const active = stateOf('active', { collects: 'hand' })
    const renewed = after(active, { type: 'due' }, active.periodEnd)
    expect(dueAt(renewed)).toBe(active.periodEnd + 14 * DAY_MS)
    const overdue = after(renewed, { type: 'due' }, active.periodEnd + 14 * DAY_MS)
    expect(overdue.status).toBe('past_due')
    expect(told(next(overdue, { type: 'due' }, active.periodEnd + 21 * DAY_MS))).toBe('canceled close_bill revoke mail')
  })
})

describe('a change', () => {
  test('by hand takes effect at once, with a provider when its bill is paid, and not at all when it is not', () => {
    const hand = after(stateOf('active', { collects: 'hand' }), EVENTS.change, MID)
    expect(hand.plan.id).toBe('high')
    const waiting = after(stateOf('active'), EVENTS.change, MID)
    expect(waiting).toMatchObject({ plan: { id: 'low' }, openBill: 'change' })
    expect(after(waiting, { type: 'bill_paid' }, MID).plan.id).toBe('high')
    const failed = after(waiting, { type: 'charge_failed' }, MID)
    expect(failed).toMatchObject({ plan: { id: 'low' }, openBill: null, status: 'active' })
  })

  test('to a plan of another currency or interval waits for the period’s end, and is counted from there', () => {
    const yearly = plan('yearly', 30, 9_000, { interval: 'year' })
    expect(told(next(stateOf('active'), { type: 'change', plan: yearly, at: 'now' }, MID))).toBe('PERIOD_END_ONLY')
    const dollars = plan('dollars', 30, 9_000, { currency: 'usd' })
    expect(told(next(stateOf('active'), { type: 'change', plan: dollars, at: 'now' }, MID))).toBe('PERIOD_END_ONLY')
    const waiting = after(stateOf('active'), { type: 'change', plan: yearly, at: 'period_end' }, MID)
    const renewed = after(waiting, { type: 'due' }, waiting.periodEnd)
    expect(new Date(renewed.periodEnd).toISOString()).toBe('2027-02-01T00:00:00.000Z')
  })

  test('waits for a bill that is open with a provider', () => {
    expect(told(next(stateOf('active', { openBill: 'renewal' }), EVENTS.change, MID))).toBe('BILL_OPEN')
    expect(told(next(stateOf('active', { openBill: 'renewal' }), EVENTS.pause, MID))).toBe('BILL_OPEN')
  })
})
