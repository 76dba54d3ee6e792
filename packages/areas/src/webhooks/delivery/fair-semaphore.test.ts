import { describe, expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const never = new AbortController().signal
/** What a promise has come to by now. */
async function now(promise: Promise<boolean> | boolean): Promise<boolean | 'waiting'> {
  return Promise.race([promise, new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')))])
}

describe('slots', () => {
  test('are had at once while there are some', async () => {
    const slots = new FairSemaphore(10)
    expect(slots.take('a', never)).toBe(true)
    expect(slots.take('b', never)).toBe(true)
  })

  test('go to a project up to a fifth of all, and others pass those that wait', async () => {
    const slots = new FairSemaphore(10)
    expect([slots.take('a', never), slots.take('a', never)]).toEqual([true, true])
    const third = slots.take('a', never)
    expect(await now(third)).toBe('waiting')
    expect(slots.take('b', never)).toBe(true)
    slots.release('b')
    expect(await now(third)).toBe('waiting')
    slots.release('a')
    expect(await now(third)).toBe(true)
  })

  test('are given to whoever waits longest when all are in use', async () => {
    const slots = new FairSemaphore(5)
    for (const project of ['a', 'b', 'c', 'd', 'e']) expect(slots.take(project, never)).toBe(true)
    const [first, second] = [slots.take('f', never), slots.take('g', never)]
    slots.release('a')
    expect([await now(first), await now(second)]).toEqual([true, 'waiting'])
    slots.release('b')
    expect(await now(second)).toBe(true)
  })

  test('are not waited for any more when the worker stops, and none gets lost by it', async () => {
    const slots = new FairSemaphore(1)
    expect(slots.take('a', never)).toBe(true)
    const stopping = new AbortController()
    const waiting = slots.take('b', stopping.signal)
    stopping.abort()
    expect(await waiting).toBe(false)
    expect(slots.take('b', stopping.signal)).toBe(false)
    slots.release('a')
    expect(slots.take('c', never)).toBe(true)
  })
})
