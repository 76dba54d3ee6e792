import { expect, test, vi } from 'vitest'
import { unsharedProjects } from './shared-batches.ts'

test('a project whose writes go on failing shares with no other one, until five seconds after the last that failed', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const unshared = unsharedProjects()
    for (let second = 0; second < 12; second++) {
      unshared.set('failing', true)
      vi.advanceTimersByTime(1_000)
      expect(unshared.has('failing')).toBe(true)
    }
    vi.advanceTimersByTime(3_999)
    expect(unshared.has('failing')).toBe(true)
    vi.advanceTimersByTime(2)
    expect(unshared.has('failing')).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})
