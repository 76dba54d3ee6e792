import { DAY_MS } from './machine/calendar.ts'
import { dueAt, HAND_DUE_DAYS, type OpenBill, type State } from './machine/state.ts'
import type { StoredSubscription, SubscriptionRow } from './queries.ts'

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time))
export const iso = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

/** By hand a change has taken effect before its bill is paid, and so has a period. */
const openBillsOf = ({ open_bills = [], provider }: SubscriptionRow): readonly OpenBill[] =>
  provider === null ? open_bills.map((bill) => ({ ...bill, plan: null, beginsPeriod: false })) : open_bills

/** By hand the dates follow from the bills, as far as nothing was announced to the member. */
function dunningOf(row: SubscriptionRow): number | null {
  const { provider, status } = row
  const isByBills =
    provider === null && row.suspended_at === null && (status === 'active' || status === 'paused')
  if (!isByBills) return ms(row.dunning_at)
  const [oldest] = row.open_bills ?? []
  return oldest === undefined || status === 'paused' ? null : oldest.dueSince + HAND_DUE_DAYS * DAY_MS
}

/** What the state machine reads of a row that is locked. */
export const toState = (row: SubscriptionRow): State => ({
  status: row.status,
  plan: row.plan,
  nextPlan: row.next_plan,
  nextPlanIsLater: row.next_plan_is_later,
  provider: row.provider,
  anchor: Date.parse(row.anchor_at),
  periods: row.periods,
  periodStart: Date.parse(row.period_start),
  periodEnd: Date.parse(row.period_end),
  trialEnd: ms(row.trial_end),
  reminded: row.reminded,
  cancelAtPeriodEnd: row.cancel_at_period_end,
  pausedAt: ms(row.paused_at),
  resumeAt: ms(row.resume_at),
  openBills: openBillsOf(row),
  paidLines: row.paid_lines ?? [],
  dunningStep: row.dunning_step,
  dunningSince: ms(row.dunning_since),
  dunningAt: dunningOf(row),
  cancelReason: row.cancel_reason,
  suspended:
    row.suspended_at === null || row.suspended_status === null
      ? null
      : { since: Date.parse(row.suspended_at), status: row.suspended_status },
})

/** A state as it is stored. */
export function toStored(
  state: State,
  row: Pick<SubscriptionRow, 'id' | 'member_id' | 'account_id'>,
  now: number,
): StoredSubscription {
  return {
    id: row.id,
    member_id: row.member_id,
    account_id: row.account_id,
    plan_id: state.plan.id,
    plan_version: state.plan.version,
    status: state.status,
    anchor_at: iso(state.anchor),
    periods: state.periods,
    period_start: iso(state.periodStart),
    period_end: iso(state.periodEnd),
    trial_end: isoOrNull(state.trialEnd),
    trial_plan_id: state.status === 'trialing' ? state.plan.id : null,
    reminded: state.reminded,
    cancel_at_period_end: state.cancelAtPeriodEnd,
    next_plan_id: state.nextPlan?.id ?? null,
    next_plan_version: state.nextPlan?.version ?? null,
    next_plan_is_later: state.nextPlanIsLater,
    paused_at: isoOrNull(state.pausedAt),
    resume_at: isoOrNull(state.resumeAt),
    open_bill_id: state.openBills[0]?.id ?? null,
    open_bill_reason: state.openBills[0]?.reason ?? null,
    dunning_step: state.dunningStep,
    dunning_since: isoOrNull(state.dunningSince),
    dunning_at: isoOrNull(state.dunningAt),
    due_at: isoOrNull(dueAt(state)),
    cancel_reason: state.cancelReason,
    suspended_at: isoOrNull(state.suspended?.since ?? null),
    suspended_status: state.suspended?.status ?? null,
    updated_at: iso(now),
  }
}
