import { beforeAll, describe, expect, test } from 'vitest'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { putSubmission } from '#testkit/areas/exports.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { formId, submissionId } from '../ids.ts'
import type { Form } from '../schema.ts'
import type { Submission } from '../submissions/schema.ts'

// Submissions as files: columns, rows, filters, and who may have them.

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const put = (form: Form, data: object, more?: Record<string, unknown>) =>
  putSubmission(api, side, form, data, more)
const exported = async (form: Form, query = '', as = side) => {
  const { status, body, headers } = await as.admin.get<string>(`/forms/${form.id}/submissions/export${query}`)
  return { status, body, headers }
}
/** The cells of a simple file, without quotes. */
const cells = (body: string) =>
  body
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

describe('the columns', () => {
  test('are id, time and member, a column for each field that has values, and where it came from', async () => {
    const form = await makeForm(side, {
      fields: [
        { id: 'intro', type: 'section', label: 'Welcome' },
        { id: 'email', type: 'email', label: 'Email' },
        { id: 'secret', type: 'password', label: 'Password' },
        { id: 'age', type: 'number', label: 'Age' },
      ],
    })
    const { id: member } = await side.makeMember()
    const id = await put(
      form,
      { email: 'a@example.com', age: 36 },
      {
        member_id: parseId('member', member),
        created_at: '2026-11-20T10:00:00.123456Z',
        ip: '192.0.2.7',
        user_agent: 'tests',
        referrer: 'https://example.com/',
      },
    )
    const { body, headers } = await exported(form)
    expect(body).toBe(
      'id,created_at,member_id,Email,Age,ip,user_agent,referrer\r\n' +
        `${toId(submissionId, id)},2026-11-20T10:00:00.123Z,${member},a@example.com,36,192.0.2.7,tests,https://example.com/\r\n`,
    )
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment; filename="Contact \d{4}-\d\d-\d\d\.csv"$/)
  })

  test('have the id behind the label where labels clash, also with other columns', async () => {
    const form = await makeForm(side, {
      fields: [
        { id: 'one', type: 'text', label: 'Name' },
        { id: 'two', type: 'text', label: 'Name' },
        { id: 'three', type: 'text', label: 'Name (one)' },
        { id: 'four', type: 'text', label: 'ip' },
        { id: 'five', type: 'text', label: 'Other' },
      ],
    })
    const [header] = cells((await exported(form)).body)
    expect(header).toEqual([
      ...['id', 'created_at', 'member_id'],
      ...['Name (one) (one)', 'Name (two)', 'Name (one) (three)', 'ip (four)', 'Other'],
      ...['ip', 'user_agent', 'referrer'],
    ])
    expect(new Set(header).size).toBe(header?.length)
  })

  test('go on with what only older versions had, and follow a field that is another one now', async () => {
    const first = await makeForm(side, {
      fields: [
        { id: 'old', type: 'text', label: 'Old' },
        { id: 'likes', type: 'text', label: 'Likes' },
        { id: 'name', type: 'text', label: 'Name' },
      ],
    })
    await put(first, { old: 'x', likes: 'Tea', name: 'Ada' }, { created_at: '2026-11-01T00:00:00Z' })
    const options = [{ value: 'Tea' }, { value: 'Milk' }]
    await side.admin.patch(`/forms/${first.id}`, {
      fields: [
        { id: 'name', type: 'text', label: 'Full name' },
        { id: 'likes', type: 'multi_select', label: 'Likes', options },
      ],
    })
    const { body } = await side.admin.post<{ data: Form }>(`/forms/${first.id}/publish`)
    await put(body.data, { name: 'Grace', likes: ['Tea', 'Milk'] })
    const rows = cells((await exported(first)).body)
    expect(rows.map((row) => row.slice(3, 6))).toEqual([
      ['Full name', 'Likes', 'Old'],
      ['Ada', 'Tea', 'x'],
      ['Grace', 'Tea; Milk', ''],
    ])
  })

  test('are those of the draft where nothing was published, without rows', async () => {
    const { body } = await side.admin.post<{ data: Form }>('/forms', {
      name: 'Draft',
      type: 'custom',
      fields: [{ id: 'a', type: 'text', label: 'A' }],
    })
    expect((await exported(body.data)).body).toBe('id,created_at,member_id,A,ip,user_agent,referrer\r\n')
  })
})

test('a form that is archived keeps its submissions to be exported', async () => {
  const form = await makeForm(side)
  await put(form, { email: 'a@example.com' })
  await side.admin.post(`/forms/${form.id}/archive`)
  expect(cells((await exported(form)).body)).toHaveLength(2)
})

