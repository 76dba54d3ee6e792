import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fileLinks } from '#areas/storage/service.ts'
import { queryOnce } from '#platform/db/query.ts'
import { parseId, toId } from '#platform/ids.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { fileOf, formOf, type StorageEnvironment, withStorage } from '#testkit/areas/storage/files.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { submissionId } from '../ids.ts'
import type { Form } from '../schema.ts'
import type { Receipt, Submission } from './schema.ts'

// Files that come with submissions, or that they name: kept for as long as the submission is.

let env: StorageEnvironment
let form: Form
let publicKey: string

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
  Buffer.alloc(100),
])

withStorage(async (opened) => {
  env = opened
  form = await makeForm(env.side, {
    fields: [
      { id: 'email', type: 'email', label: 'Email', required: true },
      {
        id: 'photo',
        type: 'file',
        label: 'Photo',
        validation: { allowed_types: ['image/*'], max_size: 1_000 },
      },
      { id: 'has_cv', type: 'checkbox', label: 'Has CV' },
      {
        id: 'cv',
        type: 'file',
        label: 'CV',
        visible_if: { conditions: [{ field: 'has_cv', operator: 'equals', value: true }] },
      },
    ],
  })
  ;({ key: publicKey } = await env.side.makeKey({ type: 'public', capabilities: ['submit'] }))
})

interface Refused {
  code: string
  error: string
  details?: { field: string; rule: string }[]
}
type Sent = { data: Receipt } & Refused
const path = () => `/forms/${form.id}/submissions`

async function send(data: object, files: Record<string, File> = {}, more: Record<string, string> = {}) {
  const parts = await formOf({ data: JSON.stringify(data), ...more, ...files })
  return env.side.as(publicKey).post<Sent>(path(), undefined, { ...parts, from: '198.51.100.1' })
}
const refusal = ({ status, body }: { status: number; body: Refused }) =>
  `${status} ${body.details?.[0]?.field} ${body.details?.[0]?.rule}`
const read = async (id: string) =>
  (await env.side.admin.get<{ data: Submission }>(`${path()}/${id}`)).body.data
const fileId = (url: unknown) => /\/files\/(file_\w+)\/content$/.exec(String(url))?.[1] ?? ''
const files = () =>
  env.sql<{ id: string; status: string; due_at: unknown }>('select id, status, due_at from files')
const email = 'ada@example.com'

