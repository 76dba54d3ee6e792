import { DAY_MS } from './calendar.ts'
import type { Line, PaidLine, PricedPlan } from './prices.ts'

export const STATUSES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

export type BillReason = 'first' | 'renewal' | 'change'

/** Everything that decides what happens next to a subscription. Times are milliseconds. */
export interface State {
  readonly status: Status
  readonly plan: PricedPlan
  /** The plan from the period's end on. */
  readonly nextPlan: PricedPlan | null
  /** Charges cards by itself; null: money is taken by hand, and bills wait until somebody marks them paid. */
  readonly provider: string | null
  readonly anchor: number
  /** How many intervals after the anchor the period ends. */
  readonly periods: number
  readonly periodStart: number
  readonly periodEnd: number
  readonly trialEnd: number | null
  readonly reminded: boolean
  readonly cancelAtPeriodEnd: boolean
  readonly pausedAt: number | null
  readonly resumeAt: number | null
  /** Why there is a bill that is not paid yet. */
  readonly openBill: BillReason | null
  /** Of an open bill of a change: the plan that comes with it. */
  readonly billedPlan: PricedPlan | null
  /** What paid for the present period. */
  readonly paidLines: readonly PaidLine[]
  readonly dunningStep: number
  readonly dunningSince: number | null
  readonly dunningAt: number | null
  readonly cancelReason: string | null
  /** While its member is deleted: since when it stands still, and what it was before. */
  readonly suspended: { readonly since: number; readonly status: Status } | null
}

export type Event =
  /** The clock has reached `dueAt`. */
  | { readonly type: 'due' }
  | { readonly type: 'bill_paid' }
  /** The provider could not take the money. @param retryDays days after the failed renewal at which it is tried again */
  | { readonly type: 'charge_failed'; readonly retryDays: readonly number[] }
  /** The open bill was voided by an operator. */
  | { readonly type: 'bill_voided' }
  | { readonly type: 'cancel'; readonly at: 'now' | 'period_end' }
  | { readonly type: 'pause'; readonly until: number | null }
  | { readonly type: 'resume' }
  /** @param pricedAt the moment of the preview that is held to; now where there is none */
  | {
      readonly type: 'change'
      readonly plan: PricedPlan
      readonly at: 'now' | 'period_end'
      readonly pricedAt?: number
    }
  /** An operator put the member on another plan, or the member is gone. */
  | { readonly type: 'override'; readonly reason: string }
  /** The member was deleted and can be restored. */
  | { readonly type: 'member_deleted' }
  | { readonly type: 'member_restored' }

export const EVENT_TYPES = [
  ...(['due', 'bill_paid', 'charge_failed', 'bill_voided', 'cancel'] as const),
  ...(['pause', 'resume', 'change', 'override', 'member_deleted', 'member_restored'] as const),
] as const

/** What has to be done besides storing the new state, in this order. */
export type Effect =
  | { readonly type: 'grant' }
  | { readonly type: 'revoke' }
  | {
      readonly type: 'bill'
      readonly reason: BillReason
      readonly lines: readonly Line[]
      readonly plan: PricedPlan | null
    }
  /** Takes the money of the open bill without its owner. */
  | { readonly type: 'charge' }
  /** What becomes of the open bill. */
  | { readonly type: 'close_bill'; readonly status: 'void' | 'uncollectible' }
  | { readonly type: 'mail'; readonly mail: 'payment_failed' | 'subscription_canceled' | 'trial_ending' }
  | { readonly type: 'announce'; readonly event: 'trial_ending' }
  /** Ends whatever is under way to pay open bills; the bills stay. */
  | { readonly type: 'stop_payments' }
  /** Has open bills be due that much later. */
  | { readonly type: 'move_bills'; readonly byMs: number }

export type Outcome =
  | { readonly state: State; readonly effects: readonly Effect[] }
  | { readonly refused: RefusalCode }
  /** Nothing to do: it was done before, or does not matter any more. */
  | 'ignored'

export type RefusalCode =
  | 'SUBSCRIPTION_CANCELED'
  | 'SUBSCRIPTION_INCOMPLETE'
  | 'SUBSCRIPTION_PAUSED'
  | 'SUBSCRIPTION_PAST_DUE'
  | 'SUBSCRIPTION_NOT_ACTIVE'
  | 'NOTHING_TO_RESUME'
  | 'BILL_OPEN'
  | 'MEMBER_DELETED'
  | 'SAME_PLAN'
  | 'PERIOD_END_ONLY'

/** How long an unpaid first bill waits. */
export const INCOMPLETE_MS = { provider: DAY_MS, hand: 14 * DAY_MS } as const
/** By hand: days after a renewal is due until it is overdue, and then until the end. */
export const HAND_DUE_DAYS = 14
export const HAND_END_DAYS = 7
const REMIND_MS = 3 * DAY_MS

/** When something happens by itself; null where only somebody can move it. */
export function dueAt(state: State): number | null {
  if (state.suspended !== null) return null
  const { status, periodEnd, dunningAt, resumeAt, reminded } = state
  const times: (number | null)[] = [dunningAt]
  if (status === 'trialing') times.push(periodEnd, reminded ? null : periodEnd - REMIND_MS)
  if (status === 'active' || status === 'past_due') times.push(periodEnd)
  if (status === 'paused') times.push(resumeAt)
  const known = times.filter((time) => time !== null)
  return known.length === 0 || status === 'canceled' ? null : Math.min(...known)
}
