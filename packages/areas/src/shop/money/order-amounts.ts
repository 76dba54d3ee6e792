import { percentOf, taxIncluded } from './percent.ts'

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
 * All amounts of an order, in the smallest unit. The discount is rounded once, half up, on the order; its lines get their
 * shares rounded down, and the largest line the rest. Each line's tax is part of what is paid for it, half up. Every sum
 * is the sum of its lines.
 */
export function orderAmounts(lines: readonly PricedLine[], terms?: DiscountTerms): OrderAmounts {
  const subtotals = lines.map(({ quantity, unitMinor }) => quantity * unitMinor)
  const discounts = terms ? discountsOf(lines, subtotals, terms) : lines.map(() => 0)
  const amounts = lines.map(({ taxMilli }, i) => {
    const subtotal = subtotals[i] ?? 0
    const discount = discounts[i] ?? 0
    const total = subtotal - discount
    return { subtotal, discount, total, tax: taxMilli === null ? 0 : taxIncluded(total, taxMilli) }
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

function discountsOf(
  lines: readonly PricedLine[],
  subtotals: readonly number[],
  terms: DiscountTerms,
): number[] {
  const { percentMilli, amountMinor, productIds } = terms
  const eligible = lines.map(({ productId }, i) =>
    productIds.size === 0 || productIds.has(productId) ? (subtotals[i] ?? 0) : 0,
  )
  const base = eligible.reduce((all, minor) => all + minor, 0)
  const whole = percentMilli === null ? Math.min(amountMinor ?? 0, base) : percentOf(base, percentMilli)
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

/** What is paid back for so many more of a line: the parts of a line add up to the whole of it. */
export function refundOfLine(total: number, quantity: number, refunded: number, more: number): number {
  const upTo = (pieces: number) => Number((BigInt(total) * BigInt(pieces)) / BigInt(quantity))
  return upTo(refunded + more) - upTo(refunded)
}