describe('a file that comes with a submission', () => {
  test('is stored, shown as its URL, and attached, so that it is not swept', async () => {
    const { status, body } = await send(
      { email, has_cv: true },
      {
        photo: fileOf(PNG, '../../etc/passwd\0.png', 'text/html'),
        cv: fileOf('My life', 'cv.txt'),
      },
    )
    expect(status).toBe(201)
    const { data } = await read(body.data.id)
    const content = await env.read({ url: String(data.photo) })
    expect(content.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await content.arrayBuffer()).equals(PNG)).toBe(true)
    expect(await (await env.read({ url: String(data.cv) })).text()).toBe('My life')
    const id = fileId(data.photo)
    const known = await env.side.admin.get<{ data: { name: string; visibility: string } }>(
      `/storage/files/${id}`,
    )
    expect(known.body.data).toMatchObject({ visibility: 'private' })
    expect(known.body.data.name).not.toContain('/')
    const [row] = await env.sql<{ due_at: unknown; attached: string }>(
      `select f.due_at, a.target_id as attached from files f join file_attachments a on a.file_id = f.id
       where f.id = $1 and a.target_kind = 'form_submission'`,
      [parseId('file', id)],
    )
    expect(row).toEqual({ due_at: null, attached: parseId(submissionId, body.data.id) })
  })

  test('is refused by its bytes and not by what it claims to be, and nothing of it is left', async () => {
    const before = await files()
    const lie = fileOf('<script>alert(1)</script>', 'photo.png', 'image/png')
    expect(refusal(await send({ email }, { photo: lie }))).toBe('422 data.photo allowed_types')
    const large = fileOf(Buffer.concat([PNG, Buffer.alloc(1_000)]), 'photo.png', 'image/png')
    expect(refusal(await send({ email }, { photo: large }))).toBe('422 data.photo max_size')
    const photo = fileOf(PNG, 'photo.png', 'image/png')
    expect(refusal(await send({ email: 'no' }, { photo }))).toBe('422 data.email format')
    expect(refusal(await send({ email }, { other: photo }))).toBe('422 data.other additionalProperties')
    expect(refusal(await send({ email }, { email: photo }))).toBe('422 data.email additionalProperties')
    expect(refusal(await send({ email }, { photo }, { unknown: 'x' }))).toBe(
      '422 unknown additionalProperties',
    )
    expect(await files()).toEqual(before)
  })

  test('of a field that is hidden is dropped, as its value is', async () => {
    const before = await files()
    const { status, body } = await send({ email, has_cv: false }, { cv: fileOf('My life') })
    expect(status).toBe(201)
    expect((await read(body.data.id)).data).toEqual({ email, has_cv: false })
    expect(await files()).toEqual(before)
  })

  test('that nobody chose is none', async () => {
    const { status, body } = await send({ email }, { photo: new File([], '') })
    expect(status).toBe(201)
    expect((await read(body.data.id)).data).not.toHaveProperty('photo')
  })

  test('goes with its submission', async () => {
    const { body } = await send({ email: 'gone@example.com' }, { photo: fileOf(PNG, 'a.png') })
    const { photo } = (await read(body.data.id)).data
    await env.side.admin.delete(`${path()}/${body.data.id}`)
    expect(refusalOf(await env.side.admin.get(`/storage/files/${fileId(photo)}`))).toBe('404 NOT_FOUND')
  })

  test('is read by its link in a CSV without a key until the link ends, and by no other link', async () => {
    const open = (url: URL) => env.read({ url: url.href }, {})
    const photo = fileOf(PNG, 'a.png')
    const emails = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`]
    const sent = await Promise.all(emails.map((email) => send({ email }, { photo })))
    const { BASE_URL } = env.api.config
    const csv = await (await env.read({ url: `${BASE_URL}/api/v1${path()}/export` })).text()
    const [link, another] = emails.map((email) => {
      const line = csv.split('\r\n').find((each) => each.includes(email))
      return new URL(/https?:[^,]+/.exec(line ?? '')?.[0] ?? '')
    }) as [URL, URL]
    const answer = await open(link)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)

    const { projectId } = env.side
    const id = String(link.pathname.split('/').at(-1))
    const linkUntil = async (seconds: number) => {
      const expires = Math.floor(Date.now() / 1_000) + seconds
      const made = fileLinks(env.api.config, projectId, expires).linkTo(sql`${id}::text`)
      const asked = queryOnce('link', sql<{ link: string }>`select ${made} as link`).single()
      return new URL((await env.side.read({ made: asked() })).made.link)
    }
    expect((await open(await linkUntil(60))).status).toBe(200)
    const wrong = {
      'that has ended': await linkUntil(-1),
      'of a later end': new URL(link.href.replace(/expires=(\d+)/, (_, end) => `expires=${Number(end) + 1}`)),
      'of another file': new URL(link.href.replace(id, String(another.pathname.split('/').at(-1)))),
      'of another project': new URL(
        link.href.replace(toId('project', projectId), toId('project', env.others[0].projectId)),
      ),
      'of nobody': new URL(link.href.replace(/signature=\w+/, `signature=${'0'.repeat(32)}`)),
    }
    for (const [which, url] of Object.entries(wrong))
      expect([which, (await open(url)).status]).toEqual([which, 403])
    await env.side.admin.delete(`${path()}/${sent[0]?.body.data.id}`)
    expect((await open(link)).status).toBe(404)
    expect((await open(another)).status).toBe(200)
  })

  test('is kept with what is taken for spam too', async () => {
    const photo = fileOf(PNG, 'a.png')
    const email = `${randomUUID()}@example.com`
    const twice = [await send({ email }, { photo }), await send({ email }, { photo })]
    const shown = await Promise.all(twice.map(({ body }) => read(body.data.id)))
    expect(shown.map(({ status }) => status)).toEqual(['received', 'spam'])
    for (const { data } of shown) expect((await env.read({ url: String(data.photo) })).status).toBe(200)
  })
})

describe('a multipart body', () => {
  const raw = async (body: Buffer | string, boundary = 'x') =>
    env.side.as(publicKey).post<Refused>(path(), undefined, {
      raw: body,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
  const part = (name: string, value: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`

  test('without data, with data that is no JSON or no object, or with data twice is refused', async () => {
    expect((await raw(`${part('token', 'x')}--x--\r\n`)).body.details?.[0]?.field).toBe('data')
    expect((await raw(`${part('data', '{')}--x--\r\n`)).body.code).toBe('INVALID_JSON')
    expect(refusalOf(await raw(`${part('data', '[]')}--x--\r\n`))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await raw(`${part('data', '{"a":"\\u0000"}')}--x--\r\n`))).toBe('422 VALIDATION_ERROR')
    const twice = part('data', '{}') + part('data', '{}')
    expect((await raw(`${twice}--x--\r\n`)).body.details?.[0]).toMatchObject({
      field: 'data',
      rule: 'maxItems',
    })
  })

  test('of 10,000 parts, or without an end, is refused', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => part(`f${i}`, 'x')).join('')
    expect(refusalOf(await raw(`${many}--x--\r\n`))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await raw(part('data', '{"email":"a@example.com"}')))).toBe('400 INVALID_PARAMETERS')
    const before = await files()
    const cut = part('data', JSON.stringify({ email })) + part('photo', 'x'.repeat(500), '; filename="a.png"')
    expect(refusalOf(await raw(cut.slice(0, -200)))).toBe('400 INVALID_PARAMETERS')
    expect(await files()).toEqual(before)
  })

  test('with a file whose name has 4 KB is taken, and its name is cut', async () => {
    const { status, body } = await send({ email }, { photo: fileOf(PNG, `${'n'.repeat(4_096)}.png`) })
    expect(status).toBe(201)
    const { photo } = (await read(body.data.id)).data
    const { data } = (await env.side.admin.get<{ data: { name: string } }>(`/storage/files/${fileId(photo)}`))
      .body
    expect(data.name.length).toBeLessThanOrEqual(255)
  })
})

