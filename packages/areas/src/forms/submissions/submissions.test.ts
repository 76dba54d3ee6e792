import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Form } from '../schema.ts'
import type { Receipt, Submission } from './schema.ts'

// Submissions: taking them, listing, finding and deleting them.

let api: TestApi
let side: Side
let other: Side
let form: Form

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  form = await makeForm(side, {
    fields: [
      { id: 'email', type: 'email', label: 'Email', required: true },
      { id: 'message', type: 'textarea', label: 'Message', validation: { max_length: 20 } },
      { id: 'tags', type: 'multi_select', label: 'Tags', options: [{ value: 'red' }, { value: 'blue' }] },
    ],
    settings: { success_message: 'Thank you!', redirect_url: 'https://example.com/thanks' },
  })
})

interface Refused {
  code: string
  error: string
  details?: { field: string; rule: string }[]
}
interface Page {
  data: Submission[]
  pagination: { page: number; limit: number; total: number; total_pages: number }
}
const submit = (data: object, of: Form = form, more: object = {}) =>
  side.admin.post<{ data: Receipt } & Refused>(`/forms/${of.id}/submissions`, { data, ...more })
const list = async (query = '', of: Form = form) =>
  (await side.admin.get<Page>(`/forms/${of.id}/submissions?${query}`)).body
const faultsOf = ({ body }: { body: Refused }) =>
  body.details?.map(({ field, rule }) => `${field} ${rule}`).sort()

