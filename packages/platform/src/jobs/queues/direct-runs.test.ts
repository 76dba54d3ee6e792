import { expect, test } from 'vitest'
import { DirectRuns } from './direct-runs.ts'
import { SLOTS } from './lanes.ts'
import type { WorkSignal } from './work-signal.ts'

const signal: WorkSignal = { lane: 'files', consumer: 'sample', projectId: 'p', key: 'k' }

test('a process begins no more runs of a lane than it has slots, and again as soon as one has ended', async () => {
  const direct = new DirectRuns(['files'], () => true)
  const ends: (() => void)[] = []
  const run = () => new Promise<void>((resolve) => ends.push(resolve))
  for (let i = 0; i < SLOTS.files; i++) expect(direct.begin(signal, run)).toBe(true)
  expect(direct.begin(signal, run)).toBe(false)
  ends[0]?.()
  await Promise.resolve()
  expect(direct.begin(signal, run)).toBe(true)
  expect(ends).toHaveLength(SLOTS.files + 1)
})

test('a run that fails frees its place', async () => {
  const direct = new DirectRuns(['files'], () => true)
  for (let i = 0; i < 3 * SLOTS.files; i++) {
    expect(direct.begin(signal, () => Promise.reject(new Error('failed')))).toBe(true)
    await Promise.resolve()
    await Promise.resolve()
  }
})

test('what this process does not serve, or may not begin, is left to the queue', () => {
  const run = () => Promise.reject(new Error('it was begun'))
  expect(new DirectRuns(['mail'], () => true).begin(signal, run)).toBe(false)
  expect(new DirectRuns(['files'], (consumer) => consumer !== 'sample').begin(signal, run)).toBe(false)
})
