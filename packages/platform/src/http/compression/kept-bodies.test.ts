import { expect, test } from 'vitest'
import { KeptBodies } from './kept-bodies.ts'

test('bodies take no more memory than their bound, and are made again when they are asked for', async () => {
  let made = 0
  const bodies = new KeptBodies((name) => {
    made += 1
    return `${name} `.repeat(2_000)
  }, 100_000)
  for (let i = 0; i < 40; i += 1) await bodies.get(`page-${i}`, 'identity')
  expect(bodies.bytes).toBeLessThanOrEqual(100_000)
  const before = made
  await bodies.get('page-39', 'identity')
  expect(made).toBe(before)
  expect((await bodies.get('page-0', 'identity'))?.body.toString()).toMatch(/^page-0 /)
  expect(made).toBe(before + 1)
})

test('a body that is asked for by many at once is made and compressed once', async () => {
  let made = 0
  const bodies = new KeptBodies(async (name) => {
    made += 1
    return name.repeat(2_000)
  }, 100_000)
  const all = await Promise.all(Array.from({ length: 20 }, () => bodies.get('page', 'br')))
  expect([made, new Set(all).size]).toEqual([1, 1])
})

test('a name without a body is not kept', async () => {
  const bodies = new KeptBodies(() => undefined, 100_000)
  for (let i = 0; i < 100; i += 1) expect(await bodies.get(`nothing-${i}`, 'br')).toBeUndefined()
  expect(bodies.bytes).toBe(0)
})
