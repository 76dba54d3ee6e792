import { expect, test } from 'vitest'
import { within } from './within.ts'

const stall = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('what is not so in time fails with what the last look found', async () => {
  const began = performance.now()
  const never = within(200, () => expect('old').toBe('new'))
  await expect(never).rejects.toThrow(/old/)
  expect(performance.now() - began).toBeGreaterThanOrEqual(200)
})

test('a stall is not counted', async () => {
  let looks = 0
  await within(200, () => {
    looks += 1
    if (looks < 3) stall(300)
    expect(looks).toBe(3)
  })
  expect(looks).toBe(3)
})
