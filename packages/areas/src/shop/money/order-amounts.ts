/** What a line costs before any discount. */
export interface PricedLine {
  readonly productId: string
  readonly quantity: number
  readonly unitMinor: number
  /** Null where no tax is included. */
  readonly taxMilli: number | null
}

/** What a discount takes off. */
export interface DiscountTerms {
  readonly percentMilli: number | null
  readonly amountMinor: number | null
  /** Empty: all. */
  readonly productIds: ReadonlySet<string>
}

export interface LineAmounts {
  readonly subtotal: number
  readonly discount: number
  readonly tax: number
  readonly total: number
}

export interface OrderAmounts {
  readonly lines: readonly LineAmounts[]
  readonly subtotal: number
  readonly discount: number
  readonly tax: number
  readonly total: number
}

/**
 * All amounts of an order, in the smallest unit. Every line is a multiple of what a provider can charge, so that each can be
 * refunded by itself; where a price is none, the line is rounded down. The discount is rounded once, half up, on the
 * order; its lines get their shares rounded down, and the largest line the rest. Each line's tax is part of what is paid
 * for it, half up. Every sum is the sum of its lines.
 * @param step every amount that is paid is a multiple of it
 */
export function orderAmounts(lines: readonly PricedLine[], terms?: DiscountTerms, step = 1): OrderAmounts {
  const subtotals = lines.map(({ quantity, unitMinor }) => quantity * unitMinor)
  const steps = subtotals.map((subtotal) => Math.floor(subtotal / step))
  const discounts = terms ? discountsOf(lines, steps, terms, step) : lines.map(() => 0)
  const amounts = lines.map(({ taxMilli }, i) => {
    const subtotal = subtotals[i] ?? 0
    const total = ((steps[i] ?? 0) - (discounts[i] ?? 0)) * step
    const tax = taxMilli === null ? 0 : taxIncluded(total, taxMilli)
    return { subtotal, discount: subtotal - total, total, tax }
  })
  const sum = (key: keyof LineAmounts) => amounts.reduce((all, line) => all + line[key], 0)
  return {
    lines: amounts,
    subtotal: sum('subtotal'),
    discount: sum('discount'),
    tax: sum('tax'),
    total: sum('total'),
  }
}

/** What a discount takes off each line, in steps. */
function discountsOf(
  lines: readonly PricedLine[],
  steps: readonly number[],
  { percentMilli, amountMinor, productIds }: DiscountTerms,
  step: number,
): number[] {
  const eligible = lines.map(({ productId }, i) =>
    productIds.size === 0 || productIds.has(productId) ? (steps[i] ?? 0) : 0,
  )
  const base = eligible.reduce((all, each) => all + each, 0)
  const whole =
    percentMilli === null
      ? Math.min(divideHalfUp(BigInt(amountMinor ?? 0), BigInt(step)), base)
      : percentOf(base, percentMilli)
  return split(whole, eligible)
}

/**
 * Splits an amount in proportion to weights, rounded down; the largest gets the rest. No part is larger than its weight as
 * long as the whole is not larger than their sum.
 */
export function split(whole: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => Number((BigInt(whole) * BigInt(weight)) / BigInt(sum)))
  let rest = whole - parts.reduce((all, part) => all + part, 0)
  const largestFirst = weights
    .map((weight, i) => ({ weight, i }))
    .sort((a, b) => b.weight - a.weight || a.i - b.i)
  for (const { weight, i } of largestFirst) {
    const more = Math.min(rest, weight - (parts[i] ?? 0))
    parts[i] = (parts[i] ?? 0) + more
    rest -= more
  }
  return parts
}

/**
 * What is paid back for so many more of a line: the parts of a line add up to the whole of it.
 * @param step every amount that is paid back is a multiple of it, as the whole line is
 */
export function refundOfLine(
  total: number,
  { quantity, refunded, more }: { quantity: number; refunded: number; more: number },
  step = 1,
): number {
  const steps = BigInt(Math.floor(total / step))
  const upTo = (pieces: number) => Number((steps * BigInt(pieces)) / BigInt(quantity)) * step
  return upTo(refunded + more) - upTo(refunded)
}

/** Percentages have three digits after the point at the most, and are kept in thousandths. */
export const toMilli = (percent: number): number => Math.round(percent * 1_000)
export const fromMilli = (milli: number): number => milli / 1_000

/** So many thousandths of a percent of an amount, half up to the currency's smallest unit. */
export const percentOf = (minor: number, milli: number): number =>
  divideHalfUp(BigInt(minor) * BigInt(milli), 100_000n)

/** The tax that a price includes: price × p / (100 + p), half up. */
export const taxIncluded = (minor: number, milli: number): number =>
  divideHalfUp(BigInt(minor) * BigInt(milli), 100_000n + BigInt(milli))

/** A quotient of numbers that are not negative, half up. BigInt, because products pass 2^53. */
export const divideHalfUp = (dividend: bigint, divisor: bigint): number =>
  Number((2n * dividend + divisor) / (2n * divisor))
