import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from './calendar.ts'
import { type PricedPlan, prorationLines, restOf, sumOf, withCredit } from './prices.ts'

const SEED = 20261122
const start = Date.UTC(2026, 0, 1)
const period = { start, end: start + 31 * DAY_MS }
const plan = (priceMinor: number): PricedPlan => ({
  ...{
    id: 'p',
    version: 1,
    name: 'P',
    rank: 1,
    priceMinor,
    currency: 'eur',
    interval: 'month',
    intervalCount: 1,
  },
})
const price = fc.integer({ min: 0, max: 99_999_999_999 })
const second = fc.integer({ min: 0, max: 31 * 86_400 })
const check = (property: fc.IProperty<never[]> | fc.IProperty<unknown[]>) =>
  fc.assert(property as fc.IProperty<unknown[]>, { seed: SEED, numRuns: 500 })

describe('proration', () => {
  test('is by the second over the whole period, half up', () => {
    // Half of 31 days of 10.01: 5.005, rounded up.
    expect(restOf(1_001, period, start + 15.5 * DAY_MS)).toBe(501)
    expect(restOf(1_000, period, start + 21 * DAY_MS)).toBe(323)
    expect([restOf(999, period, start), restOf(999, period, period.end)]).toEqual([999, 0])
  })

  test('credits the full value of the plan, not what was charged last: a second upgrade', () => {
    const at = start + 15.5 * DAY_MS
    const first = prorationLines(plan(1_000), plan(2_000), period, at)
    const second = prorationLines(plan(2_000), plan(4_000), period, at)
    expect([sumOf(first), second[0]?.amountMinor, sumOf(second)]).toEqual([500, -1_000, 1_000])
  })

  test(`up and back down at one moment costs nothing; later, what was used of the higher plan (seed ${SEED})`, () => {
    check(
      fc.property(price, price, second, second, (a, b, one, other) => {
        const [up, down] = [Math.min(one, other), Math.max(one, other)].map((s) => start + s * 1_000) as [
          number,
          number,
        ]
        const sum =
          sumOf(prorationLines(plan(a), plan(b), period, up)) +
          sumOf(prorationLines(plan(b), plan(a), period, down))
        const used =
          restOf(b, period, up) - restOf(b, period, down) - (restOf(a, period, up) - restOf(a, period, down))
        expect(sum).toBe(used)
        if (up === down) expect(sum).toBe(0)
      }),
    )
  })

  test(`never gives back more than a plan costs, nor charges more (seed ${SEED})`, () => {
    check(
      fc.property(price, second, (a, s) => {
        const rest = restOf(a, period, start + s * 1_000)
        expect(rest).toBeGreaterThanOrEqual(0)
        expect(rest).toBeLessThanOrEqual(a)
      }),
    )
  })
})

test(`a bill with its credit is the sum of its lines and never below zero (seed ${SEED})`, () => {
  check(
    fc.property(price, price, second, price, (a, b, s, balance) => {
      const lines = prorationLines(plan(a), plan(b), period, start + s * 1_000)
      const { lines: all, total, credit } = withCredit(lines, balance)
      expect(total).toBe(sumOf(all))
      expect(total).toBeGreaterThanOrEqual(0)
      expect(balance + credit).toBeGreaterThanOrEqual(0)
      expect(sumOf(lines)).toBe(total - credit)
    }),
  )
})
