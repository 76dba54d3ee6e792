import { newUuid } from '#platform/ids.ts'
import type { NewBill, NewLine } from '../../bills/queries.ts'
import type { BalanceOf, NewEntry } from '../../credit/ledger.ts'
import { amountTooSmall, leastTotal } from '../../errors.ts'
import { chargeable } from '../../providers/chargeable.ts'
import type { LockedSubscription, SubscriptionRow } from '../queries.ts'
import { iso, toState } from '../rows.ts'
import { applyCredit, isTooSmall } from './apply-credit.ts'
import { next } from './machine.ts'
import type { PricedPlan } from './prices.ts'
import { type Effect, type Event, NEW_BILL, type State } from './state.ts'

/** A bill that is to be written. */
export interface DraftBill {
  readonly bill: NewBill
  readonly lines: readonly NewLine[]
  /** What it uses of the member's credit, or adds to it. */
  readonly entries: readonly NewEntry[]
}

/** What became of a subscription, worked out and not yet written. */
export interface Decision {
  /** When it happens. */
  readonly at: number
  readonly row: Pick<
    SubscriptionRow,
    'id' | 'member_id' | 'account_id' | 'provider' | 'email' | 'full_name' | 'member_gone'
  >
  readonly fromStatus: string | null
  readonly event: string
  /** What it makes of the plan, by stored ids. */
  readonly planMove: PlanMove
  readonly state: State
  readonly effects: readonly Effect[]
  readonly bill: DraftBill | undefined
}

/** The plan before and after a move. */
export interface PlanMove {
  readonly from: string | null
  readonly to: string
  /** Of a change that was asked for. */
  readonly takesEffect: 'now' | 'when_paid' | 'period_end' | null
}

interface Parts {
  readonly now: number
  readonly balanceOf: BalanceOf
}

/**
 * Works out what a new state and its effects come to. A bill of 0 is paid at once, and what waited for it happens.
 * @throws ApiError 422 AMOUNT_TOO_SMALL for a first bill that the provider cannot charge
 */
export function toDecision(
  row: Decision['row'],
  before: { fromStatus: string | null; event: Event | undefined; plan: PricedPlan | undefined },
  outcome: { state: State; effects: readonly Effect[] },
  { now, balanceOf }: Parts,
): Decision {
  const billing = outcome.effects.find((effect) => effect.type === 'bill')
  const bill = billing && draft(row, outcome.state, billing, { now, balanceOf })
  const { state, effects } =
    bill === undefined ? outcome : payNothing(named(outcome, bill.bill.id), bill, now)
  const { fromStatus, event, plan } = before
  return {
    ...{ at: now, row, fromStatus, event: event?.type ?? 'create', state, effects, bill },
    planMove: planMove(plan, event, state),
  }
}

/** What an event makes of a subscription; undefined where there is nothing to do. */
export function decide(row: LockedSubscription, event: Event, balanceOf: BalanceOf) {
  const now = Date.parse(row.now)
  const outcome = next(toState(row), event, now)
  if (outcome === 'ignored' || 'refused' in outcome) return outcome
  return toDecision(row, { fromStatus: row.status, event, plan: row.plan }, outcome, { now, balanceOf })
}

interface Outcome {
  readonly state: State
  readonly effects: readonly Effect[]
}

/** Gives the bill that was written its own id. */
function named({ state, effects }: Outcome, id: string): Outcome {
  const rename = <T extends object>(part: T, key: string): T =>
    (part as Record<string, unknown>)[key] === NEW_BILL ? { ...part, [key]: id } : part
  return {
    state: { ...state, openBills: state.openBills.map((open) => rename(open, 'id')) },
    effects: effects.map((effect) => rename(effect, 'bill')),
  }
}

/** A bill of 0 is paid at once: nobody is charged, and what waited for it happens. */
function payNothing({ state, effects }: Outcome, { bill: { id, status } }: DraftBill, now: number): Outcome {
  if (status !== 'paid' || !state.openBills.some((open) => open.id === id)) return { state, effects }
  const paid = next(state, { type: 'bill_paid', bill: id }, now)
  if (paid === 'ignored' || 'refused' in paid) return { state, effects }
  return {
    state: paid.state,
    effects: [...effects.filter((effect) => effect.type !== 'charge' || effect.bill !== id), ...paid.effects],
  }
}

function planMove(before: PricedPlan | undefined, event: Event | undefined, { plan }: State): PlanMove {
  const from = before?.id ?? null
  if (event?.type !== 'change') return { from, to: plan.id, takesEffect: null }
  const isDone = plan.id === event.plan.id && plan.version === event.plan.version
  const takesEffect = event.at === 'period_end' ? 'period_end' : isDone ? 'now' : 'when_paid'
  return { from, to: event.plan.id, takesEffect }
}

type BillEffect = Extract<Effect, { type: 'bill' }>

function draft(
  row: Decision['row'],
  state: State,
  { reason, lines, plan }: BillEffect,
  { now, balanceOf }: Parts,
): DraftBill {
  const { currency } = plan ?? state.plan
  const { step, minimum } = chargeable(row.provider, currency)
  const credited = applyCredit(lines, { balance: balanceOf(row.member_id, currency), step, minimum })
  if (reason === 'first' && isTooSmall(credited))
    throw amountTooSmall(undefined, { message: leastTotal(minimum, currency) })
  const { lines: all, total, moves } = credited
  const id = newUuid()
  const at = iso(now)
  const bill = {
    ...{
      id,
      subscription_id: row.id,
      member_id: row.member_id,
      account_id: row.account_id,
      reason,
      currency,
    },
    status: total === 0 ? ('paid' as const) : ('open' as const),
    total_minor: total,
    change_plan_id: plan?.id ?? null,
    change_plan_version: plan?.version ?? null,
    due_at: at,
    paid_at: total === 0 ? at : null,
    created_at: at,
  }
  const written = all.map((line, position) => ({
    id: newUuid(),
    bill_id: id,
    position,
    kind: line.kind,
    description: line.description,
    plan_id: line.planId,
    period_start: line.start === null ? null : iso(line.start),
    period_end: line.end === null ? null : iso(line.end),
    amount_minor: line.amountMinor,
    source_line_id: line.sourceLineId ?? null,
  }))
  const entries = moves.map((move) => ({ ...move, memberId: row.member_id, currency, billId: id }))
  return { bill, lines: written, entries }
}
