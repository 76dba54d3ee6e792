import { expect, test } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const busy = 'Too many are busy'

/** Runs work of these askers, all asked for at once; answers in which order they had their turn. */
async function turns(semaphore: FairSemaphore, askers: readonly string[]): Promise<string[]> {
  const order: string[] = []
  await Promise.all(
    askers.map((asker) => {
      const [projectId = '', caller = ''] = asker.split('/')
      return semaphore.run({ projectId, caller }, async () => {
        order.push(asker)
        await new Promise((resolve) => setImmediate(resolve))
      })
    }),
  )
  return order
}

test('projects take turns, however much one of them asks for', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 100, busy })
  const order = await turns(semaphore, [...Array<string>(10).fill('one/a'), 'two/b', 'three/c'])
  expect(order.slice(0, 4).sort()).toEqual(['one/a', 'one/a', 'three/c', 'two/b'])
})

test('callers of one project take turns', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 100, busy })
  const order = await turns(semaphore, [...Array<string>(10).fill('one/a'), 'one/b'])
  expect(order.indexOf('one/b')).toBe(1)
})

test('a project has at most its share of the slots, and all slots are used', async () => {
  const semaphore = new FairSemaphore({ slots: 3, perProject: 2, waiting: 100, busy })
  let ofOne = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++ofOne)
    await new Promise((resolve) => setImmediate(resolve))
    ofOne--
  }
  await Promise.all(Array.from({ length: 20 }, () => semaphore.run({ projectId: 'one' }, work)))
  expect(most).toBe(2)
})

test('where too many wait, the last of the project that has most is refused, not one that has few', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 3, busy })
  const run = (projectId: string) =>
    semaphore.run({ projectId }, async () => projectId).catch(({ status }: { status: number }) => status)
  const outcomes = await Promise.all(['one', 'one', 'one', 'one', 'two', 'one'].map(run))
  expect(outcomes).toEqual(['one', 'one', 'one', 503, 'two', 503])
})

test('work that fails gives its slot back', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 1, busy })
  await expect(semaphore.run({ projectId: 'one' }, () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )
  expect(await semaphore.run({ projectId: 'one' }, async () => 'yes')).toBe('yes')
})
