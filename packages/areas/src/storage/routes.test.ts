import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import {
  fileOf,
  formOf,
  type StorageEnvironment,
  uploadFile,
  withStorage,
} from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import type { StoredFile } from './schema.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

let env: StorageEnvironment
let side: Side
withStorage((opened) => {
  env = opened
  side = env.side
})

describe('an uploaded file', () => {
  test('is described as its bytes are, and read as they were sent', async () => {
    const file = await env.stored(fileOf(PNG, 'dot.png', 'image/png'))
    expect(file).toMatchObject({
      id: expect.stringMatching(/^file_/),
      name: 'dot.png',
      size: PNG.length,
      content_type: 'image/png',
      checksum_sha256: sha256(PNG),
      visibility: 'private',
      owner_id: null,
      status: 'ready',
    })
    const answer = await env.read(file)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-length')).toBe(String(PNG.length))
    expect(answer.headers.get('content-disposition')).toBe('inline; filename=dot.png')
  })

  test('belongs to the member that is named, and takes the name and visibility beside it', async () => {
    const { id } = await side.makeMember()
    const file = await env.stored(fileOf('x'), { owner_id: id, visibility: 'public', name: 'Other.txt' })
    expect(file).toMatchObject({ owner_id: id, visibility: 'public', name: 'Other.txt' })
  })

  test('says by what it is used, where that is asked for', async () => {
    const file = await env.stored(fileOf(PNG, 'shown.png'))
    const usedBy = async () =>
      (await side.admin.get<{ data: { used_by?: object[] } }>(`/storage/files/${file.id}?include=used_by`))
        .body.data.used_by
    expect(await usedBy()).toEqual([])
    for (const name of ['One', 'Two'])
      await side.admin.post('/shop/products', { name, price: 1, images: [file.id] })
    expect(await usedBy()).toEqual([{ type: 'product', count: 2 }])
    expect(
      (await side.admin.get<{ data: object }>(`/storage/files/${file.id}`)).body.data,
    ).not.toHaveProperty('used_by')
  })

  test('is listed, the newest first, by part of its name and by its type', async () => {
    const first = await env.stored(fileOf(PNG, 'Quarter_1.png'))
    const second = await env.stored(fileOf('a,b', 'quarter2.csv', 'text/csv'))
    const list = async (query: string) => {
      const { body } = await side.admin.get<{ data: StoredFile[]; pagination: { total: number } }>(
        `/storage/files?${query}`,
      )
      return { ids: body.data.map(({ id }) => id), total: body.pagination.total }
    }
    expect(await list('search=QUARTER')).toEqual({ ids: [second.id, first.id], total: 2 })
    expect(await list('search=quarter_')).toEqual({ ids: [first.id], total: 1 })
    expect(await list('search=quarter&type=text/csv')).toEqual({ ids: [second.id], total: 1 })
    expect(await list('search=quarter&type=image')).toEqual({ ids: [first.id], total: 1 })
    expect(await list('search=quarter&limit=1&page=2')).toEqual({ ids: [first.id], total: 2 })
  })

  test('can be renamed, and its bytes cannot be changed', async () => {
    const file = await env.stored(fileOf('bytes'))
    const { body } = await side.admin.patch<{ data: StoredFile }>(`/storage/files/${file.id}`, {
      name: 'new.txt',
    })
    expect(body.data).toEqual({ ...file, name: 'new.txt' })
    expect((await env.read(body.data)).headers.get('content-disposition')).toContain('new.txt')
    for (const name of ['..', '.'])
      expect(
        (await side.admin.patch<{ data: StoredFile }>(`/storage/files/${file.id}`, { name })).body.data.name,
      ).toBe('file')
    const refused = await side.admin.patch(`/storage/files/${file.id}`, { size: 1 })
    expect(refused).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
  })

  test('is announced when it can be read, and when it is gone', async () => {
    const file = await env.stored(fileOf('announced'))
    await side.admin.delete(`/storage/files/${file.id}`)
    // The log waits for every older write on this server, of other tests too.
    await vi.waitFor(async () => {
      const { body } = await side.admin.get<{ data: { type: string; data: { id: string } }[] }>(
        '/events?type=file.*&limit=100',
      )
      const types = body.data.filter(({ data }) => data.id === file.id).map(({ type }) => type)
      expect(types.sort()).toEqual(['file.created', 'file.deleted'])
    }, SOON)
  })
})

