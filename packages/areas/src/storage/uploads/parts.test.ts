import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import type { StoredFile, Upload } from '../schema.ts'

const MIB = 1024 * 1024
/** Two parts: S3 takes none under 5 MiB but the last. */
const LARGE = randomBytes(10 * MIB + 1)

let env: StorageEnvironment
let side: Side
// Larger files than this are in parts, and read by a job.
withStorage(
  (opened) => {
    env = opened
    side = env.side
  },
  { UPLOAD_LIMIT_MIB: '1' },
)

interface Refused {
  readonly code: string
  readonly details?: readonly { readonly field: string; readonly rule: string }[]
}
type Answered = Refused & { readonly data: StoredFile }
interface Sent {
  readonly part: number
  readonly etag: string
}

const ask = (request: object) =>
  side.admin.post<Refused & { data: Upload }>('/storage/uploads', {
    ...{ name: 'large.bin', size: LARGE.length, content_type: 'application/octet-stream', parts: 2 },
    ...request,
  })
async function announce(request: object = {}): Promise<Upload> {
  const { status, body } = await ask(request)
  expect(status).toBe(201)
  return body.data
}
/** Sends a part, and answers what completing it takes. */
async function put({ parts = [] }: Upload, part: number, bytes: Buffer): Promise<Sent & { status: number }> {
  const url = parts[part - 1]?.url ?? ''
  const { status, headers } = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })
  return { status, part, etag: headers.get('etag') ?? '' }
}
const bytesOf = ({ parts = [] }: Upload, part: number, all = LARGE): Buffer => {
  const sizes = parts.map(({ size }) => size)
  const start = sizes.slice(0, part - 1).reduce((sum, size) => sum + size, 0)
  return all.subarray(start, start + (sizes[part - 1] ?? 0))
}
const named = ({ part, etag }: Sent): Sent => ({ part, etag })
async function sendAll(upload: Upload, all = LARGE): Promise<Sent[]> {
  const parts = (upload.parts ?? []).map(({ part }) => part)
  // The last one first: parts come in any order.
  const sent: Sent[] = []
  for (const part of parts.toReversed()) sent.push(named(await put(upload, part, bytesOf(upload, part, all))))
  return sent
}
const complete = ({ id }: Upload, parts?: unknown, client: Client = side.admin) =>
  client.post<Answered>(`/storage/uploads/${id}/complete`, parts === undefined ? {} : { parts })
const rules = ({ status, body }: { status: number; body: Refused }) => [
  status,
  ...(body.details ?? []).map(({ field, rule }) => `${field} ${rule}`),
]
const keysOf = async ({ id }: Upload) =>
  (await env.s3.keys()).filter((key) => key.includes(parseId('file', id) ?? 'none'))
const small = (bytes: string) => ({ size: bytes.length, parts: 1, content_type: 'text/plain', name: 'a.txt' })

test('an upload in parts is larger than other files may be, and is every byte of its parts in their order', async () => {
  // S3 takes a last part of any size.
  const upload = await announce({ parts: 3 })
  expect(upload.url).toBeNull()
  expect(upload.parts?.map(({ part, size }) => [part, size])).toEqual([
    [1, 5 * MIB],
    [2, 5 * MIB],
    [3, 1],
  ])
  const sent = await sendAll(upload)
  expect(await complete(upload, sent)).toMatchObject({ status: 200, body: { data: { status: 'pending' } } })
  const worker = env.work()
  await env.reconcile()
  const get = async () =>
    (await side.admin.get<{ data: StoredFile }>(`/storage/files/${upload.id}`)).body.data
  await expect.poll(async () => (await get()).status, SOON).toBe('ready')
  await worker.stop()
  const file = await get()
  expect(file).toMatchObject({
    size: LARGE.length,
    checksum_sha256: createHash('sha256').update(LARGE).digest('hex'),
  })
  const read = Buffer.from(await (await env.read(file)).arrayBuffer())
  expect(read.equals(LARGE)).toBe(true)
  expect(await keysOf(upload)).toHaveLength(1)
  expect(await env.s3.unfinished()).toBe(0)
  const events = await env.sql(`select 1 from events where type = 'file.created' and payload ->> 'id' = $1`, [
    upload.id,
  ])
  expect(events).toHaveLength(1)
  // Once more: the file again.
  expect((await complete(upload, sent)).body.data).toEqual(file)
})

test('URLs of parts take exactly their size, and nothing after the upload is complete', async () => {
  const upload = await announce(small('hello'))
  expect((await put(upload, 1, Buffer.from('hell'))).status).toBe(403)
  expect((await put(upload, 1, Buffer.from('hello!'))).status).toBe(403)
  const first = await put(upload, 1, Buffer.from('other'))
  const second = await put(upload, 1, Buffer.from('hello'))
  // The part was sent again: the ETag of before is not that of what is there.
  expect(rules(await complete(upload, [named(first)]))).toEqual([422, 'parts[0].etag etag'])
  const { body } = await complete(upload, [named(second)])
  expect(body.data).toMatchObject({ status: 'ready', size: 5, content_type: 'text/plain' })
  expect((await put(upload, 1, Buffer.from('other'))).status).toBe(404)
  expect(await (await env.read(body.data)).text()).toBe('hello')
})

