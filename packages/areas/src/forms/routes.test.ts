import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Field } from './builder/field-schema.ts'
import { formId } from './ids.ts'
import type { Form, FormSchema, FormVersion, NewForm } from './schema.ts'

// The builder's endpoints, as the reference has them to the letter.

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

interface Refused {
  code: string
  error: string
  details?: { field: string; rule: string; message: string }[]
}
const text = (id: string, more: Partial<Field> = {}): Field => ({ id, type: 'text', label: id, ...more })
const create = async (input: Partial<NewForm> = {}): Promise<Form> =>
  (await side.admin.post<{ data: Form }>('/forms', { name: 'Form', ...input })).body.data
const publish = (id: string) => side.admin.post<{ data: Form } & Refused>(`/forms/${id}/publish`)

describe('the reference', () => {
  test('GET /forms answers list items with exactly its fields, the newest first', async () => {
    const form = await makeForm(side, { description: 'Write to us' })
    const { body } = await side.admin.get<{ data: Form[]; pagination: object }>('/forms?limit=1')
    expect(body.data[0]).toEqual({
      id: form.id,
      name: 'Contact',
      description: 'Write to us',
      type: 'contact',
      status: 'published',
      submission_count: 0,
      created_at: form.created_at,
      updated_at: form.updated_at,
    })
    expect(body).toMatchObject({ success: true, pagination: { page: 1, limit: 1 } })
  })

  test('GET /forms filters by status and type', async () => {
    const [project] = await makeProjects(api)
    const { live } = project
    await live.admin.post('/forms', { name: 'Draft', type: 'feedback' })
    await makeForm(live, { name: 'Live', type: 'contact' })
    const names = async (query: string) => {
      const { body } = await live.admin.get<{ data: Form[]; pagination: { total: number } }>(
        `/forms?${query}`,
      )
      expect(body.pagination.total).toBe(body.data.length)
      return body.data.map(({ name }) => name)
    }
    expect(await names('status=draft')).toEqual(['Draft'])
    expect(await names('status=published')).toEqual(['Live'])
    expect(await names('type=contact')).toEqual(['Live'])
    expect(await names('type=contact&status=draft')).toEqual([])
    expect(await names('')).toEqual(['Live', 'Draft'])
  })

  test('GET /forms/{id} answers `form` with exactly the fields of the detail', async () => {
    const fields = [text('a', { required: true, placeholder: 'A', help_text: 'B', default: 'C' })]
    const settings = { submit_button_text: 'Send', success_message: 'Thanks' }
    const { id, created_at } = await create({ fields, settings })
    const { body } = await side.admin.get(`/forms/${id}`)
    expect(body).toEqual({
      form: { id, name: 'Form', description: '', fields, settings, created_at },
    })
    const all = 'type,status,version,submission_count,updated_at,published_at'
    const { body: whole } = await side.admin.get<{ form: Form }>(`/forms/${id}?include=${all}`)
    expect(whole.form).toMatchObject({ type: 'custom', status: 'draft', version: 0, submission_count: 0 })
    expect(whole.form.published_at).toBeNull()
    expect((await side.admin.get(`/forms/${id}?include=status`)).body).toEqual({
      form: { id, name: 'Form', description: '', fields, settings, created_at, status: 'draft' },
    })
  })
})

describe('every part of a field', () => {
  test('comes back as it was given', async () => {
    const fields: Field[] = [
      { id: 'a', type: 'select', label: 'A', required: true, options: [{ value: 'x', label: 'X' }] },
      text('b', { validation: { min_length: 1, max_length: 5, pattern: '[a-z]+' }, default: 'abc' }),
      {
        ...text('c'),
        visible_if: { match: 'any', conditions: [{ field: 'a', operator: 'equals', value: 'x' }] },
      },
      { id: 'd', type: 'number', label: 'D', validation: { min: -1.5, max: 3 }, default: 2 },
      { id: 'e', type: 'date', label: 'E', validation: { min: '2026-01-01' }, default: '2026-02-28' },
      { id: 'f', type: 'checkbox', label: 'F', default: true },
      {
        id: 'g',
        type: 'multi_select',
        label: 'G',
        options: [{ value: '1' }, { value: '2' }],
        default: ['2', '1'],
      },
      { id: 'h', type: 'file', label: 'H', validation: { allowed_types: ['image/*'], max_size: 10 } },
      { id: 'i', type: 'section', label: 'I' },
    ]
    const shown = fields.map((field) => ({ required: false, ...field }))
    const form = await create({ fields })
    expect(form.fields).toEqual(shown)
    expect((await side.admin.get<{ form: Form }>(`/forms/${form.id}`)).body.form.fields).toEqual(shown)
    const { body } = await publish(form.id)
    expect(body.data.fields).toEqual(shown)
  })
})

