import { afterAll, expect, test } from 'vitest'
import { ThreadPool } from './thread-pool.ts'

const pool = new ThreadPool<{ text: string; ms: number }, string>({
  module: new URL('echo.fixture.ts', import.meta.url),
  ...{ threads: 1, waiting: 10, timeLimitMs: 1_500, busy: 'Too many are busy' },
})
afterAll(() => pool.close())

test('whoever waits gets the answer to the own task, also after another one was given up', async () => {
  await expect
    .poll(() => pool.run({ text: 'warm', ms: 0 }, { projectId: 'one' }).catch(() => ''))
    .toBe('warm')
  const slow = pool.run({ text: 'slow', ms: 60_000 }, { projectId: 'one' })
  await expect(slow).rejects.toMatchObject({ status: 503 })
  await expect
    .poll(() => pool.run({ text: 'next', ms: 0 }, { projectId: 'two' }).catch(() => ''))
    .toBe('next')
})

test('an answer that comes while its thread is given up is nobody else’s', async () => {
  // The loop of this process stands still until the task is done, and longer than its time.
  const late = pool.run({ text: 'late', ms: 1_000 }, { projectId: 'one' }).catch(() => 'given up')
  const other = pool.run({ text: 'other', ms: 0 }, { projectId: 'two' }).catch(() => 'given up')
  await new Promise((resolve) => setTimeout(resolve, 100))
  const end = performance.now() + 2_000
  while (performance.now() < end);
  expect(['late', 'given up']).toContain(await late)
  expect(['other', 'given up']).toContain(await other)
})
