import { newUuid } from '#platform/ids.ts'
import type { NewBill, NewLine } from '../../bills/write-queries.ts'
import type { BalanceOf, NewEntry } from '../../credit/ledger.ts'
import { amountTooSmall } from '../../errors.ts'
import { chargeable } from '../../providers/chargeable.ts'
import type { SubscriptionRow } from '../load-queries.ts'
import { iso, toState } from '../rows.ts'
import { next } from './machine.ts'
import { isTooSmall, settleCredit } from './settle-credit.ts'
import type { Effect, Event, State } from './state.ts'

/** A bill that is to be written; its number comes later. */
export interface DraftBill {
  readonly bill: Omit<NewBill, 'number'>
  readonly lines: readonly NewLine[]
  /** What it uses of the member's credit, or adds to it. */
  readonly entries: readonly NewEntry[]
}

/** What became of a subscription, worked out and not yet written. */
export interface Decision {
  readonly row: Pick<
    SubscriptionRow,
    'id' | 'member_id' | 'account_id' | 'provider' | 'email' | 'full_name' | 'member_gone'
  >
  readonly fromStatus: string | null
  /** The bill that was open before. */
  readonly openBillBefore: string | null
  readonly event: string
  readonly state: State
  readonly effects: readonly Effect[]
  readonly bill: DraftBill | undefined
  readonly openBillId: string | null
}

interface Parts {
  readonly now: number
  readonly balanceOf: BalanceOf
}

/**
 * Works out what a new state and its effects come to. A bill of 0 is paid at once, and what waited for it happens.
 * @throws ApiError 422 AMOUNT_TOO_SMALL for a first bill that the provider cannot charge
 */
export function settle(
  row: Decision['row'],
  before: { fromStatus: string | null; openBillId: string | null; event: string },
  outcome: { state: State; effects: readonly Effect[] },
  { now, balanceOf }: Parts,
): Decision {
  let { state, effects } = outcome
  const billing = effects.find((effect) => effect.type === 'bill')
  const bill = billing && draft(row, state, billing, { now, balanceOf })
  let openBillId = before.openBillId
  if (bill !== undefined && state.openBill === billing?.reason) openBillId = bill.bill.id
  if (bill?.bill.status === 'paid' && state.openBill === billing?.reason) {
    effects = effects.filter((effect) => effect.type !== 'charge')
    const paid = next(state, { type: 'bill_paid' }, now)
    if (paid !== 'ignored' && 'state' in paid) {
      state = paid.state
      effects = [...effects, ...paid.effects]
    }
  }
  const { fromStatus, openBillId: openBillBefore, event } = before
  return { row, fromStatus, openBillBefore, event, state, effects, bill, openBillId }
}

/** What an event makes of a subscription; undefined where there is nothing to do. */
export function decide(row: SubscriptionRow, event: Event, parts: Parts) {
  const outcome = next(toState(row), event, parts.now)
  if (outcome === 'ignored' || 'refused' in outcome) return outcome
  const before = { fromStatus: row.status, openBillId: row.open_bill_id, event: event.type }
  return settle(row, before, outcome, parts)
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
  const settled = settleCredit(lines, { balance: balanceOf(row.member_id, currency), step, minimum })
  if (reason === 'first' && isTooSmall(settled)) throw amountTooSmall()
  const { lines: all, total, moves } = settled
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
