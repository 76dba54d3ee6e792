import { subscriptionId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { accountId, billId } from '../ids.ts'
import type { SubscriptionRow } from './load-queries.ts'
import { dueAt, type State } from './machine/state.ts'
import type { Subscription } from './schema.ts'
import type { StoredSubscription } from './write-queries.ts'

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time))
export const iso = (time: number): string => new Date(time).toISOString()
const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time))

/** What the state machine reads of a row. */
export const toState = (row: SubscriptionRow): State => ({
  status: row.status,
  plan: row.plan,
  nextPlan: row.next_plan,
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
  openBill: row.open_bill_reason,
  billedPlan: row.billed_plan,
  paidLines: row.paid_lines ?? [],
  dunningStep: row.dunning_step,
  dunningSince: ms(row.dunning_since),
  dunningAt: ms(row.dunning_at),
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
  { openBillId, now }: { openBillId: string | null; now: number },
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
    trial_plan_id: state.trialEnd === null ? null : state.plan.id,
    reminded: state.reminded,
    cancel_at_period_end: state.cancelAtPeriodEnd,
    next_plan_id: state.nextPlan?.id ?? null,
    next_plan_version: state.nextPlan?.version ?? null,
    paused_at: isoOrNull(state.pausedAt),
    resume_at: isoOrNull(state.resumeAt),
    open_bill_id: state.openBill === null ? null : openBillId,
    open_bill_reason: state.openBill,
    dunning_step: state.dunningStep,
    dunning_since: isoOrNull(state.dunningSince),
    dunning_at: isoOrNull(state.dunningAt),
    due_at: isoOrNull(dueAt(state)),
    cancel_reason: state.cancelReason,
    suspended_at: isoOrNull(state.suspended?.since ?? null),
    suspended_status: state.suspended?.status ?? null,
    at: iso(now),
  }
}

/** A subscription as clients see it. */
export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: toId(subscriptionId, row.id),
  member_id: toId('member', row.member_id),
  plan_id: toId('plan', row.plan.id),
  status: row.status,
  price: fromMinor(row.plan.priceMinor, row.plan.currency),
  currency: row.plan.currency,
  interval: row.plan.interval,
  interval_count: row.plan.intervalCount,
  payment_account_id: row.account_id === null ? null : toId(accountId, row.account_id),
  period_start: row.period_start,
  period_end: row.period_end,
  trial_end: row.trial_end,
  cancel_at_period_end: row.cancel_at_period_end,
  next_plan_id: row.next_plan === null ? null : toId('plan', row.next_plan.id),
  paused_at: row.paused_at,
  resume_at: row.resume_at,
  open_bill_id: row.open_bill_id === null ? null : toId(billId, row.open_bill_id),
  canceled_at: row.canceled_at,
  cancel_reason: row.cancel_reason,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
