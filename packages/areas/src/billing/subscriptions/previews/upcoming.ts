import type { Static } from 'typebox'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { BalanceOf } from '../../credit/ledger.ts'
import { type DraftBill, toDecision } from '../machine/decide.ts'
import { next } from '../machine/machine.ts'
import type { State } from '../machine/state.ts'
import type { SubscriptionRow } from '../queries.ts'
import { iso, toState } from '../rows.ts'
import type { PreviewLine, UpcomingBill } from '../schema.ts'

/** Lines of a bill that is not made yet, as clients see them. */
export const toPreviewLines = ({ lines, bill }: DraftBill): Static<typeof PreviewLine>[] =>
  lines.map((line) => ({
    kind: line.kind as 'period' | 'proration' | 'credit',
    description: line.description,
    plan_id: line.plan_id === null ? null : toId('plan', line.plan_id),
    period_start: line.period_start,
    period_end: line.period_end,
    amount: fromMinor(line.amount_minor, bill.currency),
  }))

/**
 * The state in which the period ends, as things stand, if open bills are paid until then. Undefined where nobody knows
 * when.
 */
function beforeRenewal(state: State): State | undefined {
  const { status, cancelAtPeriodEnd, resumeAt } = state
  if (status === 'canceled' || cancelAtPeriodEnd || state.suspended !== null) return undefined
  if (status !== 'paused') return { ...state, openBills: [], dunningAt: null, status: 'active' }
  const resumed = resumeAt === null ? 'ignored' : next(state, { type: 'resume' }, resumeAt)
  return resumed === 'ignored' || 'refused' in resumed
    ? undefined
    : { ...resumed.state, openBills: [], dunningAt: null }
}

/**
 * The bill of the next period as things stand: with the plan that comes then, and with what the member has in hand now.
 * @returns null where none is made: the subscription ends, or is paused until somebody resumes it
 */
export function upcomingBill(
  row: SubscriptionRow,
  state: State,
  balanceOf: BalanceOf,
): Static<typeof UpcomingBill> | null {
  const ready = beforeRenewal(state)
  if (ready === undefined) return null
  const now = ready.periodEnd
  const outcome = next(ready, { type: 'due' }, now)
  if (outcome === 'ignored' || 'refused' in outcome) return null
  const before = { fromStatus: ready.status, event: { type: 'due' }, plan: ready.plan } as const
  const { bill, state: renewed } = toDecision(row, before, outcome, { now, balanceOf })
  if (bill === undefined) return null
  return {
    date: iso(now),
    plan_id: toId('plan', renewed.plan.id),
    lines: toPreviewLines(bill),
    total: fromMinor(bill.bill.total_minor, bill.bill.currency),
    currency: bill.bill.currency,
  }
}

/** The next bill of a subscription as it stands. @param balances what its member has in hand */
export function upcomingOf(
  row: SubscriptionRow,
  balances: readonly { currency: string; amount_minor: number }[],
): Static<typeof UpcomingBill> | null {
  const amountIn = (currency: string) =>
    balances.find((balance) => balance.currency === currency)?.amount_minor ?? 0
  return upcomingBill(row, toState(row), (_, currency) => amountIn(currency))
}
