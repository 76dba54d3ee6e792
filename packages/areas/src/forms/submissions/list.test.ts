import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { formId, submissionId } from '../ids.ts'
import type { Form } from '../schema.ts'
import type { Receipt, Submission } from './schema.ts'

// Lists of submissions: pages, filters, the search, and totals.

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

interface Page {
  data: Submission[]
  pagination: {
    page: number
    limit: number
    total: number
    total_pages: number
    total_capped?: true
    next_cursor: string | null
  }
}
const submit = (data: object, of: Form, more: object = {}) =>
  side.admin.post<{ data: Receipt }>(`/forms/${of.id}/submissions`, { data, ...more })
const list = async (query: string, of: Form) =>
  (await side.admin.get<Page>(`/forms/${of.id}/submissions?${query}`)).body

describe('the list', () => {
  let own: Form
  const ids: string[] = []

  beforeAll(async () => {
    own = await makeForm(side, {
      fields: [
        { id: 'name', type: 'text', label: 'Name' },
        { id: 'age', type: 'number', label: 'Age' },
        { id: 'likes', type: 'multi_select', label: 'Likes', options: [{ value: 'Tea' }, { value: 'Milk' }] },
        { id: 'news', type: 'checkbox', label: 'News' },
      ],
    })
    const people = [
      { name: 'Ada_L', age: 36, likes: ['Tea', 'Milk'], news: true },
      { name: 'Grace 100%', age: 85 },
      { name: 'Änne\\', likes: ['Milk'] },
      { name: 'name', age: 1.5 },
    ]
    for (const [i, person] of people.entries()) {
      const { body } = await submit(person, own)
      ids.push(body.data.id)
      await api.owner.query('update form_submissions set created_at = $2 where id = $1', [
        parseId(submissionId, body.data.id),
        `2026-11-${18 + i}T12:00:00.5Z`,
      ])
    }
  })
  const found = async (query: string) => (await list(query, own)).data.map(({ id }) => ids.indexOf(id))

  test('is newest first, in pages, with the exact total', async () => {
    expect(await found('')).toEqual([3, 2, 1, 0])
    expect(await found('order=asc')).toEqual([0, 1, 2, 3])
    const body = await list('page=2&limit=3', own)
    expect(body.data.map(({ id }) => id)).toEqual([ids[0]])
    expect(body.pagination).toEqual({ page: 2, limit: 3, total: 4, total_pages: 2, next_cursor: null })
  })

  test('takes dates and timestamps, the day of an end date included', async () => {
    expect(await found('start_date=2026-11-19&end_date=2026-11-20')).toEqual([2, 1])
    expect(await found('start_date=2026-11-19T12:00:00.500Z')).toEqual([3, 2, 1])
    expect(await found('start_date=2026-11-19T12:00:00.501Z')).toEqual([3, 2])
    expect(await found('end_date=2026-11-19T13:00:00.500%2B01:00')).toEqual([1, 0])
    expect(await found('end_date=2026-11-19T13:00:00.499%2B01:00')).toEqual([0])
    for (const wrong of ['yesterday', '2026-02-30', '2026-13-01', '2026-11-19T12:00:00', '0000-01-01', '']) {
      const { status } = await side.admin.get(`/forms/${own.id}/submissions?start_date=${wrong}`)
      expect([wrong, status]).toEqual([wrong, 400])
    }
  })

  test('searches all values of the data, and nothing but them', async () => {
    expect(await found('search=ADA_')).toEqual([0])
    expect(await found('search=tea')).toEqual([0])
    expect(await found('search=milk')).toEqual([2, 0])
    expect(await found('search=85')).toEqual([1])
    expect(await found('search=100%25')).toEqual([1])
    expect(await found('search=%C3%84NNE%5C')).toEqual([2])
    // Names of fields and punctuation of JSON are no values.
    expect(await found('search=name')).toEqual([3])
    expect(await found('search=likes')).toEqual([])
    expect(await found('search=%22')).toEqual([])
    expect((await list('search=milk&limit=1', own)).pagination.total).toBe(2)
  })

  test('is searched in this project alone, whoever asks the function behind it', async () => {
    const search = `select unnest(ids) from app.find_submissions(
      $1, $2, 'received', null, null, null, true, null, null, 10, 0, true)`
    const values = [parseId(formId, own.id), '%milk%']
    const client = await api.deps.pool.connect()
    try {
      const foundIn = async (projectId: string) => {
        await client.query('begin')
        await client.query("select set_config('app.project_id', $1, true)", [projectId])
        const { rows } = await client.query(search, values)
        await client.query('rollback')
        return rows.length
      }
      expect(await foundIn(side.projectId)).toBe(2)
      expect(await foundIn(other.projectId)).toBe(0)
      expect((await client.query(search, values)).rows).toEqual([])
    } finally {
      client.release()
    }
  })

  test('combines filters', async () => {
    expect(await found('search=milk&start_date=2026-11-19')).toEqual([2])
    const { id: member_id } = await side.makeMember()
    await submit({ name: 'Member' }, own, { member_id })
    expect((await list(`member_id=${member_id}`, own)).data.map(({ data }) => data.name)).toEqual(['Member'])
    expect((await list(`member_id=${member_id}&search=ada`, own)).data).toEqual([])
    expect(await list('member_id=nobody', own)).toMatchObject({
      details: [{ field: 'member_id', rule: 'id' }],
    })
  })
})

