import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Batches } from './batches.ts'

test('what is asked for together, and while a batch runs, shares one', async () => {
  const batches: number[][] = []
  const gate = Promise.withResolvers<void>()
  const doubled = new Batches(async (items: number[]) => {
    batches.push(items)
    if (batches.length === 1) await gate.promise
    return items.map((item) => item * 2)
  }, 3)
  const first = [doubled.do(1), doubled.do(2)]
  await turn()
  const later = [3, 4, 5, 6].map((item) => doubled.do(item))
  gate.resolve()
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12])
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('a batch that fails fails its own items, and the next one goes on', async () => {
  const picky = new Batches(async (items: string[]) => {
    if (items.includes('bad')) throw new Error('refused')
    return items
  }, 10)
  await expect(Promise.all([picky.do('bad'), picky.do('good')])).rejects.toThrow('refused')
  expect(await picky.do('good')).toBe('good')
})
