import { DAY_MS } from './calendar.ts'
import type { Line, PaidLine, PricedPlan } from './prices.ts'

export const STATUSES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled'] as const
export type Status = (typeof STATUSES)[number]

export type BillReason = 'first' | 'renewal' | 'change'

/** The id of the bill that an outcome has written. Its own takes its place as soon as there is one. */
export const NEW_BILL = 'new'

/** A bill of a subscription that is not paid yet. */
export interface OpenBill {
  readonly id: string
  readonly reason: BillReason
  /** Since when it is due. */
  readonly dueSince: number
  /** Of a change that takes effect when it is paid: the plan that comes then. */
  readonly plan: PricedPlan | null
  /** It has a whole period that begins when it was due: of a change that ends a trial. */
  readonly beginsPeriod: boolean
  /** It is for time of the present period. */
  readonly isOfPeriod: boolean
}

/** Everything that decides what happens next to a subscription. Times are milliseconds. */
export interface State {
  readonly status: Status
  readonly plan: PricedPlan
  /** The plan from the period's end on. */
  readonly nextPlan: PricedPlan | null
  /** It was asked for while the bill of a change was open, and follows what that bill brings. */
  readonly nextPlanIsLater: boolean
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
  /** The oldest first. With a provider there is one at the most. */
  readonly openBills: readonly OpenBill[]
  /** What paid for the present period. */
  readonly paidLines: readonly PaidLine[]
  readonly dunningStep: number
  readonly dunningSince: number | null
  /**
   * When something happens because of open bills: the next retry, or by hand the moment at which the oldest one is overdue
   * or given up. After the end: when bills that are left are given up.
   */
  readonly dunningAt: number | null
  readonly cancelReason: string | null
  /** While its member is deleted: since when it stands still, and what it was before. */
  readonly suspended: { readonly since: number; readonly status: Status } | null
}

export type Event =
  /** The clock has reached `dueAt`. */
  | { readonly type: 'due' }
  /** @param bill the stored id of one that was open */
  | { readonly type: 'bill_paid'; readonly bill: string }
  /** The provider could not take the money. @param retryDays days after the failed renewal at which it is tried again */
  | { readonly type: 'charge_failed'; readonly bill: string; readonly retryDays: readonly number[] }
  /** An open bill was voided by an operator. */
  | { readonly type: 'bill_voided'; readonly bill: string }
  | { readonly type: 'cancel'; readonly at: 'now' | 'period_end' }
  | { readonly type: 'pause'; readonly until: number | null }
  | { readonly type: 'resume' }
  /**
   * @param trialDays of a trial of the plan that the member has not used
   * @param pricedAt the moment of the preview that the change names; now where there is none
   */
  | {
      readonly type: 'change'
      readonly plan: PricedPlan
      readonly at: 'now' | 'period_end'
      readonly trialDays?: number
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
  /** The member tries a plan, and can not again. */
  | { readonly type: 'try' }
  /** Takes the money of an open bill without its owner. */
  | { readonly type: 'charge'; readonly bill: string }
  /** What becomes of an open bill. */
  | { readonly type: 'close_bill'; readonly bill: string; readonly status: 'void' | 'uncollectible' }
  /** Has an open bill of the present period charge no more than the time until a moment. */
  | { readonly type: 'reduce_bill'; readonly bill: string; readonly until: number }
  | { readonly type: 'mail'; readonly mail: 'trial_ending' }
  | {
      readonly type: 'mail'
      readonly mail: 'payment_failed' | 'subscription_canceled' | 'bill_reduced'
      readonly bill: string
    }
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
/** By hand: days after a bill is due until it is overdue, and then until the end. */
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
  return known.length === 0 ? null : Math.min(...known)
}