describe('a search of more submissions than are counted', () => {
  const ROWS = 10_400
  let own: Form
  /** The newest first. */
  const texts = Array.from(
    { length: ROWS },
    (_, i) => `Tea ${ROWS - i}${(ROWS - i) % 7 === 0 ? ' with milk' : ''}`,
  )
  beforeAll(async () => {
    own = await makeForm(side, { fields: [{ id: 'name', type: 'text', label: 'Name' }] })
    await api.owner.query(
      `insert into form_submissions (project_id, id, form_id, form_version, data, created_at)
       select $1, gen_random_uuid(), $2, 1, jsonb_build_object('name', text),
         '2026-01-01T00:00:00Z'::timestamptz - place * interval '1 minute'
       from unnest($3::text[]) with ordinality as t (text, place)`,
      [side.projectId, parseId(formId, own.id), texts],
    )
  })
  const names = ({ data }: Page) => data.map((submission) => submission.data.name)
  const matching = (search: string) =>
    texts.filter((text) => text.toLowerCase().includes(search.toLowerCase()))

  test('finds what a look at all of them finds, on every page and in both orders', async () => {
    const search = fc.constantFrom(
      'e',
      'TEA',
      'milk',
      '7 w',
      '1',
      'tea 104',
      'q',
      'nothing at all',
      '%',
      'tea 5',
    )
    const order = fc.constantFrom('asc', 'desc')
    await fc.assert(
      fc.asyncProperty(search, order, fc.constantFrom(1, 2, 15, 20, 21, 104), async (text, by, page) => {
        const found = await list(`search=${encodeURIComponent(text)}&limit=100&order=${by}&page=${page}`, own)
        const expected = matching(text)
        if (by === 'asc') expected.reverse()
        expect(names(found)).toEqual(expected.slice((page - 1) * 100, page * 100))
        expect(found.pagination.total).toBe(Math.min(expected.length, 10_000))
        expect(found.pagination.total_capped).toBe(expected.length > 10_000 ? true : undefined)
      }),
      { numRuns: 50 },
    )
  })

  test('goes on behind a cursor, and within a day', async () => {
    const found: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await list(`search=milk&limit=100${cursor && `&cursor=${cursor}`}`, own)
      found.push(...names(page))
      cursor = page.pagination.next_cursor
    }
    expect(found).toEqual(matching('milk'))
    const day = await list('search=tea&start_date=2025-12-31&end_date=2025-12-31', own)
    expect(day.pagination.total).toBe(1_440)
    expect((await list('search=tea&status=spam', own)).pagination.total).toBe(0)
  })
})

test('counts stay exact under submissions, deletions and judgements at once', async () => {
  const own = await makeForm(side)
  const sent = await Promise.all(
    Array.from({ length: 30 }, (_, i) => submit({ email: `p${i}@example.com` }, own)),
  )
  await Promise.all(
    sent.map(({ body }, i) => {
      const path = `/forms/${own.id}/submissions/${body.data.id}`
      if (i % 3 === 0) return side.admin.delete(path)
      return i % 3 === 1 ? side.admin.patch(path, { status: 'spam' }) : undefined
    }),
  )
  expect((await list('', own)).pagination.total).toBe(10)
  expect((await list('status=spam', own)).pagination.total).toBe(10)
  const { body } = await side.admin.get<{ data: Form[] }>('/forms?limit=100')
  expect(body.data.find(({ id }) => id === own.id)?.submission_count).toBe(10)
})
