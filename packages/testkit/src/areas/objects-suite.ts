import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { type ByteRange, Objects } from '#platform/storage/objects.ts'
import { TEST_SECRET_KEY } from '../provided.ts'
import type { S3Bench } from '../servers/s3.ts'

const MIB = 1024 * 1024
/** The first start in a container fetches what it is made of. */
const START_TIMEOUT_MS = 180_000

/** A storage of our own on a server that is told nothing else. */
export const objectsOn = (environment: S3Bench['environment']): Objects =>
  new Objects(
    readConfig({ DATABASE_URL: 'postgres://nowhere/none', SECRET_KEY: TEST_SECRET_KEY, ...environment }),
  )

/** The bytes of an object, in pieces. */
export async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part)
}

async function* thenFails(bytes: number, error: Error): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024)
  throw error
}

/** What is being tested, once it has been started. */
interface Bench {
  readonly s3: S3Bench
  readonly objects: Objects
  read(key: string, range?: ByteRange): Promise<string | undefined>
}

/** What `Objects` promises on every server that speaks S3. */
export function objectsSuite(start: () => Promise<S3Bench>): void {
  let s3: S3Bench
  let objects: Objects
  beforeAll(async () => {
    s3 = await start()
    objects = objectsOn(s3.environment)
  }, START_TIMEOUT_MS)
  beforeEach(() => objects.removeBelow('one/'))
  afterAll(async () => {
    objects?.close()
    await s3?.close()
  })
  const bench: Bench = {
    get s3() {
      return s3
    },
    get objects() {
      return objects
    },
    read: async (key, range) => {
      const found = await objects.get(key, range)
      return found && Buffer.concat(await found.body.toArray()).toString()
    },
  }
  describe('an object', () => objectTests(bench))
  describe('an upload that breaks off', () => brokenUploadTests(bench))
  describe('a signed URL', () => signedUrlTests(bench))

  test('a secret that is not the server’s opens nothing, and the reason stays with us', async () => {
    const wrong = objectsOn({ ...s3.environment, S3_SECRET_ACCESS_KEY: 'not the one' })
    onTestFinished(() => wrong.close())
    const fault = await wrong.ping().catch((error: Error) => error)
    expect(fault).toMatchObject({ status: 503, message: expect.not.stringContaining('ignature') })
    expect(fault).toHaveProperty('cause')
  })
}

function objectTests(bench: Bench): void {
  test('comes back as it was written, whole or in part', async () => {
    const { objects } = bench
    await objects.put('one/a', chunks('hel', 'lo'))
    expect(await bench.read('one/a')).toBe('hello')
    expect(await objects.sizeOf('one/a')).toBe(5)
    const part = { start: 1, end: 3 }
    expect(await bench.read('one/a', part)).toBe('ell')
    const opened = await objects.get('one/a', part)
    opened?.body.destroy()
    expect(opened?.length).toBe(3)
  })

  test('may be empty', async () => {
    await bench.objects.put('one/empty', chunks())
    expect(await bench.objects.sizeOf('one/empty')).toBe(0)
    expect(await bench.read('one/empty')).toBe('')
  })

  test('that is larger than a part comes back byte for byte', async () => {
    const parts = Array.from({ length: 13 }, () => randomBytes(MIB))
    await bench.objects.put('one/large', chunks(...parts))
    const hash = createHash('sha256')
    for await (const chunk of (await bench.objects.get('one/large'))?.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
    expect(await bench.s3.unfinished()).toBe(0)
  })

  test('may be stored part by part, whose numbers have gaps', async () => {
    const { parts } = bench.objects
    const upload = await parts.begin('one/parts')
    const last = await parts.put('one/parts', upload, 7, Buffer.from('the end'))
    const first = await parts.put('one/parts', upload, 2, Buffer.alloc(5 * MIB, 'x'))
    expect(await bench.objects.sizeOf('one/parts')).toBeUndefined()
    await parts.complete('one/parts', upload, [first, last])
    expect(await bench.objects.sizeOf('one/parts')).toBe(5 * MIB + 7)
    expect(await bench.read('one/parts', { start: 5 * MIB - 1, end: 5 * MIB + 6 })).toBe('xthe end')
    expect(await bench.s3.unfinished()).toBe(0)
  })

  test('that is missing is undefined', async () => {
    expect(await bench.objects.get('one/none')).toBeUndefined()
    expect(await bench.objects.sizeOf('one/none')).toBeUndefined()
    expect(await bench.objects.copy('one/none', 'one/b')).toBe(false)
  })

  test('is copied, and removed with everything below its prefix but what is to stay', async () => {
    const { objects, s3 } = bench
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
}

function brokenUploadTests(bench: Bench): void {
  test.each([
    ['small', 64 * 1024],
    ['large', 12 * MIB],
  ])('leaves nothing where it was %s', async (_size, bytes) => {
    const broken = new Error('the sender went away')
    await expect(bench.objects.put('one/broken', thenFails(bytes, broken))).rejects.toBe(broken)
    expect(await bench.s3.keys()).toEqual([])
    expect(await bench.s3.unfinished()).toBe(0)
  })

  test('by a process that died is cleared away with its prefix', async () => {
    const { promise: never } = Promise.withResolvers<never>()
    async function* stuck(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 7; i++) yield Buffer.alloc(MIB)
      await never
    }
    bench.objects.put('one/stuck/a', stuck()).catch(() => undefined)
    await expect.poll(() => bench.s3.unfinished()).toBe(1)
    await bench.objects.removeBelow('one/stuck/')
    expect(await bench.s3.unfinished()).toBe(0)
  })
}

function signedUrlTests(bench: Bench): void {
  test('takes exactly the size and type that it was signed for', async () => {
    const url = await bench.objects.signedPut('one/signed', { size: 5, type: 'image/png', seconds: 60 })
    const put = async (body: string, type: string) =>
      (await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status
    expect(await put('hello!', 'image/png')).toBe(403)
    expect(await put('hell', 'image/png')).toBe(403)
    expect(await put('hello', 'text/html')).toBe(403)
    expect(await bench.s3.keys()).toEqual([])
    expect(await put('hello', 'image/png')).toBe(200)
    expect(await bench.read('one/signed')).toBe('hello')
  })

  test('gives one object, with the type and the name that it was signed with', async () => {
    await bench.objects.put('one/a', chunks('hello'))
    await bench.objects.put('one/b', chunks('other'))
    const disposition = "attachment; filename*=UTF-8''%E2%82%AC.txt"
    const url = await bench.objects.signedGet('one/a', { type: 'text/plain', disposition, seconds: 60 })
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
    await bench.objects.put('one/a', chunks('hello'))
    const signed = { type: 'text/plain', disposition: 'inline', seconds: 1 }
    const url = await bench.objects.signedGet('one/a', signed)
    await expect.poll(async () => (await fetch(url)).status, { timeout: 5_000, interval: 200 }).toBe(403)
  })
}
