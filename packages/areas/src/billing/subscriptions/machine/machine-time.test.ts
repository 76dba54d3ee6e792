import { describe, expect, test } from 'vitest'
import { addIntervals, DAY_MS } from './calendar.ts'
import { next } from './machine.ts'
import { dueAt, type Event } from './state.ts'
import {
  BILL,
  CHARGE_FAILED,
  high,
  MID,
  openBill,
  plan,
  stateOf,
  summaryOf,
  taken,
} from './states.fixture.ts'

const CHANGE: Event = { type: 'change', plan: high, at: 'now' }

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
    expect(new Date(addIntervals(Date.UTC(2028, 1, 29), 'year', 1)).toISOString()).toBe(
      '2029-02-28T00:00:00.000Z',
    )
  })

  test('a period’s end renews once, however late, and the period begins where the last one ended', () => {
    const state = stateOf('active')
    const late = state.periodEnd + 7 * DAY_MS
    const renewed = taken(state, { type: 'due' }, late)
    expect(renewed).toMatchObject({
      status: 'active',
      periodStart: state.periodEnd,
      openBills: [{ reason: 'renewal' }],
    })
    expect(next(renewed, { type: 'due' }, late)).toBe('ignored')
  })

  test('a cancellation at the period’s end ends it then, and can be taken back before', () => {
    const flagged = taken(stateOf('active'), { type: 'cancel', at: 'period_end' }, MID)
    expect(summaryOf(next(flagged, { type: 'due' }, flagged.periodEnd))).toBe('canceled revoke')
    const back = taken(flagged, { type: 'resume' }, MID)
    expect(summaryOf(next(back, { type: 'due' }, back.periodEnd))).toBe('active bill charge')
  })

  test('a trial reminds once, three days before its end, and bills from its end on', () => {
    const trial = stateOf('trialing')
    expect(dueAt(trial)).toBe(trial.periodEnd - 3 * DAY_MS)
    const reminded = taken(trial, { type: 'due' }, trial.periodEnd - 3 * DAY_MS)
    expect(dueAt(reminded)).toBe(trial.periodEnd)
    const renewed = taken(reminded, { type: 'due' }, trial.periodEnd)
    expect([renewed.periodStart, renewed.periodEnd]).toEqual([Date.UTC(2026, 1, 1), Date.UTC(2026, 2, 1)])
  })

  test('a pause adds its length to the period, and its end resumes the subscription', () => {
    const active = stateOf('active')
    const paused = taken(active, { type: 'pause', until: MID + 10 * DAY_MS }, MID)
    expect(dueAt(paused)).toBe(MID + 10 * DAY_MS)
    const resumed = taken(paused, { type: 'due' }, MID + 10 * DAY_MS)
    expect(resumed.periodEnd - active.periodEnd).toBe(10 * DAY_MS)
    expect(resumed.periodEnd - resumed.periodStart).toBe(active.periodEnd - active.periodStart)
  })

  test('a failed renewal is tried again after 1, 3, 5 and 7 days, and then ends', () => {
    const renewed = taken(stateOf('active'), { type: 'due' }, stateOf('active').periodEnd)
    const since = renewed.periodStart
    let state = taken(renewed, CHARGE_FAILED, since)
    const tried: number[] = []
    while (state.status === 'past_due') {
      const at = state.dunningAt ?? 0
      tried.push((at - since) / DAY_MS)
      state = taken(taken(state, { type: 'due' }, at), CHARGE_FAILED, at)
    }
    expect(tried).toEqual([1, 3, 5, 7])
    expect(state).toMatchObject({ status: 'canceled', cancelReason: 'unpaid' })
  })

  test('by hand a renewal is overdue after 14 days and ends 7 days later', () => {
    const active = stateOf('active', { provider: null })
    const renewed = taken(active, { type: 'due' }, active.periodEnd)
    expect(dueAt(renewed)).toBe(active.periodEnd + 14 * DAY_MS)
    const overdue = taken(renewed, { type: 'due' }, active.periodEnd + 14 * DAY_MS)
    expect(overdue.status).toBe('past_due')
    expect(summaryOf(next(overdue, { type: 'due' }, active.periodEnd + 21 * DAY_MS))).toBe(
      'canceled close_bill revoke mail',
    )
  })
})

describe('a change', () => {
  test('by hand takes effect at once, with a provider when its bill is paid, and not at all when it is not', () => {
    const hand = taken(stateOf('active', { provider: null }), CHANGE, MID)
    expect(hand.plan.id).toBe('high')
    const waiting = taken(stateOf('active'), CHANGE, MID)
    expect(waiting).toMatchObject({ plan: { id: 'low' }, openBills: [{ reason: 'change' }] })
    expect(taken(waiting, { type: 'bill_paid', bill: BILL }, MID).plan.id).toBe('high')
    const failed = taken(waiting, CHARGE_FAILED, MID)
    expect(failed).toMatchObject({ plan: { id: 'low' }, openBills: [], status: 'active' })
  })

  test('to a plan of another currency or interval waits for the period’s end, and is counted from there', () => {
    const yearly = plan('yearly', 30, 9_000, { interval: 'year' })
    expect(summaryOf(next(stateOf('active'), { type: 'change', plan: yearly, at: 'now' }, MID))).toBe(
      'PERIOD_END_ONLY',
    )
    const dollars = plan('dollars', 30, 9_000, { currency: 'usd' })
    expect(summaryOf(next(stateOf('active'), { type: 'change', plan: dollars, at: 'now' }, MID))).toBe(
      'PERIOD_END_ONLY',
    )
    const waiting = taken(stateOf('active'), { type: 'change', plan: yearly, at: 'period_end' }, MID)
    const renewed = taken(waiting, { type: 'due' }, waiting.periodEnd)
    expect(new Date(renewed.periodEnd).toISOString()).toBe('2027-02-01T00:00:00.000Z')
  })

  test('waits for a bill that is open with a provider', () => {
    expect(summaryOf(next(stateOf('active', { openBills: [openBill('renewal')] }), CHANGE, MID))).toBe(
      'BILL_OPEN',
    )
    expect(
      summaryOf(
        next(stateOf('active', { openBills: [openBill('renewal')] }), { type: 'pause', until: null }, MID),
      ),
    ).toBe('BILL_OPEN')
  })
})
