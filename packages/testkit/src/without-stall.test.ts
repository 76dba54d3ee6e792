import { expect, test } from 'vitest'
import { withoutStall } from './without-stall.ts'

const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a scenario that fails in a stall is run again', async () => {
  let rounds = 0
  await withoutStall(200, async () => {
    rounds += 1
    if (rounds === 2) return
    stall(300)
    throw new Error('too late')
  })
  expect(rounds).toBe(2)
})

test('a scenario that fails without one is not', async () => {
  let rounds = 0
  const broken = withoutStall(5_000, async () => {
    rounds += 1
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(rounds).toBe(1)
})
