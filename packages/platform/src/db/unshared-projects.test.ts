import { expect, test, vi } from 'vitest'
import { UnsharedProjects } from './shared-batches.ts'

test('a project whose writes go on failing shares with no other one, until five seconds after the last that failed', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const unshared = new UnsharedProjects()
    for (let second = 0; second < 12; second++) {
      unshared.add('failing')
      vi.advanceTimersByTime(1_000)
      expect(unshared.has('failing')).toBe(true)
    }
    vi.advanceTimersByTime(3_999)
    expect(unshared.has('failing')).toBe(true)
    vi.advanceTimersByTime(1)
    expect(unshared.has('failing')).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
