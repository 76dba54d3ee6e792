import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from './calendar.ts'
import { type Line, type PaidLine, type PricedPlan, prorationLines, restOf, sumOf } from './prices.ts'

const SEED = 20261122
const start = Date.UTC(2026, 0, 1)
const period = { start, end: start + 31 * DAY_MS }
const plan = (priceMinor: number, id = 'p'): PricedPlan => ({
  ...{
    id,
    version: 1,
    name: 'P',
    rank: 1,
    priceMinor,
    currency: 'eur',
    interval: 'month',
    intervalCount: 1,
  },
})
/** A line that was paid: of the whole period, or of what a change has charged for the rest of it. */
const paidFor = ({ id, name, priceMinor }: PricedPlan, amountMinor = priceMinor, from = start): PaidLine => ({
  ...{ id: `line of ${id}`, planId: id, name, lengthMs: period.end - from },
  ...{ amountMinor, paidMinor: amountMinor },
})
const change = (from: PricedPlan, to: PricedPlan, at: number, paid = [paidFor(from)], step = 1) =>
  prorationLines(to, { from, paid, period, at, step })
const chargeOf = (lines: readonly Line[]) => lines.at(-1)?.amountMinor ?? 0

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

  test('is rounded half up to what the provider can charge', () => {
    // Half of 31 days of 1.230 KWD: 0.615, of which Stripe takes 0.620.
    expect(restOf(1_230, period, start + 15.5 * DAY_MS, 10)).toBe(620)
    expect(restOf(1_228, period, start + 15.5 * DAY_MS, 10)).toBe(610)
  })

  test('credits what was paid for the time, not what was charged last: a second upgrade', () => {
    const at = start + 15.5 * DAY_MS
    const [one, two, four] = [plan(1_000, 'one'), plan(2_000, 'two'), plan(4_000, 'four')]
    const first = change(one, two, at)
    const second = change(two, four, at, [paidFor(two, chargeOf(first), at)])
    expect([sumOf(first), second[0]?.amountMinor, sumOf(second)]).toEqual([500, -1_000, 1_000])
  })

  test('credits nothing for time that nobody paid for', () => {
    expect(change(plan(10_000, 'dear'), plan(1_000, 'cheap'), start, [])).toMatchObject([
      { planId: 'cheap', amountMinor: 1_000 },
    ])
  })

  test('credits no more than what was not refunded, by the second', () => {
    const dear = plan(10_000, 'dear')
    const half = { ...paidFor(dear), paidMinor: 4_000 }
    const at = start + 15.5 * DAY_MS
    expect(change(dear, plan(1_000, 'cheap'), at, [half])[0]?.amountMinor).toBe(-2_000)
  })

  test('names the paid line whose time is given up', () => {
    expect(change(plan(2_000, 'dear'), plan(1_000, 'cheap'), start)[0]).toMatchObject({
      sourceLineId: 'line of dear',
      amountMinor: -2_000,
    })
  })

  test(`up and back down at one moment costs nothing; later, what was used of the higher plan (seed ${SEED})`, () => {
    check(
      fc.property(price, price, second, second, (a, b, one, other) => {
        const [up, down] = [Math.min(one, other), Math.max(one, other)].map((s) => start + s * 1_000) as [
          number,
          number,
        ]
        const [from, to] = [plan(a, 'a'), plan(b, 'b')]
        const first = change(from, to, up)
        const sum = sumOf(first) + sumOf(change(to, from, down, [paidFor(to, chargeOf(first), up)]))
        const used =
          restOf(b, period, up) - restOf(b, period, down) - (restOf(a, period, up) - restOf(a, period, down))
        expect(sum).toBe(used)
        if (up === down) expect(sum).toBe(0)
      }),
    )
  })

  test(`never gives back more than was paid, nor charges more than a plan costs (seed ${SEED})`, () => {
    check(
      fc.property(price, price, second, second, fc.constantFrom(1, 10, 100), (a, paid, s, from, step) => {
        const rest = restOf(a, period, start + s * 1_000)
        expect(rest).toBeGreaterThanOrEqual(0)
        expect(rest).toBeLessThanOrEqual(a)
        const line = { ...paidFor(plan(a), a, start + from * 1_000), paidMinor: Math.min(a, paid) }
        const lines = change(plan(a), plan(0, 'free'), start + s * 1_000, [line], step)
        expect(-sumOf(lines)).toBeGreaterThanOrEqual(0)
        expect(-sumOf(lines)).toBeLessThanOrEqual(line.paidMinor)
      }),
    )
  })
})