describe('the rows', () => {
  let form: Form
  beforeAll(async () => {
    form = await makeForm(side, {
      fields: [
        { id: 'name', type: 'text', label: 'Name' },
        { id: 'ok', type: 'checkbox', label: 'OK' },
      ],
    })
    await put(form, { name: 'one', ok: true }, { created_at: '2026-11-01T12:00:00Z' })
    await put(form, { name: 'two', ok: false }, { created_at: '2026-11-02T23:59:59.9999Z' })
    await put(form, { name: 'three' }, { created_at: '2026-11-03T00:00:00Z' })
    await put(form, { name: 'spam' }, { created_at: '2026-11-02T00:00:00Z', status: 'spam' })
  })
  const names = async (query: string) =>
    cells((await exported(form, query)).body)
      .slice(1)
      .map((row) => row[3])

  test('are the oldest first, without spam', async () => {
    expect(await names('')).toEqual(['one', 'two', 'three'])
    expect(cells((await exported(form)).body).map((row) => row[4])).toEqual(['OK', 'true', 'false', ''])
  })

  test.each([
    ['start_date=2026-11-02', ['two', 'three']],
    ['end_date=2026-11-02', ['one', 'two']],
    ['start_date=2026-11-02&end_date=2026-11-02', ['two']],
    ['search=HRE', ['three']],
    ['search=%25', []],
    ["search='", []],
    ['status=spam', ['spam']],
  ])('are filtered like the list: %s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected)
  })

  test('come as JSON lines, each as the API shows it', async () => {
    const { body, headers } = await exported(form, '?format=json')
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = body.trimEnd().split('\n')
    const { body: list } = await side.admin.get<{ data: Submission[] }>(
      `/forms/${form.id}/submissions?order=asc&include=form_version,status`,
    )
    expect(lines.map((line) => JSON.parse(line))).toEqual(list.data)
  })

  test('show files by their URLs; in a CSV they are signed links', async () => {
    const withFile = await makeForm(side, {
      fields: [{ id: 'cv', type: 'file', label: 'CV' }],
    })
    const file = toId('file', newUuid())
    await put(withFile, { cv: file })
    await put(withFile, {})
    const url = `${api.config.BASE_URL}/api/v1/storage/files/${file}/content`
    const [head, link, none] = cells((await exported(withFile)).body).map((row) => row[3])
    const project = toId('project', side.projectId)
    const signed = `${api.config.BASE_URL}/api/v1/storage/signed/${project}/${file}?expires=`
    expect([head, link?.slice(0, signed.length), none]).toEqual(['CV', signed, ''])
    const lines = (await exported(withFile, '?format=json')).body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).data)).toEqual([{ cv: url }, {}])
  })
})

describe('who may not', () => {
  test('another project’s form, a deleted one and what is none are missing alike', async () => {
    const form = await makeForm(side)
    const missing = toId(formId, newUuid())
    const answers = await Promise.all([
      exported(form, '', other),
      side.admin.get(`/forms/${missing}/submissions/export`),
    ])
    await side.admin.delete(`/forms/${form.id}`)
    for (const answer of [...answers, await exported(form)])
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', error: 'Form not found' } })
  })

  test('a key without read:forms is refused', async () => {
    const form = await makeForm(side)
    const { key } = await side.makeKey({ permissions: ['write:forms', 'read:members'] })
    expect(refusalOf(await side.as(key).get(`/forms/${form.id}/submissions/export`))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('HEAD asks for no rows', async () => {
    const form = await makeForm(side)
    const answer = await fetch(`${api.url}/api/v1/forms/${form.id}/submissions/export`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${side.key}` },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  })

  test('more fields than a table has columns go into JSON only', async () => {
    const form = await makeForm(side)
    const stored = parseId(formId, form.id)
    for (let version = 2; version < 12; version++) {
      const fields = Array.from({ length: 200 }, (_, i) => ({
        id: `f${version}_${i}`,
        type: 'text',
        label: `F${version} ${i}`,
      }))
      await api.owner.query(
        `insert into form_versions (project_id, form_id, version, fields, settings, created_at)
         values ($1, $2, $3, $4, $5, now())`,
        [side.projectId, stored, version, JSON.stringify(fields), '{}'],
      )
    }
    await put(form, { f5_7: 'x' }, { form_version: 5 })
    const wide = await exported(form)
    expect(wide).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETERS' } })
    expect(JSON.parse((await exported(form, '?format=json')).body).data).toEqual({ f5_7: 'x' })
  })
})