describe('another project’s file', () => {
  test('is a 404 in every way, also for whoever may read it at home', async () => {
    const file = await env.stored(fileOf('secret'))
    for (const stranger of env.others) {
      for (const path of [`/storage/files/${file.id}`, `/storage/files/${file.id}/content`]) {
        expect(refusalOf(await stranger.admin.get(path))).toBe('404 NOT_FOUND')
      }
      const answers = [
        await stranger.admin.patch(`/storage/files/${file.id}`, { name: 'x' }),
        await stranger.admin.delete(`/storage/files/${file.id}`),
        await stranger.admin.post(`/storage/files/${file.id}/signed-url`, {}),
        await stranger.admin.post(`/storage/uploads/${file.id}/complete`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect(await (await env.read(file)).text()).toBe('secret')
  })

  test('and another project’s member cannot be named as an owner', async () => {
    const { id } = await env.others[1].makeMember()
    const usage = await side.admin.get<{ data: unknown }>('/storage/usage')
    const refused = {
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'owner_id', rule: 'exists' }] },
    }
    expect(await uploadFile(side, fileOf('x'), { owner_id: id })).toMatchObject(refused)
    const announced = await side.admin.post('/storage/uploads', {
      name: 'x',
      size: 1,
      content_type: 'text/plain',
      owner_id: id,
    })
    expect(announced).toMatchObject(refused)
    const after = await side.admin.get<{ data: unknown }>('/storage/usage')
    expect(after.body.data).toEqual(usage.body.data)
  })
})

describe('a form that does not fit', () => {
  const refused = async (fields: Record<string, string | File>) => {
    const before = await env.s3.keys()
    const form = await formOf(fields)
    const answer = await side.admin.post<{ code: string; details?: { field: string }[] }>(
      '/storage/files',
      undefined,
      form,
    )
    expect(await env.s3.keys()).toEqual(before)
    return [answer.status, answer.body.code, answer.body.details?.[0]?.field]
  }
  const file = fileOf('x')

  test('without a file, with two, with unknown or wrong fields before it', async () => {
    expect(await refused({ name: 'x' })).toEqual([422, 'VALIDATION_ERROR', 'file'])
    expect(await refused({ other: file })).toEqual([422, 'VALIDATION_ERROR', 'other'])
    expect(await refused({ visibility: 'secret', file })).toEqual([422, 'VALIDATION_ERROR', 'visibility'])
    expect(await refused({ admin: 'true', file })).toEqual([422, 'VALIDATION_ERROR', 'admin'])
    expect(await refused({ name: '../x', file })).toEqual([422, 'VALIDATION_ERROR', 'name'])
    expect(await refused({ name: 'a\0b', file })).toEqual([422, 'VALIDATION_ERROR', 'name'])
    expect(await refused({ name: 'x'.repeat(3_000), file })).toEqual([422, 'VALIDATION_ERROR', 'name'])
    expect(await refused({ owner_id: 'mem_none', file })).toEqual([422, 'VALIDATION_ERROR', 'owner_id'])
  })

  test('as JSON is refused with what it should be, and a form where JSON is due as well', async () => {
    const json = await side.admin.post<{ code: string; error: string }>('/storage/files', { file: 'x' })
    expect([json.status, json.body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
    expect(json.body.error).toContain('multipart/form-data')
    const text = await side.admin.post<{ error: string }>('/storage/files', undefined, {
      raw: 'x',
      headers: { 'content-type': 'text/plain' },
    })
    expect([text.status, text.body.error]).toEqual([400, expect.stringContaining('multipart/form-data')])
    const form = await side.admin.post<{ code: string; error: string }>(
      '/storage/uploads',
      undefined,
      await formOf({ file }),
    )
    expect([form.status, form.body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
    expect(form.body.error).toContain('application/json')
  })
})

describe('a repeated upload', () => {
  test('with the same Idempotency-Key is one file', async () => {
    const key = { 'idempotency-key': 'upload-1' }
    const file = fileOf('once')
    const form = await formOf({ file })
    const send = () =>
      side.admin.post<{ data: StoredFile }>('/storage/files', undefined, {
        ...form,
        headers: { ...form.headers, ...key },
      })
    const first = await send()
    const again = await send()
    expect(first.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })
})
