import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '#platform/parse-config.ts'
import { Objects } from '#platform/storage/objects.ts'
import type { ByteRange } from '#platform/storage/stored-object.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { TEST_SECRET_KEY } from '../../provided.ts'
import type { S3Environment } from '../../servers/s3.ts'

const MIB = 1024 * 1024
/** The first start in a container fetches what it is made of. */
const START_TIMEOUT_MS = 180_000

/** A storage of our own on a server without other settings. */
export const objectsOn = (environment: S3Environment['environment']): Objects =>
  new Objects(
    parseConfig({ DATABASE_URL: 'postgres://nowhere/none', SECRET_KEY: TEST_SECRET_KEY, ...environment }),
    makeLog('silent', 'test'),
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
interface ObjectsEnvironment {
  readonly s3: S3Environment
  readonly objects: Objects
  read(key: string, range?: ByteRange): Promise<string | undefined>
}

/** What `Objects` promises on every server that speaks S3. */
export function objectsSuite(start: () => Promise<S3Environment>): void {
  let s3: S3Environment
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
  const env: ObjectsEnvironment = {
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
  describe('an object', () => objectTests(env))
  describe('an upload that breaks off', () => brokenUploadTests(env))
  describe('a signed URL', () => signedUrlTests(env))

  test('a secret that is not the server’s opens nothing, and the reason stays with us', async () => {
    const wrong = objectsOn({ ...s3.environment, S3_SECRET_ACCESS_KEY: 'not the one' })
    onTestFinished(() => wrong.close())
    const fault = await wrong.ping().catch((error: Error) => error)
    expect(fault).toMatchObject({ status: 503, message: expect.not.stringContaining('ignature') })
    expect(fault).toHaveProperty('cause')
  })
}

function objectTests(env: ObjectsEnvironment): void {
  test('comes back as it was written, whole or in part', async () => {
    const { objects } = env
    await objects.put('one/a', chunks('hel', 'lo'))
    expect(await env.read('one/a')).toBe('hello')
    expect(await objects.sizeOf('one/a')).toBe(5)
    const part = { start: 1, end: 3 }
    expect(await env.read('one/a', part)).toBe('ell')
    const opened = await objects.get('one/a', part)
    opened?.body.destroy()
    expect(opened?.length).toBe(3)
  })

  test('may be empty', async () => {
    await env.objects.put('one/empty', chunks())
    expect(await env.objects.sizeOf('one/empty')).toBe(0)
    expect(await env.read('one/empty')).toBe('')
  })

  test('that is larger than a part comes back byte for byte', async () => {
    const parts = Array.from({ length: 13 }, () => randomBytes(MIB))
    await env.objects.put('one/large', chunks(...parts))
    const hash = createHash('sha256')
    for await (const chunk of (await env.objects.get('one/large'))?.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(Buffer.concat(parts)).digest('hex'))
    expect(await env.s3.unfinished()).toBe(0)
  })

  test('may be stored part by part, whose numbers have gaps', async () => {
    const { parts } = env.objects
    const upload = await parts.begin('one/parts')
    const last = await parts.put('one/parts', upload, 7, Buffer.from('the end'))
    const first = await parts.put('one/parts', upload, 2, Buffer.alloc(5 * MIB, 'x'))
    expect(await env.objects.sizeOf('one/parts')).toBeUndefined()
    await parts.complete('one/parts', upload, [first, last])
    expect(await env.objects.sizeOf('one/parts')).toBe(5 * MIB + 7)
    expect(await env.read('one/parts', { start: 5 * MIB - 1, end: 5 * MIB + 6 })).toBe('xthe end')
    expect(await env.s3.unfinished()).toBe(0)
  })

  test('that is missing is undefined', async () => {
    expect(await env.objects.get('one/none')).toBeUndefined()
    expect(await env.objects.sizeOf('one/none')).toBeUndefined()
    expect(await env.objects.copy('one/none', 'one/b')).toBe(false)
  })

  test('is copied, and removed with everything below its prefix but what is to stay', async () => {
    const { objects, s3 } = env
    await objects.put('one/a/1', chunks('x'))
    expect(await objects.copy('one/a/1', 'one/a/2')).toBe(true)
    await objects.put('one/ab', chunks('y'))
    expect(await s3.keys()).toEqual(['one/a/1', 'one/a/2', 'one/ab'])
    await objects.removeBelow('one/a/', ['one/a/2'])
    expect(await s3.keys()).toEqual(['one/a/2', 'one/ab'])
    await objects.removeBelow('one/a/')
    await objects.removeBelow('one/a/')
    expect(await s3.keys()).toEqual(['one/ab'])
    await expect(objects.removeBelow('one/a')).rejects.toThrow(RangeError)
  })
}

function brokenUploadTests(env: ObjectsEnvironment): void {
  test.each([
    ['small', 64 * 1024],
    ['large', 12 * MIB],
  ])('leaves nothing where it was %s', async (_size, bytes) => {
    const broken = new Error('the sender went away')
    await expect(env.objects.put('one/broken', thenFails(bytes, broken))).rejects.toBe(broken)
    expect(await env.s3.keys()).toEqual([])
    expect(await env.s3.unfinished()).toBe(0)
  })

  test('by a process that died is cleared away with its prefix', async () => {
    const { promise: never } = Promise.withResolvers<never>()
    async function* stuck(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 7; i++) yield Buffer.alloc(MIB)
      await never
    }
    env.objects.put('one/stuck/a', stuck()).catch(() => undefined)
    await expect.poll(() => env.s3.unfinished()).toBe(1)
    await env.objects.removeBelow('one/stuck/')
    expect(await env.s3.unfinished()).toBe(0)
  })
}

function signedUrlTests(env: ObjectsEnvironment): void {
  test('takes exactly the size and type that it was signed for', async () => {
    const url = await env.objects.signedPut('one/signed', { size: 5, type: 'image/png', seconds: 60 })
    const put = async (body: string, type: string) =>
      (await fetch(url, { method: 'PUT', body, headers: { 'content-type': type } })).status
    expect(await put('hello!', 'image/png')).toBe(403)
    expect(await put('hell', 'image/png')).toBe(403)
    expect(await put('hello', 'text/html')).toBe(403)
    expect(await env.s3.keys()).toEqual([])
    expect(await put('hello', 'image/png')).toBe(200)
    expect(await env.read('one/signed')).toBe('hello')
  })

  test('gives one object, with the type and the name that it was signed with', async () => {
    await env.objects.put('one/a', chunks('hello'))
    await env.objects.put('one/b', chunks('other'))
    const disposition = "attachment; filename*=UTF-8''%E2%82%AC.txt"
    const url = await env.objects.signedGet('one/a', { type: 'text/plain', disposition, seconds: 60 })
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
    await env.objects.put('one/a', chunks('hello'))
    const signed = { type: 'text/plain', disposition: 'inline', seconds: 1 }
    const url = await env.objects.signedGet('one/a', signed)
    await expect.poll(async () => (await fetch(url)).status).toBe(403)
  })
}