test('parts that are missing, named twice, too many, not sent or not those are refused, all faults at once', async () => {
  const upload = await announce()
  const one = named(await put(upload, 1, bytesOf(upload, 1)))
  expect(rules(await complete(upload))).toEqual([422, 'parts required'])
  expect(rules(await complete(upload, []))).toEqual([422, 'parts required'])
  expect(rules(await complete(upload, [one]))).toEqual([422, 'parts required'])
  expect(rules(await complete(upload, [one, { part: 2, etag: one.etag }]))).toEqual([
    422,
    'parts[1].part exists',
  ])
  expect(rules(await complete(upload, [one, one, { part: 3, etag: 'x' }]))).toEqual([
    ...[422, 'parts[1].part unique', 'parts[2].part maximum', 'parts required'],
  ])
  const two = named(await put(upload, 2, bytesOf(upload, 2)))
  expect(rules(await complete(upload, [two, { part: 1, etag: two.etag }]))).toEqual([
    422,
    'parts[1].etag etag',
  ])
  expect(refusalOf(await complete(upload, [one, { part: 2, etag: '' }]))).toBe('422 VALIDATION_ERROR')
  const whole = await side.admin.post<{ data: Upload }>('/storage/uploads', {
    ...{ name: 'x', size: 1, content_type: 'text/plain' },
  })
  expect(rules(await complete(whole.body.data, [one]))).toEqual([422, 'parts additionalProperties'])
  const [, other] = env.others
  expect(refusalOf(await complete(upload, [one, two], other.admin))).toBe('404 NOT_FOUND')
  expect((await complete(upload, [two, one])).status).toBe(200)
})

test('many who complete at once all get the same file, which is announced once', async () => {
  const upload = await announce(small('hello'))
  const sent = await sendAll(upload, Buffer.from('hello'))
  const answers = await Promise.all(Array.from({ length: 5 }, () => complete(upload, sent)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.data?.checksum_sha256}`)).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200, body: { data: { status: 'ready' } } })
  const events = await env.sql(`select 1 from events where type = 'file.created' and payload ->> 'id' = $1`, [
    upload.id,
  ])
  expect(events).toHaveLength(1)
})

test.each([
  ['more parts than there may be', { parts: 10_000, size: 1_000 * MIB }, 'parts maximum'],
  ['no part', { parts: 0 }, 'parts minimum'],
  ['parts under 5 MiB beside the last', { parts: 4 }, 'parts maximum'],
  ['parts over 5 GiB', { parts: 1, size: 6 * 1024 * MIB }, 'parts minimum'],
  ['more than S3 keeps', { parts: 1_000, size: 6 * 1024 ** 4 }, 'size maximum'],
])('an upload with %s is refused', async (_what, request, rule) => {
  expect(rules(await ask(request))).toEqual([422, rule])
})

test('an upload in parts is limited by the quota, which it reserves', async () => {
  const quota = await side.admin.get<{ data: { quota_bytes: number } }>('/storage/usage')
  expect(quota.body.data.quota_bytes).toBeGreaterThan(1024 ** 4)
  await env.sql('update projects set storage_quota = $2 where id = $1', [side.projectId, LARGE.length * 3])
  expect((await ask({ size: LARGE.length * 4, parts: 4 })).body.code).toBe('QUOTA_EXCEEDED')
  await env.sql('update projects set storage_quota = null where id = $1', [side.projectId])
})

test('an upload in parts that nobody completes is given up with its parts, and its quota comes back', async () => {
  const used = async () =>
    (await side.admin.get<{ data: { bytes: number } }>('/storage/usage')).body.data.bytes
  const before = await used()
  const upload = await announce({ name: 'never.bin' })
  const sent = await sendAll(upload)
  expect(await used()).toBe(before + LARGE.length)
  const age = (time: string) =>
    env.sql(
      `update files set due_at = now(), upload_expires_at = upload_expires_at - $1::interval where name = 'never.bin'`,
      [time],
    )
  const worker = env.work()
  const runs = async () =>
    (
      await env.sql(
        `select 1 from jobs where name = 'storage.finish-file' and state = 'done' and payload ->> 'file_id' = $1`,
        [parseId('file', upload.id)],
      )
    ).length
  // A client can still complete it.
  await age('23 hours')
  await env.reconcile()
  await expect.poll(runs, SOON).toBe(1)
  expect((await side.admin.get(`/storage/files/${upload.id}`)).status).toBe(200)
  await age('4 hours')
  await env.reconcile()
  await expect.poll(async () => (await side.admin.get(`/storage/files/${upload.id}`)).status, SOON).toBe(404)
  await expect.poll(() => env.s3.unfinished(), SOON).toBe(0)
  await worker.stop()
  expect(await used()).toBe(before)
  expect(refusalOf(await complete(upload, sent))).toBe('404 NOT_FOUND')
})

test('an outage of the storage is a 503, before and after the parts are sent, and nothing is lost', async () => {
  const upload = await announce(small('hello'))
  const sent = await sendAll(upload, Buffer.from('hello'))
  await env.s3.stop()
  expect((await ask({})).status).toBe(503)
  expect((await complete(upload, sent)).status).toBe(503)
  await env.s3.start()
  expect((await complete(upload, sent)).status).toBe(200)
})
