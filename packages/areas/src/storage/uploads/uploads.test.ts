import { describe, expect, test, vi } from 'vitest'
import { type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import type { StoredFile, Upload, UploadRequest } from '../schema.ts'

let env: StorageEnvironment
let side: Side
withStorage(
  (opened) => {
    env = opened
    side = env.side
  },
  { UPLOAD_LIMIT_MIB: '1' },
)

async function announce(request: Partial<UploadRequest> = {}): Promise<Upload> {
  const { status, body } = await side.admin.post<{ data: Upload }>('/storage/uploads', {
    name: 'direct.txt',
    size: 5,
    content_type: 'text/plain',
    ...request,
  })
  expect(status).toBe(201)
  return body.data
}

const put = ({ url, headers }: Upload, body: string) => fetch(url ?? '', { method: 'PUT', headers, body })
const complete = ({ id }: Upload) =>
  side.admin.post<{ data: StoredFile; code?: string }>(`/storage/uploads/${id}/complete`)
const get = async ({ id }: { id: string }) => side.admin.get<{ data: StoredFile }>(`/storage/files/${id}`)
const bytesUsed = async () =>
  (await side.admin.get<{ data: { bytes: number } }>('/storage/usage')).body.data.bytes
/** The file as the database knows it. */
const rowOf = ({ name }: Pick<StoredFile, 'name'>) =>
  env.sql<{ id: string; project_id: string; due_at: string | null }>('select * from files where name = $1', [
    name,
  ])
/** Lets so much time pass for a file. */
const age = (name: string, time: string) =>
  env.sql(
    `update files set due_at = now(), created_at = created_at - $2::interval,
       upload_expires_at = upload_expires_at - $2::interval where name = $1`,
    [name, time],
  )
/** How often it was looked at. */
const finishedRuns = async ({ name }: { name: string }) => {
  const [row] = await rowOf({ name })
  const done = await env.sql(
    `select 1 from jobs where name = 'storage.finish-file' and state = 'done' and payload ->> 'file_id' = $1`,
    [row?.id],
  )
  return done.length
}
const created = ({ id }: { id: string }) =>
  env.sql(`select 1 from events where type = 'file.created' and payload ->> 'id' = $1`, [id])

describe('an announced upload', () => {
  test('takes exactly its size and type', async () => {
    const upload = await announce()
    expect((await put(upload, 'more than five')).status).toBe(403)
    expect((await put(upload, 'less')).status).toBe(403)
    const lie = { ...upload, headers: { 'content-type': 'text/html' } }
    expect((await put(lie, 'hello')).status).toBe(403)
    expect(await complete(upload)).toMatchObject({ status: 422, body: { code: 'UPLOAD_INCOMPLETE' } })
    expect((await put(upload, 'hello')).status).toBe(200)
    expect(await complete(upload)).toMatchObject({
      status: 200,
      body: { data: { status: 'ready', size: 5 } },
    })
  })

  test('cannot be larger than a file may be', async () => {
    const { status, body } = await side.admin.post('/storage/uploads', {
      name: 'x',
      size: 1024 * 1024 + 1,
      content_type: 'text/plain',
    })
    expect([status, body]).toMatchObject([422, { details: [{ field: 'size', rule: 'maximum' }] }])
  })

  test('cannot be read, signed or seen in public before it is completed', async () => {
    const { id } = await announce({ visibility: 'public' })
    expect(refusalOf(await side.admin.get(`/storage/files/${id}/content`))).toBe('404 NOT_FOUND')
    const signed = await side.admin.post<{ code: string }>(`/storage/files/${id}/signed-url`, {})
    expect([signed.status, signed.body.code]).toEqual([422, 'FILE_PENDING'])
  })

  test('is typed by its bytes, whatever was announced', async () => {
    const page = '<html><script>alert(1)</script>'
    const upload = await announce({ size: page.length, content_type: 'image/png' })
    await put(upload, page)
    const { body } = await complete(upload)
    expect(body.data.content_type).toBe('text/html')
    expect((await env.read(body.data)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('reserves its size until it is deleted', async () => {
    const before = await bytesUsed()
    const { id } = await announce({ size: 1_000 })
    expect(await bytesUsed()).toBe(before + 1_000)
    expect((await side.admin.delete(`/storage/files/${id}`)).status).toBe(200)
    expect(await bytesUsed()).toBe(before)
    expect(
      await env.sql(`select 1 from events where type = 'file.deleted' and payload ->> 'id' = $1`, [id]),
    ).toEqual([])
  })
})

describe('completing', () => {
  test('by many at once makes one file, announced once, of one object', async () => {
    const upload = await announce({ name: 'many.txt' })
    await put(upload, 'hello')
    const answers = await Promise.all(Array.from({ length: 6 }, () => complete(upload)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await created(upload)).toHaveLength(1)
    const worker = env.work()
    const [row] = await rowOf({ name: 'many.txt' })
    const below = async () => (await env.s3.keys()).filter((key) => key.includes(row?.id ?? 'none'))
    await vi.waitFor(async () => expect(await below()).toHaveLength(1), SOON)
    await worker.stop()
    const file = answers[0]?.body.data
    expect(file && (await (await env.read(file)).text())).toBe('hello')
  })

  test('seals the bytes: what is sent to the URL afterwards changes nothing', async () => {
    const upload = await announce()
    await put(upload, 'first')
    const { body } = await complete(upload)
    expect((await put(upload, 'other')).status).toBe(200)
    expect(await (await env.read(body.data)).text()).toBe('first')
    expect((await complete(upload)).body.data).toEqual(body.data)
  })

  test('waits out an outage of the storage', async () => {
    const upload = await announce()
    await put(upload, 'hello')
    await env.s3.stop()
    expect(await complete(upload)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    await env.s3.start()
    expect((await complete(upload)).status).toBe(200)
  })
})

describe('an upload whose client never calls back', () => {
  test('is completed by itself when its bytes have come', async () => {
    const upload = await announce({ name: 'forgotten.txt' })
    await put(upload, 'hello')
    await age('forgotten.txt', '6 minutes')
    await env.reconcile()
    const worker = env.work()
    await vi.waitFor(async () => expect((await get(upload)).body.data.status).toBe('ready'), SOON)
    await worker.stop()
    expect((await get(upload)).body.data.checksum_sha256).toMatch(/^2cf24dba/)
    expect(await created(upload)).toHaveLength(1)
  })

  test('stays while its bytes can still come, and is swept when they no longer can', async () => {
    const before = await bytesUsed()
    const upload = await announce({ name: 'never.txt', size: 77 })
    const worker = env.work()
    await age('never.txt', '59 minutes')
    await env.reconcile()
    await vi.waitFor(async () => expect(await finishedRuns(upload.file)).toBe(1), SOON)
    expect((await get(upload)).status).toBe(200)
    await env.reconcile()
    expect(await finishedRuns(upload.file)).toBe(1)

    await age('never.txt', '3 hours')
    await env.reconcile()
    await vi.waitFor(async () => expect((await get(upload)).status).toBe(404), SOON)
    await worker.stop()
    expect(await bytesUsed()).toBe(before)
    expect(await created(upload)).toEqual([])
  })
})
