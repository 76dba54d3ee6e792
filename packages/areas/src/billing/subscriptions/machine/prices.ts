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
  /** Of a line that gives time up: the paid line that it comes from. */
  readonly sourceLineId?: string | undefined
}

/** A line that paid for time of the present period which nobody has given up. */
export interface PaidLine {
  readonly id: string
  readonly planId: string
  /** The name of the plan. */
  readonly name: string
  /** How long the time is that it paid for, to the end of the period. */
  readonly lengthMs: number
  readonly amountMinor: number
  /** What was paid for it and not refunded. */
  readonly paidMinor: number
}

/** Half up, away from what integers can say exactly: `numerator / denominator` of non-negative integers. */
function roundHalfUp(numerator: bigint, denominator: bigint): number {
  return Number((2n * numerator + denominator) / (2n * denominator))
}

/**
 * The part of a price that the rest of a period costs: by seconds, over the whole length of the period, rounded half up
 * once.
 * @param step what every amount has to be a multiple of
 */
export function restOf(priceMinor: number, period: Period, from: number, step = 1): number {
  const whole = BigInt(Math.max(1, Math.round((period.end - period.start) / 1_000)))
  const left = BigInt(Math.round((period.end - from) / 1_000))
  const rest = left < 0n ? 0n : left > whole ? whole : left
  return step * roundHalfUp(BigInt(priceMinor) * rest, whole * BigInt(step))
}

/** A whole period at its price. */
export const periodLine = (plan: PricedPlan, { start, end }: Period, step = 1): Line => ({
  kind: 'period',
  planId: plan.id,
  description: plan.name,
  start,
  end,
  amountMinor: step * roundHalfUp(BigInt(plan.priceMinor), BigInt(step)),
})

/** What a change within a period is worked out from. */
export interface Given {
  /** The plan that the member leaves. */
  readonly from: PricedPlan
  readonly paid: readonly PaidLine[]
  readonly period: Period
  readonly at: number
  readonly step: number
}

/**
 * What was paid for the time that is left of a line. A line that was paid whole is worth what its plan costs for that
 * time, so that it is rounded once.
 */
function unusedOf(line: PaidLine, { from, period, at, step }: Given): number {
  const own = { start: period.end - line.lengthMs, end: period.end }
  const byLine = restOf(line.paidMinor, own, at, step)
  const byPlan = restOf(from.priceMinor, period, at, step)
  const isWhole = line.paidMinor === line.amountMinor && line.planId === from.id
  const unused = isWhole && Math.abs(byPlan - byLine) <= step ? byPlan : byLine
  return Math.min(unused, Math.floor(line.paidMinor / step) * step)
}

/**
 * The lines of a change within a period: a credit for the paid time that is given up, and a charge for the rest of the
 * period on the new plan. Unpaid time gives no credit.
 */
export function prorationLines(to: PricedPlan, given: Given): Line[] {
  const { paid, period, at, step } = given
  const part = { start: at, end: period.end, kind: 'proration' as const }
  return [
    ...paid.flatMap((line): Line[] => {
      const unused = unusedOf(line, given)
      if (unused === 0) return []
      const description = `Unused time of ${line.name}`
      return [{ ...part, planId: line.planId, description, amountMinor: -unused, sourceLineId: line.id }]
    }),
    {
      ...part,
      planId: to.id,
      description: `Remaining time of ${to.name}`,
      amountMinor: restOf(to.priceMinor, period, at, step),
    },
  ]
}

export const sumOf = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + line.amountMinor, 0)

/** Whether a change between two plans can be charged by the second: same money, same length of periods. */
export const canProrate = (from: PricedPlan, to: PricedPlan): boolean =>
  from.currency === to.currency && from.interval === to.interval && from.intervalCount === to.intervalCount
