import { DEFAULT_SETTINGS } from '../../settings/settings.ts'
import { begin } from '../begin.ts'
import { DAY_MS } from './calendar.ts'
import { next } from './machine.ts'
import { newBill } from './open-bills.ts'
import type { PaidLine, PricedPlan } from './prices.ts'
import {
  type BillReason,
  type Event,
  NEW_BILL,
  type OpenBill,
  type Outcome,
  type State,
  type Status,
} from './state.ts'

export const plan = (
  id: string,
  rank: number,
  priceMinor: number,
  more: Partial<PricedPlan> = {},
): PricedPlan => ({
  ...{ id, version: 1, name: id, rank, priceMinor, currency: 'eur', interval: 'month', intervalCount: 1 },
  ...more,
})
export const low = plan('low', 10, 1_000)
export const high = plan('high', 20, 3_000)
/** The id of the bill that is open in `stateOf`. */
export const BILL = 'bill'
/** With the retries of a project that has set none. */
export const CHARGE_FAILED = {
  ...({ type: 'charge_failed', bill: BILL, retryDays: DEFAULT_SETTINGS.retry_days } as const),
}
/** An open bill. */
export const openBill = (reason: BillReason, more: Partial<OpenBill> = {}): OpenBill =>
  newBill(reason, START, { id: BILL, ...more })
export const START = Date.UTC(2026, 0, 1)
export const MID = START + 15 * DAY_MS

/** The line that paid for the whole period. */
export const paidLine = ({ plan, periodStart, periodEnd }: State): PaidLine => ({
  id: `line of ${plan.id}`,
  planId: plan.id,
  name: plan.name,
  lengthMs: periodEnd - periodStart,
  amountMinor: plan.priceMinor,
  paidMinor: plan.priceMinor,
})

/** A subscription in each state, in the middle of its period. */
export function stateOf(status: Status, more: Partial<State> = {}): State {
  const { state } = begin(low, {
    now: START,
    provider: 'stripe',
    trialDays: status === 'trialing' ? 31 : 0,
  })
  const paidUp: State = { ...state, openBills: [], dunningAt: null, paidLines: [paidLine(state)] }
  const states: Record<Status, State> = {
    incomplete: { ...state, openBills: [openBill('first')] },
    trialing: state,
    active: { ...paidUp, status: 'active' },
    past_due: {
      ...paidUp,
      ...{
        status: 'past_due',
        openBills: [openBill('renewal')],
        dunningStep: 1,
        dunningSince: START,
        dunningAt: START + DAY_MS,
      },
    },
    paused: { ...paidUp, status: 'paused', pausedAt: START + 10 * DAY_MS },
    canceled: { ...paidUp, status: 'canceled', cancelReason: 'canceled' },
  }
  return { ...states[status], ...more }
}

/** What an outcome amounts to: the new status and what is done, the refusal, or that it is ignored. */
export const summaryOf = (outcome: Outcome): string => {
  if (outcome === 'ignored') return 'ignored'
  if ('refused' in outcome) return outcome.refused
  return [outcome.state.status, ...outcome.effects.map((effect) => effect.type)].join(' ')
}

/** A state with its bill under the id of the tests. */
const withBill = (state: State): State => ({
  ...state,
  openBills: state.openBills.map((bill) => (bill.id === NEW_BILL ? { ...bill, id: BILL } : bill)),
})

/** The state after an event that must be taken. A bill that it writes has the id of the tests. */
export function taken(state: State, event: Event, now: number): State {
  const outcome = next(state, event, now)
  if (outcome === 'ignored' || 'refused' in outcome) throw new Error(summaryOf(outcome))
  return withBill(outcome.state)
}
