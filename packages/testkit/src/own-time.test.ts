import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownTime } from './own-time.ts'

test('it is the time that passes, without that of stalls', async () => {
  const waiting = await ownTime(async () => {
    await sleep(300)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500)
    await sleep(300)
  })
  expect(waiting).toBeGreaterThan(200)
  expect(waiting).toBeLessThan(1_500)
})
