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

test('whoever leaves while waiting has no slot, and the others keep their turns', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 10, busy })
  expect(semaphore.take({ projectId: 'one' })).toBe(true)
  const leaving = new AbortController()
  const { signal } = leaving
  const [gone, stays] = [
    semaphore.take({ projectId: 'two', signal }),
    semaphore.take({ projectId: 'two', signal: new AbortController().signal }),
  ]
  leaving.abort(new Error('gone'))
  expect(await gone).toBe(false)
  expect(semaphore.take({ projectId: 'two', signal })).toBe(false)
  await expect(semaphore.run({ projectId: 'two', signal }, async () => 'done')).rejects.toThrow('gone')
  semaphore.release({ projectId: 'one' })
  expect(await stays).toBe(true)
  semaphore.release({ projectId: 'two' })
  expect(semaphore.take({ projectId: 'three' })).toBe(true)
})

test('a signal that aborts after the slot was given takes no turn of others', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 10, busy })
  expect(semaphore.take({ projectId: 'one' })).toBe(true)
  const late = new AbortController()
  const first = semaphore.take({ projectId: 'two', signal: late.signal })
  const second = semaphore.take({ projectId: 'two' })
  semaphore.release({ projectId: 'one' })
  late.abort()
  expect(await first).toBe(true)
  semaphore.release({ projectId: 'two' })
  expect(await second).toBe(true)
})

test('a project that uses its whole share lets others pass, in the order in which they came', async () => {
  const semaphore = new FairSemaphore({ slots: 3, perProject: 2, waiting: 10, busy })
  expect([semaphore.take({ projectId: 'one' }), semaphore.take({ projectId: 'one' })]).toEqual([true, true])
  const order: string[] = []
  const wait = async (projectId: string) => {
    await semaphore.take({ projectId })
    order.push(projectId)
  }
  const all = [wait('one'), wait('two'), wait('three')]
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['two'])
  semaphore.release({ projectId: 'two' })
  await new Promise((resolve) => setImmediate(resolve))
  expect(order).toEqual(['two', 'three'])
  semaphore.release({ projectId: 'one' })
  await Promise.all(all)
  expect(order).toEqual(['two', 'three', 'one'])
})

test('whoever waits for too long is refused, and leaves no gap', async () => {
  const semaphore = new FairSemaphore({ slots: 1, waiting: 3, waitMs: 20, busy })
  expect(semaphore.take({ projectId: 'one' })).toBe(true)
  const run = () => semaphore.run({ projectId: 'one' }, async () => 'yes')
  await expect(run()).rejects.toMatchObject({ status: 503 })
  expect(semaphore.waitingCount).toBe(0)
  semaphore.release({ projectId: 'one' })
  expect(await run()).toBe('yes')
})
