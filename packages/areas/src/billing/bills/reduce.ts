import { restOf } from '../subscriptions/machine/prices.ts'
import type { BillLineRow } from './queries.ts'

/** How far a bill of the present period is reduced. Times are milliseconds. */
export interface Reduction {
  readonly periodEnd: number
  /** Until when the time is used. */
  readonly until: number
}

/** What a line comes to. */
export interface ReducedLine {
  readonly id: string
  readonly amount_minor: number
  readonly period_end: string | null
}

export interface ReducedBill {
  /** Those that change. */
  readonly lines: readonly ReducedLine[]
  readonly total: number
  /** What the bill had used of the member's credit and needs no more. */
  readonly returned: number
}

/**
 * Reduces the lines of an open bill to the time that was used, by seconds, rounded half up. Credit that it needs no
 * more goes back to the member. Amounts from earlier bills stay.
 */
export function reduceBill(lines: readonly BillLineRow[], { periodEnd, until }: Reduction): ReducedBill {
  const cut = lines.flatMap((line): ReducedLine[] => {
    const { id, kind, amount_minor, period_start, period_end } = line
    if (kind === 'credit' || period_start === null || period_end === null) return []
    const lengthMs = Date.parse(period_end) - Date.parse(period_start)
    const unused = restOf(Math.abs(amount_minor), { start: periodEnd - lengthMs, end: periodEnd }, until)
    const usedMs = Math.max(0, lengthMs - Math.max(0, periodEnd - until))
    const end = new Date(Date.parse(period_start) + usedMs).toISOString()
    return [{ id, amount_minor: amount_minor - Math.sign(amount_minor) * unused, period_end: end }]
  })
  const amountOf = (line: BillLineRow) =>
    cut.find(({ id }) => id === line.id)?.amount_minor ?? line.amount_minor
  const due = lines.reduce((sum, line) => sum + amountOf(line), 0)
  const used = lines.filter(({ kind, amount_minor }) => kind === 'credit' && amount_minor < 0)
  let returned = Math.max(0, -due)
  const total = due + returned
  const credit = used.map(({ id, amount_minor }): ReducedLine => {
    const back = Math.min(returned, -amount_minor)
    returned -= back
    return { id, amount_minor: amount_minor + back, period_end: null }
  })
  const before = used.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  const after = credit.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  return { lines: [...cut, ...credit], total, returned: after - before }
}
