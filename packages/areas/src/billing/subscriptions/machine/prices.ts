import type { Interval } from './calendar.ts'

/** A plan at the price of one version of it. */
export interface PricedPlan {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly rank: number
  readonly priceMinor: number
  readonly currency: string
  readonly interval: Interval
  readonly intervalCount: number
}

export interface Period {
  /** Milliseconds, as all times here. */
  readonly start: number
  readonly end: number
}

/** One line of a bill. The amount of a credit is below zero. */
export interface Line {
  readonly kind: 'period' | 'proration' | 'credit'
  readonly planId: string | null
  readonly description: string
  readonly start: number | null
  readonly end: number | null
  readonly amountMinor: number
}

/** Half up, away from what integers can say exactly: `numerator / denominator` of non-negative integers. */
function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator))
}

/**
 * The part of a price that the rest of a period costs: by seconds, over the whole length of the period, rounded half up
 * once.
 */
export function restOf(priceMinor: number, period: Period, from: number): number {
  const whole = BigInt(Math.max(1, Math.round((period.end - period.start) / 1_000)))
  const left = BigInt(Math.round((period.end - from) / 1_000))
  const rest = left < 0n ? 0n : left > whole ? whole : left
  return roundHalfUp(BigInt(priceMinor) * rest, whole)
}

/** A whole period at its price. */
export const periodLine = (plan: PricedPlan, { start, end }: Period): Line => ({
  kind: 'period',
  planId: plan.id,
  description: plan.name,
  start,
  end,
  amountMinor: plan.priceMinor,
})

/**
 * What a change within a period costs: the rest of the old plan is credited at the old plan's full price, the rest of the
 * new one is charged at the new one's. A second change credits the plan that the first one brought, not its charge.
 */
export function prorationLines(from: PricedPlan, to: PricedPlan, period: Period, at: number): Line[] {
  const part = { start: at, end: period.end }
  return [
    {
      ...part,
      kind: 'proration',
      planId: from.id,
      description: `Unused time of ${from.name}`,
      amountMinor: -restOf(from.priceMinor, period, at),
    },
    {
      ...part,
      kind: 'proration',
      planId: to.id,
      description: `Remaining time of ${to.name}`,
      amountMinor: restOf(to.priceMinor, period, at),
    },
  ]
}

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + line.amountMinor, 0)

/**
 * Uses up what the member has in hand, and keeps what a bill gives back: its total is never below zero.
 * @returns the lines with that of the credit, the total, and what the balance changes by
 */
export function withCredit(
  lines: readonly Line[],
  balanceMinor: number,
): { lines: Line[]; total: number; credit: number } {
  const sum = sumOf(lines)
  const credit = sum < 0 ? -sum : -Math.min(sum, balanceMinor)
  if (credit === 0) return { lines: [...lines], total: sum, credit: 0 }
  const description = credit > 0 ? 'Kept as credit' : 'Credit used'
  const line: Line = {
    kind: 'credit',
    planId: null,
    description,
    start: null,
    end: null,
    amountMinor: credit,
  }
  return { lines: [...lines, line], total: sum + credit, credit }
}

/** Whether a change between two plans can be charged by the second: same money, same length of periods. */
export const canProrate = (from: PricedPlan, to: PricedPlan): boolean =>
  from.currency === to.currency && from.interval === to.interval && from.intervalCount === to.intervalCount
