import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Turns, type TurnTaker } from './turns.ts'

// One at a time takes all that it can, and nobody waits for anybody else.

const TRICKLE = 64 * 1024

/** Takes so many bytes a millisecond, where it may. */
class Taker implements TurnTaker {
  taken = 0
  readonly #perMs: number
  #granted = 0

  constructor(perMs: number) {
    this.#perMs = perMs
  }
  get hasTurn() {
    return this.#granted > 1e9
  }
  grant(bytes: number) {
    this.#granted = bytes
  }
  take() {
    const bytes = Math.min(this.#perMs, this.#granted)
    this.#granted -= bytes
    this.taken += bytes
  }
}

const FAST = 100_000
const SLOW = 1_000
const GONE = 0

let turns: Turns
beforeEach(() => {
  vi.useFakeTimers()
  turns = new Turns()
})
afterEach(() => {
  vi.useRealTimers()
})

const join = (...rates: number[]) =>
  rates.map((rate) => {
    const taker = new Taker(rate)
    turns.join(taker)
    return taker
  })
const pass = (ms: number, takers: readonly Taker[]) => {
  for (let i = 0; i < ms; i++) {
    for (const taker of takers) taker.take()
    vi.advanceTimersByTime(1)
  }
}

test('whoever is alone takes all that it can', () => {
  const alone = join(FAST)
  pass(10_000, alone)
  expect(alone[0]?.taken).toBe(10_000 * FAST)
})

test('of several, one at a time takes all, for as long as the others', () => {
  const all = join(FAST, FAST, FAST)
  for (let i = 0; i < 100; i++) {
    expect(all.filter(({ hasTurn }) => hasTurn)).toHaveLength(1)
    pass(60, all)
  }
  for (const { taken } of all) expect(taken / (2_000 * FAST)).toBeCloseTo(1, 0)
})

test('who waits gets a trickle, from the beginning', () => {
  const [big, small] = join(FAST, FAST)
  pass(1_000, [big, small] as Taker[])
  expect(big?.hasTurn).toBe(true)
  expect(small?.taken).toBe(25 * TRICKLE)
})

test('a slow reader takes what it can beside fast ones, and hardly holds them up', () => {
  const all = join(SLOW, GONE, FAST, FAST)
  pass(10_000, all)
  const [slow, gone, ...fast] = all.map(({ taken }) => taken)
  expect(slow).toBe(10_000 * SLOW)
  expect(gone).toBe(0)
  expect((fast[0] ?? 0) + (fast[1] ?? 0)).toBeGreaterThan(0.98 * 10_000 * FAST)
})

test('when one leaves, another goes on; when all have left, nothing ticks', () => {
  const [first, second] = join(FAST, FAST) as [Taker, Taker]
  turns.leave(first)
  pass(100, [second])
  expect(second.taken).toBeGreaterThan(50 * FAST)
  turns.leave(second)
  expect(vi.getTimerCount()).toBe(0)
})
