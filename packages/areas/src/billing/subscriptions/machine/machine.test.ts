import { describe, expect, test } from 'vitest'
import { next } from './machine.ts'
import { EVENT_TYPES, type Event, STATUSES, type Status } from './state.ts'
import { CHARGE_FAILED, high, MID, stateOf, told } from './states.fixture.ts'

const EVENTS: Record<(typeof EVENT_TYPES)[number], Event> = {
  due: { type: 'due' },
  bill_paid: { type: 'bill_paid' },
  charge_failed: CHARGE_FAILED,
  bill_voided: { type: 'bill_voided' },
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
    change: 'trialing grant',
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
    change: 'SUBSCRIPTION_PAST_DUE',
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

describe.each(STATUSES)('a subscription that is %s', (status) => {
  test.each(EVENT_TYPES)('answers %s as the table says', (type) => {
    expect(told(next(stateOf(status), EVENTS[type], MID))).toBe(CELLS[status][type])
  })
})

test('a retry that fails counts; a charge that fails before the next retry does not', () => {
  const tried = stateOf('past_due', { dunningAt: null })
  expect(told(next(tried, EVENTS.charge_failed, MID))).toBe('past_due mail')
  expect(told(next(stateOf('past_due'), EVENTS.charge_failed, MID))).toBe('ignored')
})
