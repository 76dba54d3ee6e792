import { type Line, sumOf } from './prices.ts'

/** How a part of a bill that is not charged with it, or a rest of an earlier one, is booked. */
export interface CreditMove {
  readonly kind: 'line' | 'used' | 'owed' | 'billed'
  /** Above zero: the member has more. */
  readonly amountMinor: number
  /** Of what is kept: the paid line that it comes from. */
  readonly lineId?: string
}

export interface CreditedBill {
  /** With those of credit. */
  readonly lines: readonly Line[]
  readonly total: number
  readonly moves: readonly CreditMove[]
}

interface Terms {
  /** What the member has in hand; below zero what is owed. */
  readonly balance: number
  /** What the provider can charge. */
  readonly step: number
  readonly minimum: number
}

/** The descriptions of lines of credit. */
export const CREDIT_LINES = {
  line: 'Kept as credit',
  used: 'Credit used',
  owed: 'Charged with a later bill',
  billed: 'Owed from earlier bills',
} as const

/**
 * Uses up the credit of the member, adds what is owed from earlier bills, and keeps what the bill gives back: its total is
 * never below zero. A total that is too small to be charged is 0, and owed.
 */
export function applyCredit(lines: readonly Line[], terms: Terms): CreditedBill {
  const moves = sumOf(lines) < 0 ? keep(lines) : pay(sumOf(lines), terms)
  const parts = Map.groupBy(moves, ({ kind }) => kind)
  const shown = [...parts].map(
    ([kind, of]): Line => ({
      kind: 'credit',
      planId: null,
      description: CREDIT_LINES[kind],
      start: null,
      end: null,
      amountMinor: of.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    }),
  )
  const all = [...lines, ...shown]
  return { lines: all, total: sumOf(all), moves }
}

/** The rest of the time that was given up becomes credit of the member, by the paid lines that it comes from. */
function keep(lines: readonly Line[]): CreditMove[] {
  let left = -sumOf(lines)
  return lines.flatMap(({ amountMinor, sourceLineId }): CreditMove[] => {
    const kept = Math.min(left, -amountMinor)
    if (sourceLineId === undefined || kept <= 0) return []
    left -= kept
    return [{ kind: 'line', amountMinor: kept, lineId: sourceLineId }]
  })
}

const multiple = (amount: number, step: number) => Math.floor(amount / step) * step

function pay(sum: number, { balance, step, minimum }: Terms): CreditMove[] {
  if (sum === 0) return []
  const credit = Math.max(balance, 0)
  const used = credit >= sum ? sum : multiple(credit, step)
  const billed = multiple(Math.max(-balance, 0), step)
  const total = sum - used + billed
  const moves: CreditMove[] = [
    { kind: 'used', amountMinor: -used },
    total < minimum ? { kind: 'owed', amountMinor: -(sum - used) } : { kind: 'billed', amountMinor: billed },
  ]
  return moves.filter(({ amountMinor }) => amountMinor !== 0)
}

/** Whether a bill leaves an amount for later that is too small to be charged. */
export const isTooSmall = ({ moves }: CreditedBill): boolean => moves.some(({ kind }) => kind === 'owed')
