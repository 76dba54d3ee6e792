import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chunks, objectsOn, objectsSuite } from '#testkit/areas/storage/objects-suite.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import type { Objects } from './objects.ts'

describe('storage on the S3 server that comes along', () => objectsSuite(startS3))

let s3: TestS3
let objects: Objects
beforeAll(async () => {
  s3 = await startS3()
  objects = objectsOn(s3.environment)
})
afterAll(async () => {
  objects.close()
  await s3.close()
})

test('an upload is no longer read once the storage has failed', async () => {
  let stopped = false
  async function* endless(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        await sleep(1)
        yield Buffer.alloc(256 * 1024)
      }
    } finally {
      stopped = true
    }
  }
  const nowhere = objectsOn({ ...s3.environment, S3_ENDPOINT: 'http://127.0.0.1:1' })
  onTestFinished(() => nowhere.close())
  await expect(nowhere.put('one/a', endless())).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' })
  await expect.poll(() => stopped).toBe(true)
})

test('a signed URL names the address that browsers know', async () => {
  const behind = objectsOn({ ...s3.environment, S3_PUBLIC_ENDPOINT: 'https://files.example.com' })
  onTestFinished(() => behind.close())
  const url = await behind.signedGet('one/a', { type: 'text/plain', disposition: 'inline', seconds: 60 })
  expect(url).toMatch(/^https:\/\/files\.example\.com\/guildhall\/one\/a\?/)
})

describe('without a storage', () => {
  test('everything is answered by what is missing, and nothing is asked for', async () => {
    const none = objectsOn({})
    expect(none.isSetUp).toBe(false)
    const unavailable = { status: 503, code: 'UNAVAILABLE', message: expect.stringContaining('S3_BUCKET') }
    await expect(none.ping()).rejects.toMatchObject(unavailable)
    await expect(none.put('one/a', chunks('x'))).rejects.toMatchObject(unavailable)
    await expect(none.get('one/a')).rejects.toMatchObject(unavailable)
  })

  test('that can be reached, everything is unavailable until it is back', async () => {
    await s3.stop()
    await expect(objects.ping()).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    await expect(objects.sizeOf('one/a')).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    await s3.start()
    await expect(objects.ping()).resolves.toBeUndefined()
  })
})
