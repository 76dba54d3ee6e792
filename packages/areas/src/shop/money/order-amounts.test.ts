import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  orderAmounts,
  type PricedLine,
  percentOf,
  refundOfLine,
  split,
  taxIncluded,
} from './order-amounts.ts'

const line = fc.record<PricedLine>({
  productId: fc.constantFrom('a', 'b', 'c'),
  quantity: fc.integer({ min: 1, max: 10_000 }),
  unitMinor: fc.integer({ min: 0, max: 99_999_999 }),
  taxMilli: fc.option(fc.integer({ min: 0, max: 100_000 })),
})
const products = fc.subarray(['a', 'b', 'c', 'x']).map((ids) => new Set(ids))
const terms = fc.oneof(
  fc.record({
    percentMilli: fc.integer({ min: 1, max: 100_000 }),
    amountMinor: fc.constant(null),
    productIds: products,
  }),
  fc.record({
    percentMilli: fc.constant(null),
    amountMinor: fc.integer({ min: 1, max: 10 ** 10 }),
    productIds: products,
  }),
)

test('percentages are rounded half up', () => {
  expect([percentOf(5, 10_000), percentOf(15, 10_000), percentOf(14, 10_000), percentOf(1, 50_000)]).toEqual([
    1, 2, 1, 1,
  ])
  expect([taxIncluded(1190, 19_000), taxIncluded(100, 0), taxIncluded(3998, 19_000)]).toEqual([190, 0, 638])
})

test('the rest of a discount goes to the largest line', () => {
  const lines = [100, 300, 100].map((unitMinor) => ({
    productId: 'a',
    quantity: 1,
    unitMinor,
    taxMilli: null,
  }))
  const { lines: amounts, discount } = orderAmounts(lines, {
    percentMilli: null,
    amountMinor: 99,
    productIds: new Set(),
  })
  expect([discount, ...amounts.map((each) => each.discount)]).toEqual([99, 19, 61, 19])
})

test('percentages are rounded half up to what a provider can charge', () => {
  const discountOf = (unitMinor: number, percentMilli: number, step: number) => {
    const lines = [{ productId: 'a', quantity: 1, unitMinor, taxMilli: null }]
    const { discount, total } = orderAmounts(
      lines,
      { percentMilli, amountMinor: null, productIds: new Set() },
      step,
    )
    return [discount, total]
  }
  // 10 % of 1.050, of 1.040 and of 0.010 KWD; 33.333 % of 5,000 MGA.
  expect(discountOf(1_050, 10_000, 10)).toEqual([110, 940])
  expect(discountOf(1_040, 10_000, 10)).toEqual([100, 940])
  expect(discountOf(10, 10_000, 10)).toEqual([0, 10])
  expect(discountOf(500_000, 33_333, 100)).toEqual([166_700, 333_300])
  // A price that cannot be charged is rounded down.
  expect(discountOf(1_059, 10_000, 10)).toEqual([119, 940])
})

test('every sum is the sum of its parts, and no line is paid less than nothing', () => {
  const steps = fc.constantFrom(1, 1, 10, 100)
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.option(terms),
      steps,
      (lines, discount, step) => {
        const order = orderAmounts(lines, discount ?? undefined, step)
        for (const key of ['subtotal', 'discount', 'tax', 'total'] as const)
          expect(order.lines.reduce((sum, each) => sum + each[key], 0)).toBe(order[key])
        expect(order.total).toBe(order.subtotal - order.discount)
        for (const [i, each] of order.lines.entries()) {
          expect(each.discount).toBeGreaterThanOrEqual(0)
          expect(each.total).toBeGreaterThanOrEqual(0)
          expect(each.total % step).toBe(0)
          expect(each.tax).toBeLessThanOrEqual(each.total)
          const productId = lines[i]?.productId ?? ''
          const isMeant = discount && (discount.productIds.size === 0 || discount.productIds.has(productId))
          if (!isMeant) expect(each.discount).toBe(each.subtotal % step)
        }
        if (discount?.percentMilli && discount.productIds.size === 0)
          expect(order.total).toBe(
            step * (charged(lines, step) - percentOf(charged(lines, step), discount.percentMilli)),
          )
      },
    ),
    { numRuns: 1_000 },
  )
})

/** What lines cost without a discount, in steps. */
const charged = (lines: readonly PricedLine[], step: number) =>
  lines.reduce((sum, { quantity, unitMinor }) => sum + Math.floor((quantity * unitMinor) / step), 0)

test('a split gives nobody more than its weight, and loses nothing', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(weights, fc.double({ min: 0, max: 1, noNaN: true }), (parts, share) => {
      const sum = parts.reduce((all, part) => all + part, 0)
      const whole = Math.floor(sum * share)
      const found = split(whole, parts)
      expect(found.reduce((all, part) => all + part, 0)).toBe(whole)
      for (const [i, part] of found.entries()) expect(part).toBeLessThanOrEqual(parts[i] ?? 0)
    }),
  )
})

test('the refunds of a line, in whatever pieces, add up to what was paid for it', () => {
  const pieces = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(pieces, fc.nat(10 ** 9), fc.constantFrom(1, 10, 100), (each, steps, step) => {
      const total = steps * step
      const quantity = each.reduce((all, piece) => all + piece, 0)
      let refunded = 0
      let paid = 0
      for (const piece of each) {
        const refund = refundOfLine(total, { quantity, refunded, more: piece }, step)
        expect(refund % step).toBe(0)
        paid += refund
        refunded += piece
      }
      expect(paid).toBe(total)
    }),
  )
})
