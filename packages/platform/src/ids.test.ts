import { afterEach, expect, test, vi } from 'vitest'
import { newUuid } from './ids.ts'

afterEach(() => {
  vi.useRealTimers()
})

const timeOf = (uuid: string): number => Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)

test('ids of one process grow, also within a millisecond', () => {
  const ids = Array.from({ length: 10_000 }, newUuid)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('after a clock that was wrong is set back, new ids have the right time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  const early = newUuid()
  vi.useRealTimers()
  const before = Date.now()
  const late = newUuid()
  expect(timeOf(early)).toBeGreaterThan(before + 3_000_000)
  expect(timeOf(late)).toBeLessThanOrEqual(Date.now())
  expect(timeOf(late)).toBeGreaterThanOrEqual(before)
})
