import { describe, expect, test } from 'vitest'
import { addIntervals, DAY_MS } from './calendar.ts'
import { next } from './machine.ts'
import { EVENT_TYPES, type Event, type Outcome, STATUSES, type Status } from './state.ts'
import {
  BILL,
  CHARGE_FAILED,
  high,
  MID,
  openBill,
  plan,
  START,
  stateOf,
  summaryOf,
  taken,
} from './states.fixture.ts'

const EVENTS: Record<(typeof EVENT_TYPES)[number], Event> = {
  due: { type: 'due' },
  bill_paid: { type: 'bill_paid', bill: BILL },
  charge_failed: CHARGE_FAILED,
  bill_voided: { type: 'bill_voided', bill: BILL },
  cancel: { type: 'cancel', at: 'now' },
  pause: { type: 'pause', until: null },
  resume: { type: 'resume' },
  change: { type: 'change', plan: high, at: 'now' },
  override: { type: 'override', reason: 'operator' },
  member_deleted: { type: 'member_deleted' },
  member_restored: { type: 'member_restored' },
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
    member_deleted: 'paused stop_payments',
    member_restored: 'ignored',
  },
  trialing: {
    due: 'ignored',
    bill_paid: 'ignored',
    charge_failed: 'ignored',
    bill_voided: 'ignored',
    cancel: 'canceled revoke',
    pause: 'SUBSCRIPTION_NOT_ACTIVE',
    resume: 'NOTHING_TO_RESUME',
    change: 'trialing bill charge',
    override: 'canceled revoke',
    member_deleted: 'paused stop_payments revoke',
    member_restored: 'ignored',
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
    member_deleted: 'paused stop_payments revoke',
    member_restored: 'ignored',
  },
  past_due: {
    due: 'past_due charge',
    bill_paid: 'active',
    charge_failed: 'ignored',
    bill_voided: 'active',
    cancel: 'canceled close_bill revoke',
    pause: 'SUBSCRIPTION_PAST_DUE',
    resume: 'NOTHING_TO_RESUME',
    change: 'BILL_OPEN',
    override: 'canceled close_bill revoke',
    member_deleted: 'paused stop_payments revoke',
    member_restored: 'ignored',
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
    member_deleted: 'paused stop_payments',
    member_restored: 'ignored',
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
    member_deleted: 'ignored',
    member_restored: 'ignored',
  },
}

/** By hand, with the bill of a change that has taken effect and is not paid. */
const BY_HAND: Partial<Record<Status, Record<keyof typeof EVENTS, string>>> = {
  active: {
    due: 'past_due mail',
    bill_paid: 'active',
    charge_failed: 'ignored',
    bill_voided: 'active',
    cancel: 'canceled reduce_bill mail revoke',
    pause: 'BILL_OPEN',
    resume: 'NOTHING_TO_RESUME',
    change: 'BILL_OPEN',
    override: 'canceled reduce_bill mail revoke',
    member_deleted: 'paused stop_payments revoke',
    member_restored: 'ignored',
  },
  past_due: {
    due: 'canceled close_bill revoke mail',
    bill_paid: 'active',
    charge_failed: 'ignored',
    bill_voided: 'active',
    cancel: 'canceled reduce_bill mail revoke',
    pause: 'SUBSCRIPTION_PAST_DUE',
    resume: 'NOTHING_TO_RESUME',
    change: 'BILL_OPEN',
    override: 'canceled reduce_bill mail revoke',
    member_deleted: 'paused stop_payments revoke',
    member_restored: 'ignored',
  },
  // Its bill was reduced, and is given up when its time comes.
  canceled: {
    due: 'canceled close_bill',
    bill_paid: 'canceled',
    charge_failed: 'ignored',
    bill_voided: 'canceled',
    cancel: 'SUBSCRIPTION_CANCELED',
    pause: 'SUBSCRIPTION_CANCELED',
    resume: 'SUBSCRIPTION_CANCELED',
    change: 'SUBSCRIPTION_CANCELED',
    override: 'ignored',
    member_deleted: 'ignored',
    member_restored: 'ignored',
  },
}

