import { DAY_MS } from './calendar.ts'
import { type Effect, HAND_DUE_DAYS, HAND_END_DAYS, NEW_BILL, type OpenBill, type State } from './state.ts'

const DUE_MS = HAND_DUE_DAYS * DAY_MS
const END_MS = HAND_END_DAYS * DAY_MS

/** The bill that an outcome writes, while it is not paid. */
export const newBill = (reason: OpenBill['reason'], now: number, more: Partial<OpenBill> = {}): OpenBill => ({
  ...{ id: NEW_BILL, reason, dueSince: now, plan: null, beginsPeriod: false, isOfPeriod: true },
  ...more,
})

/** Has nothing due because of bills any more. */
export const withoutDunning = (state: State): State => ({
  ...state,
  dunningStep: 0,
  dunningSince: null,
  dunningAt: null,
})

/** By hand the oldest open bill decides whether the subscription is overdue, and when it ends. */
export function byOldest(state: State, now: number): State {
  const { status, openBills, provider } = state
  if (provider !== null || (status !== 'active' && status !== 'past_due')) return state
  const [oldest] = openBills
  if (oldest === undefined) return { ...withoutDunning(state), status: 'active' }
  const overdueAt = oldest.dueSince + DUE_MS
  if (status === 'active' || overdueAt > now)
    return { ...withoutDunning(state), status: 'active', dunningAt: overdueAt }
  // The end of the subscription has been announced: not before.
  return { ...state, dunningAt: Math.max(state.dunningAt ?? 0, overdueAt + END_MS) }
}

/** Takes a bill out that is not open any more. What it decided is decided by the others. */
export function withoutBill(state: State, id: string, now: number): State {
  const openBills = state.openBills.filter((bill) => bill.id !== id)
  const isClosed = openBills.length === 0
  if (state.status === 'canceled')
    return { ...state, openBills, dunningAt: isClosed ? null : state.dunningAt }
  if (state.provider === null) return byOldest({ ...state, openBills }, now)
  return {
    ...withoutDunning(state),
    openBills,
    status: state.status === 'past_due' ? 'active' : state.status,
  }
}

/** What becomes of open bills with the end of a subscription. */
export type BillsAtEnd = 'void' | 'uncollectible' | 'time_used'

/**
 * Closes the open bills of a subscription that ends. `time_used`: by hand what was used is to be paid, within the usual
 * time; a first bill, and with a provider any bill, has nothing to it and is void.
 */
export function closeBills(
  state: State,
  now: number,
  how: BillsAtEnd,
): { state: State; effects: readonly Effect[] } {
  const { openBills, provider, periodEnd } = state
  const isKept = ({ reason }: OpenBill) => how === 'time_used' && provider === null && reason !== 'first'
  const kept = openBills.filter(isKept)
  const effects = openBills.flatMap((bill): Effect[] => {
    if (!isKept(bill))
      return [
        { type: 'close_bill', bill: bill.id, status: how === 'uncollectible' ? 'uncollectible' : 'void' },
      ]
    const until = state.pausedAt ?? now
    if (!bill.isOfPeriod || until >= periodEnd) return []
    return [
      { type: 'reduce_bill', bill: bill.id, until },
      { type: 'mail', mail: 'bill_reduced', bill: bill.id },
    ]
  })
  const dunningAt = kept.length === 0 ? null : now + DUE_MS + END_MS
  return { state: { ...withoutDunning(state), openBills: kept, dunningAt }, effects }
}