describe('a submission', () => {
  test('is answered with what a page needs, shown with exactly the fields of its schema, and listed with those of the contract', async () => {
    const { id: member_id } = await side.makeMember()
    const { status, body } = await side.admin.post<{ data: Receipt }>(
      `/forms/${form.id}/submissions`,
      { data: { email: ' ada@EXAMPLE.com ', tags: ['blue', 'red'] }, member_id },
      {
        headers: {
          'user-agent': 'A browser',
          referer: 'https://example.com/contact',
          'x-client-ip': '192.0.2.7',
        },
      },
    )
    expect(status).toBe(201)
    const { id, created_at } = body.data
    expect(body).toEqual({
      success: true,
      data: {
        id,
        form_id: form.id,
        form_version: 1,
        created_at,
        success_message: 'Thank you!',
        redirect_url: 'https://example.com/thanks',
      },
    })
    const shown = {
      id,
      form_id: form.id,
      form_version: 1,
      status: 'received',
      data: { email: 'ada@example.com', tags: ['red', 'blue'] },
      member_id,
      metadata: { ip: '192.0.2.7', user_agent: 'A browser', referrer: 'https://example.com/contact' },
      created_at,
    }
    expect((await list('limit=1&include=form_version,status')).data).toEqual([shown])
    const { form_version, status: _, ...listed } = shown
    expect((await list('limit=1')).data).toEqual([listed])
    expect((await list('limit=1&include=form_version')).data).toEqual([{ ...listed, form_version }])
    const one = await side.admin.get(`/forms/${form.id}/submissions/${id}`)
    expect(one.body).toEqual({ success: true, data: shown })
    const { rows } = await api.owner.query(
      `select payload from events where type = 'form_submission.created' and payload ->> 'id' = $1`,
      [id],
    )
    expect(rows).toEqual([{ payload: shown }])
  })

  test('keeps the version that was filled in', async () => {
    const own = await makeForm(side)
    const first = await submit({ email: 'a@example.com' }, own)
    await side.admin.patch(`/forms/${own.id}`, {
      fields: [{ id: 'phone', type: 'phone', label: 'Phone' }],
    })
    expect((await submit({ email: 'b@example.com' }, own)).body.data.form_version).toBe(1)
    await side.admin.post(`/forms/${own.id}/publish`)
    expect(faultsOf(await submit({ email: 'c@example.com' }, own))).toEqual([
      'data.email additionalProperties',
    ])
    const second = await submit({ phone: '+44 20 7946 0000' }, own)
    expect([first, second].map(({ body }) => body.data.form_version)).toEqual([1, 2])
  })

  test('with unknown fields, wrong types and too long texts is refused with all faults by their paths', async () => {
    const answer = await submit({ email: 1, message: 'x'.repeat(21), tags: ['green'], nothing: 1 })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.code).toBe('VALIDATION_ERROR')
    expect(faultsOf(answer)).toEqual([
      'data.email type',
      'data.message max_length',
      'data.nothing additionalProperties',
      'data.tags option',
    ])
    for (const data of [{}, { email: null }, { email: '' }, { email: '  ' }])
      expect(faultsOf(await submit(data))).toEqual(['data.email required'])
  })

  test('with values of no JSON shape that a field could have is refused before the form is looked at', async () => {
    for (const value of [{ a: 1 }, [1], [['a']], 'x'.repeat(100_001), Array(201).fill('red')]) {
      const answer = await submit({ email: value })
      expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
      expect(answer.body.details?.[0]?.field).toMatch(/^data\.email/)
    }
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, 1]))
    expect(refusalOf(await submit(many))).toBe('422 VALIDATION_ERROR')
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const raw = `{"data":{"email":"a@example.com","${name}":"x"}}`
      const { status, body } = await side.admin.post<Refused>(`/forms/${form.id}/submissions`, undefined, {
        raw,
      })
      expect([name, status, body.details?.[0]?.field]).toEqual([name, 422, `data.${name}`])
    }
  })

  test('to a draft or an archived form is refused', async () => {
    const draft = (await side.admin.post<{ data: Form }>('/forms', { name: 'Draft' })).body.data
    const archived = await makeForm(side)
    await side.admin.post(`/forms/${archived.id}/archive`)
    for (const form of [draft, archived]) {
      const { status, body } = await submit({ email: 'a@example.com' }, form)
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'FORM_NOT_PUBLISHED' })
    }
    await side.admin.post(`/forms/${archived.id}/publish`)
    expect((await submit({ email: 'a@example.com' }, archived)).status).toBe(201)
  })

  test('of another project’s member is refused like one of a missing member', async () => {
    const { id: foreign } = await other.makeMember()
    const answers = []
    for (const member_id of [foreign, missingId('mem'), 'nobody', missingId('plan')])
      answers.push(await submit({ email: 'a@example.com' }, form, { member_id }))
    const shown = answers.map(({ status, body }) => ({ status, ...body, request_id: '' }))
    expect(shown[0]).toMatchObject({ status: 422, details: [{ field: 'member_id' }] })
    for (const each of shown) expect(each).toEqual(shown[0])
  })

  test('is taken from a public key with `submit`, which can name no member', async () => {
    const { key } = await side.makeKey({ type: 'public', capabilities: ['submit'] })
    const send = (body: object) => side.as(key).post<Refused>(`/forms/${form.id}/submissions`, body)
    expect((await send({ data: { email: 'p@example.com' } })).status).toBe(201)
    const member_id = (await side.makeMember()).id
    expect(refusalOf(await send({ data: { email: 'q@example.com' }, member_id }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('with an Idempotency-Key is taken once', async () => {
    const own = await makeForm(side)
    const options = { headers: { 'idempotency-key': 'once' } }
    const send = () =>
      side.admin.post<{ data: Receipt }>(
        `/forms/${own.id}/submissions`,
        { data: { email: 'a@example.com' } },
        options,
      )
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect((await list('', own)).pagination.total).toBe(1)
  })

  test('of a member who is deleted for good stays, and is nobody’s', async () => {
    const { id: member_id } = await side.makeMember()
    const { body } = await submit({ email: 'a@example.com' }, form, { member_id })
    await api.owner.query('delete from members where id = $1', [parseId('member', member_id)])
    const { data } = (
      await side.admin.get<{ data: Submission }>(`/forms/${form.id}/submissions/${body.data.id}`)
    ).body
    expect(data.member_id).toBeNull()
  })

  test('is deleted, and announced as such', async () => {
    const { body } = await submit({ email: 'gone@example.com' })
    const path = `/forms/${form.id}/submissions/${body.data.id}`
    const before = (await list()).pagination.total
    expect((await side.admin.delete(path)).body).toEqual({
      success: true,
      data: { id: body.data.id, deleted: true },
    })
    expect(refusalOf(await side.admin.get(path))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.delete(path))).toBe('404 NOT_FOUND')
    expect((await list()).pagination.total).toBe(before - 1)
    const { rows } = await api.owner.query(
      `select payload from events where type = 'form_submission.deleted' and payload ->> 'id' = $1`,
      [body.data.id],
    )
    expect(rows).toEqual([{ payload: { id: body.data.id, form_id: form.id } }])
  })

  test('is not found under another form', async () => {
    const { body } = await submit({ email: 'a@example.com' })
    const stranger = await makeForm(side)
    expect(refusalOf(await side.admin.get(`/forms/${stranger.id}/submissions/${body.data.id}`))).toBe(
      '404 NOT_FOUND',
    )
    expect(refusalOf(await side.admin.delete(`/forms/${stranger.id}/submissions/${body.data.id}`))).toBe(
      '404 NOT_FOUND',
    )
  })
})