describe.each(['active', 'past_due', 'canceled'] as const)(
  'by hand one with an open bill that is %s',
  (status) => {
    const state = stateOf(status, {
      provider: null,
      openBills: [openBill('change')],
      dunningAt: START + DAY_MS,
    })
    test.each(EVENT_TYPES)('answers %s as the table says', (type) => {
      expect(summaryOf(next(state, EVENTS[type], MID))).toBe(BY_HAND[status]?.[type])
    })
  },
)

describe.each(STATUSES)('a subscription that is %s', (status) => {
  test.each(EVENT_TYPES)('answers %s as the table says', (type) => {
    expect(summaryOf(next(stateOf(status), EVENTS[type], MID))).toBe(CELLS[status][type])
  })
})

test('a retry that fails counts; a charge that fails before the next retry does not', () => {
  const tried = stateOf('past_due', { dunningAt: null })
  expect(summaryOf(next(tried, EVENTS.charge_failed, MID))).toBe('past_due mail')
  expect(summaryOf(next(stateOf('past_due'), EVENTS.charge_failed, MID))).toBe('ignored')
})

describe('a change now while trialing', () => {
  const trial = stateOf('trialing')
  const to = (trialDays: number) => next(trial, { type: 'change', plan: high, at: 'now', trialDays }, MID)
  const stateAfter = (outcome: Outcome) =>
    outcome === 'ignored' || 'refused' in outcome ? trial : outcome.state

  test('goes on as a trial where the member has an unused one of the plan, to the earlier end', () => {
    expect(summaryOf(to(90))).toBe('trialing try grant')
    expect(stateAfter(to(90))).toMatchObject({
      plan: high,
      trialEnd: trial.trialEnd,
      periodEnd: trial.periodEnd,
    })
    const shorter = stateAfter(to(5))
    expect([shorter.trialEnd, shorter.periodEnd, shorter.anchor]).toEqual(Array(3).fill(MID + 5 * DAY_MS))
  })

  test('otherwise begins with a bill: by hand at once, with a provider when it is paid', () => {
    const byHand = next({ ...trial, provider: null }, { type: 'change', plan: high, at: 'now' }, MID)
    expect(summaryOf(byHand)).toBe('active bill grant')
    const begun = { plan: high, periodStart: MID, periodEnd: addIntervals(MID, 'month', 1), trialEnd: MID }
    expect(stateAfter(byHand)).toMatchObject(begun)
    const waiting = taken(trial, { type: 'change', plan: high, at: 'now' }, MID)
    expect(waiting).toMatchObject({ status: 'trialing', plan: { id: 'low' }, periodEnd: trial.periodEnd })
    const paid = taken(waiting, { type: 'bill_paid', bill: BILL }, MID + DAY_MS)
    expect(paid).toMatchObject({ ...begun, status: 'active', openBills: [] })
    const failed = taken(waiting, CHARGE_FAILED, MID + DAY_MS)
    expect(failed).toMatchObject({ status: 'trialing', plan: { id: 'low' }, openBills: [] })
  })
})

test('a change at the period’s end that is asked for after one now, which is not paid yet, comes after it', () => {
  const later = { type: 'change', plan: plan('later', 5, 500), at: 'period_end' } as const
  const now = { type: 'change', plan: high, at: 'now' } as const
  const asked = taken(taken(stateOf('active'), now, MID), later, MID)
  expect(taken(asked, { type: 'bill_paid', bill: BILL }, MID)).toMatchObject({
    plan: high,
    nextPlan: { id: 'later' },
  })
  const replaced = taken(taken(stateOf('active'), later, MID), now, MID)
  expect(taken(replaced, { type: 'bill_paid', bill: BILL }, MID)).toMatchObject({
    plan: high,
    nextPlan: null,
  })
  expect(taken(replaced, CHARGE_FAILED, MID)).toMatchObject({
    plan: { id: 'low' },
    nextPlan: { id: 'later' },
  })
})
