import type { BillLineRow } from '../../bills/queries.ts'
import { reduceBill } from '../../bills/reduce.ts'
import type { NewEntry } from '../../credit/ledger.ts'
import { DEFAULT_SETTINGS } from '../../settings/settings.ts'
import { begin } from '../begin.ts'
import type { SubscriptionRow } from '../queries.ts'
import { type Decision, type DraftBill, toDecision } from './decide.ts'
import { next } from './machine.ts'
import type { PaidLine, PricedPlan } from './prices.ts'
import { dueAt, type Event, type Outcome, type State } from './state.ts'

type Amount = Pick<NewEntry, 'kind' | 'amountMinor' | 'billId' | 'lineId'>

/** A bill as the database has it, as far as money goes. */
interface KeptBill {
  readonly id: string
  readonly reason: DraftBill['bill']['reason']
  readonly dueSince: number
  readonly plan: PricedPlan | null
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  total: number
  lines: (BillLineRow & { readonly source: string | null })[]
}

/** A period that was billed, and what the subscription was before; undefined where it began with it. */
interface Billed {
  readonly line: BillLineRow
  readonly before: State | undefined
}

const ROW: Pick<SubscriptionRow, 'id' | 'member_id' | 'account_id' | 'email' | 'full_name' | 'member_gone'> =
  {
    ...{ id: 's', member_id: 'm', account_id: null, email: null, full_name: null, member_gone: false },
  }
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/**
 * The books of one member: subscriptions one after the other, their bills, the ledger, and the money that came. Does in
 * memory what `apply` does in the database.
 */
export class Books {
  readonly #provider: string | null
  readonly plans = new Map<string, PricedPlan>()
  state: State | undefined
  bills: KeptBill[] = []
  entries: Amount[] = []
  /** Bills of the present subscription. */
  #own: KeptBill[] = []
  readonly periods: Billed[] = []
  money = 0
  paused = 0

  constructor(provider: string | null) {
    this.#provider = provider
  }

  get balance(): number {
    return sum(this.entries.map(({ amountMinor }) => amountMinor))
  }
  get open(): KeptBill[] {
    return this.bills.filter(({ status }) => status === 'open')
  }

