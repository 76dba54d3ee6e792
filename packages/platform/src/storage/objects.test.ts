import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { startS3, type TestS3 } from '#testkit/s3.ts'
import { Objects } from './objects.ts'

const NEEDED = { DATABASE_URL: 'postgres://nowhere/none', SECRET_KEY: 'k'.repeat(32) }
const MIB = 1024 * 1024

let s3: TestS3
let objects: Objects
beforeAll(async () => {
  s3 = await startS3()
  objects = new Objects(readConfig({ ...NEEDED, ...s3.environment }))
})
beforeEach(() => objects.removeBelow('one/'))
afterAll(async () => {
  objects.close()
  await s3.close()
})

async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

async function* thenFails(bytes: number, error: Error): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024)
  throw error
}

async function read(key: string): Promise<string | undefined> {
  const found = await objects.get(key)
  return found && Buffer.concat(await found.body.toArray()).toString()
}

describe('an object', () => {
  test('comes back as it was written, whole or in part', async () => {
    await objects.put('one/a', chunks('hel', 'lo'))
    expect(await read('one/a')).toBe('hello')
    expect(await objects.sizeOf('one/a')).toBe(5)
    const part = await objects.get('one/a', { start: 1, end: 3 })
    expect(part?.length).toBe(3)
    expect(Buffer.concat((await part?.body.toArray()) ?? []).toString()).toBe('ell')
  })

  test('may be empty', async () => {
    await objects.put('one/empty', chunks())
    expect(await objects.sizeOf('one/empty')).toBe(0)
    expect(await read('one/empty')).toBe('')
  })

  test('that is larger than a part comes back byte for byte', async () => {
    const parts = Array.from({ length: 13 }, () => randomBytes(MIB))
    await objects.put('one/large', chunks(...parts))
    const hash = createHash('sha256')
    for await (const chunk of (await objects.get('one/large'))?.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
    expect(await s3.unfinished()).toBe(0)
  })

  test('that is missing is undefined', async () => {
    expect(await objects.get('one/none')).toBeUndefined()
    expect(await objects.sizeOf('one/none')).toBeUndefined()
    expect(await objects.copy('one/none', 'one/b')).toBe(false)
  })

  test('is copied, and removed with everything below its prefix but what is to stay', async () => {
    await objects.put('one/a/1', chunks('x'))
    expect(await objects.copy('one/a/1', 'one/a/2')).toBe(true)
    await objects.put('one/ab', chunks('y'))
    expect(await s3.keys()).toEqual(['one/a/1', 'one/a/2', 'one/ab'])
    await objects.removeBelow('one/a/', 'one/a/2')
    expect(await s3.keys()).toEqual(['one/a/2', 'one/ab'])
    await objects.removeBelow('one/a/')
    await objects.removeBelow('one/a/')
    expect(await s3.keys()).toEqual(['one/ab'])
    await expect(objects.removeBelow('one/a')).rejects.toThrow(RangeError)
  })
})

describe('an upload that breaks off', () => {
  test.each([
    ['small', 64 * 1024],
    ['large', 12 * MIB],
  ])('leaves nothing where it was %s', async (_size, bytes) => {
    const broken = new Error('the sender went away')
    await expect(objects.put('one/broken', thenFails(bytes, broken))).rejects.toBe(broken)
    expect(await s3.keys()).toEqual([])
    expect(await s3.unfinished()).toBe(0)
  })

  test('is no longer read once the storage has failed', async () => {
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
    const nowhere = new Objects(
      readConfig({ ...NEEDED, ...s3.environment, S3_ENDPOINT: 'http://127.0.0.1:1' }),
    )
    onTestFinished(() => nowhere.close())
    await expect(nowhere.put('one/a', endless())).rejects.toMatchObject({ status: 503, code: 'UNAVAILABLE' })
    await expect.poll(() => stopped).toBe(true)
  })

  test('by a process that died is cleared away with its prefix', async () => {
    const { promise: never } = Promise.withResolvers<never>()
    async function* stuck(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 7; i++) yield Buffer.alloc(MIB)
      await never
    }
    objects.put('one/stuck/a', stuck()).catch(() => undefined)
    await expect.poll(() => s3.unfinished()).toBe(1)
    await objects.removeBelow('one/stuck/')
    expect(await s3.unfinished()).toBe(0)
  })
})

describe('a signed URL', () => {
  test('takes exactly the size and type that it was signed for', async () => {
    const url = await objects.signedPut('one/signed', { size: 5, type: 'image/png', seconds: 60 })
    const put = async (body: string, type: string) =>
      (await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status
    expect(await put('hello!', 'image/png')).toBe(403)
    expect(await put('hell', 'image/png')).toBe(403)
    expect(await put('hello', 'text/html')).toBe(403)
    expect(await s3.keys()).toEqual([])
    expect(await put('hello', 'image/png')).toBe(200)
    expect(await read('one/signed')).toBe('hello')
  })

  test('gives one object, with the type and the name that it was signed with', async () => {
    await objects.put('one/a', chunks('hello'))
    await objects.put('one/b', chunks('other'))
    const disposition = "attachment; filename*=UTF-8''%E2%82%AC.txt"
    const url = await objects.signedGet('one/a', { type: 'text/plain', disposition, seconds: 60 })
    const answer = await fetch(url)
    expect(await answer.text()).toBe('hello')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-disposition')).toBe(disposition)
    expect((await fetch(url.replace('one/a', 'one/b'))).status).toBe(403)
    expect((await fetch(url.replace('attachment', 'inline'))).status).toBe(403)
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(403)
    expect((await fetch(url.split('?')[0] ?? '')).status).toBe(403)
  })

  test('stops working when its time is over', async () => {
    await objects.put('one/a', chunks('hello'))
    const url = await objects.signedGet('one/a', { type: 'text/plain', disposition: 'inline', seconds: 1 })
    await expect.poll(async () => (await fetch(url)).status, { timeout: 5_000, interval: 200 }).toBe(403)
  })

  test('names the address that browsers know', async () => {
    const behind = new Objects(
      readConfig({ ...NEEDED, ...s3.environment, S3_PUBLIC_ENDPOINT: 'https://files.example.com' }),
    )
    onTestFinished(() => behind.close())
    const url = await behind.signedGet('one/a', { type: 'text/plain', disposition: 'inline', seconds: 60 })
    expect(url).toMatch(/^https:\/\/files\.example\.com\/guildhall\/one\/a\?/)
  })
})

describe('without a storage', () => {
  test('everything is answered by what is missing, and nothing is asked for', async () => {
    const none = new Objects(readConfig(NEEDED))
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

  test('or with a secret that is not its own, the reason stays with us', async () => {
    const wrong = new Objects(
      readConfig({ ...NEEDED, ...s3.environment, S3_SECRET_ACCESS_KEY: 'not the one' }),
    )
    onTestFinished(() => wrong.close())
    const fault = await wrong.ping().catch((error: Error) => error)
    expect(fault).toMatchObject({ status: 503, message: expect.not.stringContaining('ignature') })
    expect(fault).toHaveProperty('cause')
  })
})
