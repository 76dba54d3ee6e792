import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ReplayProgress } from './replay-progress.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a replica shows what was committed before the newest position that it has replayed', () => {
  const progress = new ReplayProgress()
  progress.note({ at: 10, bytes: 1_000 })
  progress.note({ at: 20, bytes: 2_000 })
  progress.note({ at: 30, bytes: 2_000 })
  progress.reach(999)
  expect(progress.isKnown).toBe(false)
  progress.reach(1_999)
  expect(progress.freshAsOf).toBe(10)
  expect(progress.lagBytes).toBe(1)
  progress.reach(2_000)
  expect(progress.freshAsOf).toBe(30)
  expect(progress.lagBytes).toBe(0)
})

test('the header of a page that nothing was written to yet is waited for by nobody', () => {
  const progress = new ReplayProgress()
  for (const header of [24, 40]) {
    progress.note({ at: header, bytes: 8192 * 5 + header })
    progress.reach(8192 * 5)
    expect(progress.freshAsOf).toBe(header)
  }
  progress.note({ at: 50, bytes: 8192 * 5 + 48 })
  progress.reach(8192 * 5)
  expect(progress.freshAsOf).toBe(40)
})

test('positions of an earlier primary say nothing of the present one', () => {
  const progress = new ReplayProgress()
  progress.note({ at: 10, bytes: 5_000 })
  progress.reach(5_000)
  progress.note({ at: 20, bytes: 4_000 })
  expect(progress.isKnown).toBe(false)
  progress.reach(4_500)
  expect(progress.freshAsOf).toBe(20)
})

test('a replica that is far behind costs no more memory, and never counts as showing more than it does', () => {
  const progress = new ReplayProgress()
  for (let n = 1; n <= 10_000; n++) progress.note({ at: n, bytes: n * 100 })
  progress.reach(700_000)
  expect(progress.freshAsOf).toBeLessThanOrEqual(7_000)
  expect(progress.freshAsOf).toBeGreaterThan(6_900)
})

test('its age grows from the first position on, while nothing is known', () => {
  const progress = new ReplayProgress()
  expect(progress.ageMs).toBe(0)
  progress.note({ at: performance.now(), bytes: 1_000 })
  vi.advanceTimersByTime(700)
  progress.reach(10)
  expect(progress.ageMs).toBe(700)
})
