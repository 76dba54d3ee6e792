import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CopyScheduler, type ScheduledCopy } from './copy-scheduler.ts'

// One at a time takes all that it can, and gives way to whoever asks for anything else.

const START = 256 * 1024
const PACE = 96 * 1024
const TICK_MS = 16

/** Takes so many bytes a millisecond, where it may. */
class Taker implements ScheduledCopy {
  taken = 0
  perMs: number
  #granted = 0

  constructor(perMs: number) {
    this.perMs = perMs
  }
  get hasTurn() {
    return this.#granted > 1e9
  }
  grant(bytes: number) {
    this.#granted = bytes
  }
  take() {
    const bytes = Math.min(this.perMs, this.#granted)
    this.#granted -= bytes
    this.taken += bytes
  }
}

/** Whether others ask for something all the time. */
let isAskedBeside: boolean

const FAST = 100_000
const SLOW = 1_000
const GONE = 0

let turns: CopyScheduler
beforeEach(() => {
  vi.useFakeTimers()
  isAskedBeside = false
  turns = new CopyScheduler(() => isAskedBeside)
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
  expect(alone[0]?.taken).toBeGreaterThan((10_000 - TICK_MS) * FAST)
})

test('of several, one at a time takes all, for as long as the others', () => {
  const all = join(FAST, FAST, FAST)
  pass(TICK_MS, all)
  for (let i = 0; i < 100; i++) {
    expect(all.filter(({ hasTurn }) => hasTurn)).toHaveLength(1)
    pass(60, all)
  }
  for (const { taken } of all) expect(taken / (2_000 * FAST)).toBeCloseTo(1, 0)
})

test('what is small waits for no turn', () => {
  const all = join(FAST, FAST)
  pass(10, all)
  expect(all.map(({ taken }) => taken)).toEqual([START, START])
})

test('all together go at a pace while others ask for something, and only then', () => {
  const all = join(FAST, FAST)
  const taken = () => all.reduce((sum, each) => sum + each.taken, 0)
  isAskedBeside = true
  pass(1_000 * TICK_MS, all)
  expect(taken()).toBeLessThanOrEqual(2 * START + 1_000 * PACE)
  expect(taken()).toBeGreaterThan(990 * PACE)
  const paced = taken()
  isAskedBeside = false
  pass(1_000, all)
  expect(taken() - paced).toBeGreaterThan((1_000 - TICK_MS) * FAST)
})

test('a slow reader takes what it can beside fast ones, and hardly holds them up', () => {
  const all = join(SLOW, GONE, FAST, FAST)
  pass(10_000, all)
  const [slow, gone, ...fast] = all.map(({ taken }) => taken)
  expect(slow).toBe(10_000 * SLOW)
  expect(gone).toBe(0)
  expect((fast[0] ?? 0) + (fast[1] ?? 0)).toBeGreaterThan(0.98 * 10_000 * FAST)
})

test('whoever stops being slow waits for its turn like the others', () => {
  const [one, other] = join(SLOW, FAST) as [Taker, Taker]
  pass(100, [one, other])
  one.perMs = FAST
  pass(100, [one, other])
  expect(one.taken).toBeLessThan(START)
  pass(2_000, [one, other])
  expect(one.hasTurn).toBe(true)
})

test('when one leaves, another goes on; when all have left, nothing ticks', () => {
  const [first, second] = join(FAST, FAST) as [Taker, Taker]
  turns.leave(first)
  pass(100, [second])
  expect(second.taken).toBeGreaterThan((100 - TICK_MS) * FAST)
  turns.leave(second)
  expect(vi.getTimerCount()).toBe(0)
})