describe('a form', () => {
  test('goes from draft to published, to archived, and back', async () => {
    const { id, status, version } = await create({ fields: [text('a')] })
    expect({ status, version }).toEqual({ status: 'draft', version: 0 })
    expect((await side.admin.post<Refused>(`/forms/${id}/archive`)).body.code).toBe('FORM_NOT_PUBLISHED')
    expect((await publish(id)).body.data).toMatchObject({ status: 'published', version: 1 })
    const archived = await side.admin.post<{ data: Form }>(`/forms/${id}/archive`)
    expect(archived.body.data).toMatchObject({ status: 'archived', version: 1 })
    expect((await publish(id)).body.data).toMatchObject({ status: 'published', version: 1 })
  })

  test('without a field that takes a value cannot be published', async () => {
    const { id } = await create({ fields: [{ id: 's', type: 'section', label: 'S' }] })
    const { status, body } = await publish(id)
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'FORM_INCOMPLETE' })
  })

  test('that is published again without a change keeps its version, and is not announced', async () => {
    const { id } = await makeForm(side)
    const { body } = await publish(id)
    expect(body.data.version).toBe(1)
    const { rows } = await api.owner.query(
      `select 1 from events where type = 'form.published' and payload ->> 'id' = $1`,
      [id],
    )
    expect(rows.length).toBe(1)
  })

  test('that is changed shows visitors what was published, until it is published again', async () => {
    const { id } = await makeForm(side, { fields: [text('a')] })
    await side.admin.patch(`/forms/${id}`, { fields: [text('b')], name: 'New' })
    const seen = async () => {
      const { body } = await side.admin.get<{ data: FormSchema }>(`/forms/${id}/schema`)
      return [body.data.name, body.data.version, body.data.fields.map((field) => field.id)]
    }
    expect(await seen()).toEqual(['New', 1, ['a']])
    expect((await publish(id)).body.data.version).toBe(2)
    expect(await seen()).toEqual(['New', 2, ['b']])
    const { body } = await side.admin.get<{ data: FormVersion[] }>(`/forms/${id}/versions`)
    expect(body.data.map(({ version, fields }) => [version, fields[0]?.id])).toEqual([
      [2, 'b'],
      [1, 'a'],
    ])
  })

  test('published by several at once has one version', async () => {
    const { id } = await create({ fields: [text('a')] })
    const answers = await Promise.all(Array.from({ length: 8 }, () => publish(id)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { body } = await side.admin.get<{ pagination: { total: number } }>(`/forms/${id}/versions`)
    expect(body.pagination.total).toBe(1)
  })

  test('of many long versions lists them within 8 MiB: a page cuts their fields and says so, a walk has them whole', async () => {
    const { id } = await create({ fields: [text('a')] })
    await publish(id)
    const fields = Array.from({ length: 200 }, (_, n) => ({ ...text(`f${n}`), help_text: 'x'.repeat(2_000) }))
    await api.owner.query(
      `insert into form_versions (project_id, form_id, version, fields, settings, created_at)
       select v.project_id, v.form_id, n, $2, v.settings, now() from form_versions v, generate_series(2, 30) n where v.form_id = $1`,
      [parseId(formId, id), JSON.stringify(fields)],
    )
    type Page = {
      data: (FormVersion & { truncated?: string[] })[]
      pagination: { next_cursor: string | null }
    }
    const { body } = await side.admin.get<Page>(`/forms/${id}/versions?limit=100`)
    expect(JSON.stringify(body).length).toBeLessThan(8 * 1024 * 1024)
    expect(body.data).toHaveLength(30)
    expect(body.data[0]?.truncated).toEqual(['fields'])
    expect(body.data[0]?.fields.length).toBeGreaterThan(0)
    const walked: number[] = []
    let cursor = (await side.admin.get<Page>(`/forms/${id}/versions?limit=1`)).body.pagination.next_cursor
    while (cursor !== null) {
      const { body: page } = await side.admin.get<Page>(`/forms/${id}/versions?limit=100&cursor=${cursor}`)
      expect(JSON.stringify(page).length).toBeLessThan(8 * 1024 * 1024)
      for (const version of page.data) {
        expect(version).not.toHaveProperty('truncated')
        expect(version.fields).toHaveLength(version.version === 1 ? 1 : 200)
        walked.push(version.version)
      }
      cursor = page.pagination.next_cursor
    }
    expect(walked).toEqual(Array.from({ length: 29 }, (_, n) => 29 - n))
  })

  test('that was published cannot be changed by the role that serves requests', async () => {
    await makeForm(side)
    for (const sql of ['update form_versions set version = 9', 'delete from form_versions'])
      await expect(api.deps.pool.query(sql)).rejects.toMatchObject({ code: '42501' })
  })

  test('is duplicated as a draft with the same fields and settings', async () => {
    const form = await makeForm(side, { name: 'x'.repeat(200), settings: { success_message: 'Hi' } })
    const { status, body } = await side.admin.post<{ data: Form }>(`/forms/${form.id}/duplicate`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: `${'x'.repeat(193)} (copy)`,
      status: 'draft',
      version: 0,
      fields: form.fields,
      settings: form.settings,
    })
    expect(body.data.id).not.toBe(form.id)
  })

  test('that is deleted is not there any more, in any way', async () => {
    const { id } = await makeForm(side)
    const data = { email: 'a@example.com' }
    const { body } = await side.admin.post<{ data: { id: string } }>(`/forms/${id}/submissions`, { data })
    const sub = body.data.id
    expect((await side.admin.delete(`/forms/${id}`)).status).toBe(200)
    for (const path of ['', '/schema', '/versions', '/summary', '/submissions', `/submissions/${sub}`])
      expect([path, (await side.admin.get(`/forms/${id}${path}`)).status]).toEqual([path, 404])
    for (const path of ['/publish', '/archive', '/duplicate'])
      expect(refusalOf(await side.admin.post(`/forms/${id}${path}`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.post(`/forms/${id}/submissions`, { data }))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.delete(`/forms/${id}/submissions/${sub}`))).toBe('404 NOT_FOUND')
    const spam = { status: 'spam' }
    expect(refusalOf(await side.admin.patch(`/forms/${id}/submissions/${sub}`, spam))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.delete(`/forms/${id}`))).toBe('404 NOT_FOUND')
    const listed = await side.admin.get<{ data: Form[] }>('/forms?limit=100')
    expect(listed.body.data.some((form) => form.id === id)).toBe(false)
  })

  test('changed by nothing stays as it is, and is not announced', async () => {
    const form = await makeForm(side)
    const { body } = await side.admin.patch<{ data: Form }>(`/forms/${form.id}`, {})
    expect(body.data).toEqual(form)
  })

  test('announces what happens to it', async () => {
    const { id } = await makeForm(side)
    await side.admin.patch(`/forms/${id}`, { name: 'Other' })
    await side.admin.post(`/forms/${id}/archive`)
    await side.admin.delete(`/forms/${id}`)
    const { rows } = await api.owner.query<{ type: string }>(
      `select type from events where payload ->> 'id' = $1 order by id`,
      [id],
    )
    expect(rows.map(({ type }) => type)).toEqual([
      'form.created',
      'form.published',
      'form.updated',
      'form.archived',
      'form.deleted',
    ])
  })
})

describe('the public view', () => {
  test('is for public keys with `catalog`, and shows nothing of how the form guards itself', async () => {
    const { key } = await side.makeKey({ type: 'public', capabilities: ['catalog'] })
    const settings = { submit_button_text: 'Go', spam: { honeypot: 'trap', min_seconds: 4 } }
    const { id } = await makeForm(side, { settings })
    const { status, body } = await side.as(key).get<{ data: FormSchema }>(`/forms/${id}/schema`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id, honeypot: 'trap', settings: { submit_button_text: 'Go' } })
    expect(JSON.stringify(body)).not.toContain('min_seconds')
  })

  test('of a draft or archived form says that it is not published, as submitting it does', async () => {
    const draft = await create({ fields: [text('a')] })
    const archived = await makeForm(side)
    await side.admin.post(`/forms/${archived.id}/archive`)
    for (const { id } of [draft, archived]) {
      const seen = await side.admin.get<Refused>(`/forms/${id}/schema`)
      const sent = await side.admin.post<Refused>(`/forms/${id}/submissions`, { data: {} })
      expect([seen.status, seen.body.code]).toEqual([422, 'FORM_NOT_PUBLISHED'])
      expect([sent.status, sent.body.error]).toEqual([422, seen.body.error])
    }
  })
})