describe('a file that a submission names', () => {
  const name = (photo: string, key = env.side.key) =>
    env.side.as(key).post<Sent>(path(), { data: { email, photo } })

  test('is one of this project, that fits its field; others are all refused in the same words', async () => {
    const photo = await env.stored(fileOf(PNG, 'a.png'))
    const { status, body } = await name(photo.id)
    expect(status).toBe(201)
    expect(fileId((await read(body.data.id)).data.photo)).toBe(photo.id)
    const text = await env.stored(fileOf('text'))
    expect(refusal(await name(text.id))).toBe('422 data.photo allowed_types')
    const [, other] = env.others
    const parts = await formOf({ file: fileOf(PNG, 'a.png') })
    const foreign = await other.admin.post<{ data: { id: string } }>('/storage/files', undefined, parts)
    const refused = []
    for (const id of [foreign.body.data.id, missingId('file'), missingId('mem'), 'x', 'https://a.example/b'])
      refused.push({ ...(await name(id)).body, request_id: '' })
    expect(refused[0]?.details?.[0]).toMatchObject({ field: 'data.photo', rule: 'exists' })
    for (const each of refused) expect(each).toEqual(refused[0])
  })

  test('cannot be named with a public key: who knows a public file could have it deleted', async () => {
    const photo = await env.stored(fileOf(PNG, 'a.png'), { visibility: 'public' })
    expect(refusal(await name(photo.id, publicKey))).toBe('422 data.photo exists')
  })
})
