import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySeed } from '#testkit/dice.ts'
import { applyCredit, isTooSmall } from './apply-credit.ts'
import { type Line, sumOf } from './prices.ts'

const SEED = anySeed()
const line = (amountMinor: number, sourceLineId?: string): Line => ({
  ...{ kind: 'proration', planId: 'p', description: 'P', start: 0, end: 1, amountMinor, sourceLineId },
})
const HAND = { step: 1, minimum: 1 }
const credit = (amounts: readonly number[], balance: number, { step, minimum } = HAND) =>
  applyCredit(
    amounts.map((amount) => line(amount, amount < 0 ? `source of ${amount}` : undefined)),
    { balance, step, minimum },
  )
const summaryOf = ({ total, moves }: ReturnType<typeof credit>) => [
  total,
  ...moves.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`),
]

describe('a bill', () => {
  test('uses credit first', () => {
    expect(summaryOf(credit([1_000], 0))).toEqual([1_000])
    expect(summaryOf(credit([1_000], 300))).toEqual([700, 'used -300'])
    expect(summaryOf(credit([1_000], 1_000))).toEqual([0, 'used -1000'])
    expect(summaryOf(credit([1_000], 4_000))).toEqual([0, 'used -1000'])
  })

  test('adds what is owed from earlier ones', () => {
    expect(summaryOf(credit([1_000], -40))).toEqual([1_040, 'billed 40'])
  })

  test('keeps what it gives back, by the paid line that it comes from', () => {
    const credited = credit([-500, -300, 200], 70)
    expect(summaryOf(credited)).toEqual([0, 'line 500', 'line 100'])
    expect(credited.moves.map(({ lineId }) => lineId)).toEqual(['source of -500', 'source of -300'])
  })

  test('that is too small to be charged is owed, after its credit is used up', () => {
    const euro = { step: 1, minimum: 50 }
    expect(summaryOf(credit([49], 0, euro))).toEqual([0, 'owed -49'])
    expect(summaryOf(credit([50], 0, euro))).toEqual([50])
    expect(summaryOf(credit([1_000], 960, euro))).toEqual([0, 'used -960', 'owed -40'])
    expect(summaryOf(credit([30], -30, euro))).toEqual([60, 'billed 30'])
    expect(isTooSmall(credit([10], -30, euro))).toBe(true)
  })

  test('is a multiple of what the provider can charge; what is left of credit stays', () => {
    const dinar = { step: 10, minimum: 10 }
    expect(summaryOf(credit([1_230], 5, dinar))).toEqual([1_230])
    expect(summaryOf(credit([1_230], 1_225, dinar))).toEqual([10, 'used -1220'])
    expect(summaryOf(credit([1_230], -7, dinar))).toEqual([1_230])
  })
})

test(`a bill is the sum of its lines, chargeable, and what it does not charge is in the ledger (seed ${SEED})`, () => {
  const amount = fc.integer({ min: -100_000, max: 200_000 })
  const terms = fc.constantFrom(
    HAND,
    { step: 10, minimum: 10 },
    { step: 1, minimum: 50 },
    { step: 100, minimum: 300 },
  )
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 4 }), amount, terms, (amounts, balance, each) => {
      const rounded = amounts.map((one) => Math.round(one / each.step) * each.step)
      const { lines, total, moves } = credit(rounded, balance, each)
      const moved = moves.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
      expect(total).toBe(sumOf(lines))
      expect(total === 0 || total >= each.minimum).toBe(true)
      expect(total % each.step).toBe(0)
      expect(total).toBe(rounded.reduce((sum, one) => sum + one, 0) + moved)
      // Only what is too small is ever owed, and credit is never overdrawn.
      const after = balance + moved
      if (after < Math.min(balance, 0)) expect(Math.min(balance, 0) - after).toBeLessThan(each.minimum)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
})
