import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Batcher, type BatcherOptions, eachInOrder } from './batcher.ts'

/** A batcher whose batches end when the test says so; they are listed in the order in which they began. */
function gated(options: Omit<BatcherOptions<string, string>, 'work'>) {
  const begun: { items: string[]; end: () => void }[] = []
  const work = async (items: string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    begun.push({ items, end: resolve })
    await promise
    return items.map((item) => item.toUpperCase())
  }
  const batcher = new Batcher<string, string>({ ...options, work: eachInOrder(work) })
  return { batcher, begun, batches: () => begun.map(({ items }) => items.join(' ')) }
}

test('what is added together, and while a batch is under way, shares one', async () => {
  const { batcher, begun, batches } = gated({ begins: 'at once', largest: 3 })
  const first = ['a', 'b'].map((item) => batcher.add(item))
  await turn()
  const later = ['c', 'd', 'e', 'f'].map((item) => batcher.add(item))
  for (const n of [0, 1, 2]) {
    expect(begun).toHaveLength(n + 1)
    begun[n]?.end()
    await turn()
  }
  expect(await Promise.all([...first, ...later])).toEqual(['A', 'B', 'C', 'D', 'E', 'F'])
  expect(batches()).toEqual(['a b', 'c d e', 'f'])
  expect(batcher.size).toBe(0)
})

test('a batch that fails fails its own items, and the next one goes on', async () => {
  const work = eachInOrder(async (items: string[]) => {
    if (items.includes('bad')) throw new Error('refused')
    return items
  })
  const picky = new Batcher<string, string>({ begins: 'at once', work })
  const outcomes = await Promise.allSettled([picky.add('bad'), picky.add('good')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await picky.add('good')).toBe('good')
})

test('keys take turns, and a key has a further batch under way only where enough waits for it', async () => {
  const { batcher, begun, batches } = gated({
    begins: 'at once',
    keyOf: (item) => item.charAt(0),
    largest: 2,
    concurrency: 3,
    overlapAt: 3,
  })
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1'].map((item) => batcher.add(item))
  await turn()
  // One waits for a, which has batches under way.
  expect(batches()).toEqual(['a1 a2', 'b1', 'a3 a4'])
  begun[0]?.end()
  await turn()
  expect(begun).toHaveLength(3)
  begun[2]?.end()
  await turn()
  expect(batches().at(-1)).toBe('a5')
  for (const { end } of begun) end()
  expect(await Promise.all(all)).toHaveLength(6)
})

test('a batch has the size that it may have, and an item that is larger has its own', async () => {
  const { batcher, begun, batches } = gated({ begins: 'at once', sizeOf: (item) => item.length, largest: 4 })
  const all = ['aa', 'bb', 'c', 'dddddd', 'e'].map((item) => batcher.add(item))
  expect(batcher.size).toBe(12)
  for (let n = 0; n < 4; n++) {
    await turn()
    begun[n]?.end()
  }
  await Promise.all(all)
  expect(batches()).toEqual(['aa bb', 'c', 'dddddd', 'e'])
})

test('it is idle when all batches have ended', async () => {
  const { batcher, begun } = gated({ begins: 'end of turn' })
  await batcher.idle()
  const added = batcher.add('a')
  let isIdle = false
  const idle = batcher.idle().then(() => {
    isIdle = true
  })
  await turn()
  await turn()
  expect([begun.length, isIdle]).toEqual([1, false])
  begun[0]?.end()
  await Promise.all([added, idle])
})