  subscribe(plan: PricedPlan, now: number, trialDays: number): void {
    this.#own = []
    const begun = begin(plan, { now, provider: this.#provider, trialDays })
    try {
      const before = { fromStatus: null, event: undefined, plan: undefined }
      this.#write(toDecision(this.#row, before, begun, this.#parts(now)), undefined, now)
    } catch (error) {
      if ((error as { code?: string }).code !== 'AMOUNT_TOO_SMALL') throw error
    }
  }

  give(amountMinor: number): void {
    this.entries.push({ kind: 'operator', amountMinor })
  }

  /** @returns whether it was taken */
  move(event: Event, now: number): boolean {
    const before = this.read()
    if (before === undefined) return false
    const outcome: Outcome = next(before, event, now)
    if (outcome === 'ignored' || 'refused' in outcome) return false
    if (before.pausedAt !== null && outcome.state.pausedAt === null && outcome.state.status !== 'canceled')
      this.paused += now - before.pausedAt
    const at = { fromStatus: before.status, event, plan: before.plan }
    this.#write(toDecision(this.#row, at, outcome, this.#parts(now)), before, now)
    return true
  }

  due(): number | null {
    const state = this.read()
    return state === undefined ? null : dueAt(state)
  }

  pay(bill: KeptBill, now: number): void {
    if (bill.status === 'uncollectible') {
      const sources = bill.lines.filter(({ source }) => source !== null)
      if (sources.some(({ source, amount_minor }) => this.#room(source) < -amount_minor)) return
      const used = sum(bill.lines.filter(({ kind }) => kind === 'credit').map((line) => line.amount_minor))
      if (used !== 0)
        this.entries.push({ kind: used < 0 ? 'used' : 'billed', amountMinor: used, billId: bill.id })
      this.#giveBack(bill, 1)
    }
    this.money += bill.total
    bill.status = 'paid'
    this.move({ type: 'bill_paid', bill: bill.id }, now)
  }

  fail(bill: KeptBill, now: number): void {
    this.move({ type: 'charge_failed', bill: bill.id, retryDays: DEFAULT_SETTINGS.retry_days }, now)
  }

  voidBill(bill: KeptBill, now: number): void {
    this.#end(bill, 'void')
    this.move({ type: 'bill_voided', bill: bill.id }, now)
  }

  /** The state as it is read from the database: open bills and paid lines are found anew. */
  read(): State | undefined {
    if (this.state === undefined) return undefined
    const first = this.#own.findLastIndex(({ lines }) => lines.some(({ kind }) => kind === 'period'))
    const openBills = this.#own.flatMap((bill, index) =>
      bill.status !== 'open'
        ? []
        : [
            {
              ...{ id: bill.id, reason: bill.reason as 'first', dueSince: bill.dueSince },
              plan: this.#provider === null ? null : bill.plan,
              beginsPeriod: this.#provider !== null && bill.lines.some(({ kind }) => kind === 'period'),
              isOfPeriod: index >= first,
            },
          ],
    )
    return { ...this.state, openBills, paidLines: this.#paidLines(first) }
  }

  /** Money that came and gifts, less what paid bills charge and what the ledger holds: always 0. */
  difference(): number {
    const gifts = sum(
      this.entries.flatMap(({ kind, amountMinor }) => (kind === 'operator' ? [amountMinor] : [])),
    )
    const paid = this.bills.filter(({ status }) => status === 'paid')
    const isPaid = new Set(paid.flatMap(({ lines }) => lines.map(({ id }) => id)))
    const charged = paid.flatMap(({ lines }) =>
      lines.flatMap(({ kind, amount_minor, source }) =>
        kind === 'credit' || (amount_minor < 0 && !isPaid.has(source ?? '')) ? [] : [amount_minor],
      ),
    )
    const openIds = new Set(this.open.map(({ id }) => id))
    const credited = this.entries.flatMap(({ billId, amountMinor }) =>
      openIds.has(billId ?? '') ? [] : [amountMinor],
    )
    return this.money + gifts - sum(charged) - sum(credited)
  }

  /** Lines that gave back more than was paid for them. */
  overdrawn(): BillLineRow[] {
    return this.bills
      .flatMap(({ lines }) => lines)
      .filter((line) => line.given_back_minor < 0 || line.given_back_minor > Math.max(0, line.amount_minor))
  }

  get #row() {
    return { ...ROW, provider: this.#provider }
  }
  #parts(now: number) {
    return { now, balanceOf: () => this.balance }
  }

  #write({ state, effects, bill }: Decision, before: State | undefined, now: number): void {
    this.state = state
    if (bill !== undefined) this.#keep(bill, before, now)
    for (const effect of effects) {
      if (effect.type === 'close_bill') this.#end(this.#bill(effect.bill), effect.status)
      if (effect.type === 'reduce_bill')
        this.#reduce(this.#bill(effect.bill), { periodEnd: state.periodEnd, until: effect.until })
    }
  }

  #keep({ bill, lines, entries }: DraftBill, before: State | undefined, now: number): void {
    const plan = this.plans.get(bill.change_plan_id ?? '') ?? null
    const kept: KeptBill = {
      ...{
        id: bill.id,
        reason: bill.reason,
        dueSince: now,
        plan,
        status: bill.status,
        total: bill.total_minor,
      },
      lines: lines.map((line) => ({
        ...{
          ...line,
          kind: line.kind as BillLineRow['kind'],
          given_back_minor: 0,
          source: line.source_line_id,
        },
      })),
    }
    this.bills.push(kept)
    this.#own.push(kept)
    this.entries.push(...entries)
    this.#giveBack(kept, 1)
    for (const line of kept.lines) if (line.kind === 'period') this.periods.push({ line, before })
  }

  #bill(id: string): KeptBill {
    return this.bills.find((bill) => bill.id === id) as KeptBill
  }
  #line(id: string | null) {
    return this.bills.flatMap(({ lines }) => lines).find((line) => line.id === id)
  }
  #room(id: string | null): number {
    const line = this.#line(id)
    return line === undefined ? 0 : line.amount_minor - line.given_back_minor
  }

  #giveBack({ lines }: KeptBill, sign: number): void {
    for (const { source, amount_minor } of lines) {
      const of = this.#line(source)
      if (of !== undefined) of.given_back_minor -= sign * amount_minor
    }
  }

  #end(bill: KeptBill, status: 'void' | 'uncollectible'): void {
    if (bill.status !== 'open') return
    bill.status = status
    const net = sum(this.entries.filter(({ billId }) => billId === bill.id).map((entry) => entry.amountMinor))
    if (net !== 0) this.entries.push({ kind: 'returned', amountMinor: -net, billId: bill.id })
    this.#giveBack(bill, -1)
  }

  #reduce(bill: KeptBill, reduction: { periodEnd: number; until: number }): void {
    const { lines, total, returned } = reduceBill(bill.lines, reduction)
    this.#giveBack(bill, -1)
    bill.lines = bill.lines.map((line) => ({ ...line, ...lines.find(({ id }) => id === line.id) }))
    this.#giveBack(bill, 1)
    if (returned > 0) this.entries.push({ kind: 'returned', amountMinor: returned, billId: bill.id })
    bill.total = total
    if (total === 0) bill.status = 'paid'
  }

  #paidLines(first: number): PaidLine[] {
    const live = this.#own.filter(({ status }) => status === 'open' || status === 'paid')
    const givenUp = new Set(live.flatMap(({ lines }) => lines.map(({ source }) => source)))
    return this.#own.slice(Math.max(0, first)).flatMap(({ status, lines }) =>
      status !== 'paid'
        ? []
        : lines.flatMap((line) =>
            line.kind === 'credit' || line.amount_minor <= 0 || givenUp.has(line.id)
              ? []
              : [
                  {
                    ...{ id: line.id, planId: line.plan_id ?? '', name: line.description },
                    lengthMs: Date.parse(line.period_end ?? '') - Date.parse(line.period_start ?? ''),
                    amountMinor: line.amount_minor,
                    paidMinor: line.amount_minor - line.given_back_minor,
                  },
                ],
          ),
    )
  }
}
