import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { query } from '../db/statement.ts'
import type { Listed } from './list.ts'
import { defineList, keptIn } from './list.ts'
import { between, choice, contains, equals } from './list-filters.ts'

// Lists, compared with what sorting all rows in memory says.

const STATUSES = ['active', 'inactive', 'pending'] as const
const MEMBERS = 70

const rows = () =>
  query
    .selectFrom('members as m')
    .select(['m.id', 'm.status', 'm.full_name', 'm.created_at'])
    .where('m.deleted_at', 'is', null)
const common = {
  rows,
  key: 'm.id',
  filters: {
    status: choice<string>((status) => sql`m.status = ${status}`),
    role: equals<string>('m.role'),
    ...between('m.created_at'),
  },
  search: contains('m.full_name'),
  sorts: { full_name: ['m.full_name', 'text'], created_at: ['m.created_at', 'timestamptz'] },
} as const

const lists = {
  counted: defineList({ ...common, label: 'counted_list' }),
  'with a kept total': defineList({
    ...common,
    label: 'kept_list',
    kept: keptIn('member_counts', 'members', { status: 'status' }),
  }),
  'led by a column': defineList({
    ...common,
    label: 'led_list',
    ledBy: { filter: 'status', words: STATUSES },
    kept: keptIn('member_counts', 'members', { status: 'status' }),
  }),
}
const byKey = defineList({ label: 'by_key', rows, key: 'm.id', order: 'asc', counts: false })

let api: TestApi
let side: Side
let all: { id: string; status: string; full_name: string; created_at: string }[]

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one, other] = await makeProjects(api)
    side = one.live
    await other.live.makeMember({ full_name: 'Name 3' })
    for (let i = 0; i < MEMBERS; i++)
      await side.makeMember({
        full_name: `Name ${i % 7}`,
        status: STATUSES[i % 3] ?? 'active',
        role: i % 2 ? 'odd' : 'even',
      })
    // Several in the same microsecond, so that the key decides.
    const moment = "'2026-01-01 00:00:00.000001+00'::timestamptz"
    await api.owner.query(
      `update members set created_at = ${moment} + abs(hashtext(id::text) % 9) * interval '1 microsecond'
      where project_id = $1`,
      [side.projectId],
    )
    const found = await api.owner.query(
      `select id, status, full_name, created_at::text from members where project_id = $1 and deleted_at is null`,
      [side.projectId],
    )
    all = found.rows
  },
)

type Sorted = 'full_name' | 'created_at'
const sorted = (sort: Sorted, order: 'asc' | 'desc', status?: string) => {
  const ids = all
    .filter((row) => status === undefined || row.status === status)
    .sort((a, b) => (`${a[sort]} ${a.id}` < `${b[sort]} ${b.id}` ? -1 : 1))
    .map(({ id }) => id)
  return order === 'asc' ? ids : ids.reverse()
}
const idsOf = ({ rows }: Listed<{ id: string }>) => rows.map(({ id }) => id)

describe.each(Object.entries(lists))('a list %s', (_name, list) => {
  const cases = (['full_name', 'created_at'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).flatMap((order) =>
      [undefined, 'pending'].map((status) => ({ sort, order, status })),
    ),
  )

  test.each(cases)('has every row once, in order, on pages and by cursors: %o', async (request) => {
    const expected = sorted(request.sort, request.order, request.status)
    const limit = 8
    const paged: string[] = []
    for (let page = 1; page <= Math.ceil(expected.length / limit) + 1; page++) {
      const found = await side.write((ctx) => list(ctx, { ...request, page, limit }))
      paged.push(...idsOf(found))
      expect(found.pagination).toMatchObject({
        page,
        limit,
        total: expected.length,
        total_pages: Math.ceil(expected.length / limit),
      })
      expect(found.pagination.next_cursor !== null).toBe(page * limit < expected.length)
    }
    expect(paged).toEqual(expected)
    const walked: string[] = []
    let cursor: string | undefined
    do {
      const found = await side.write((ctx) => list(ctx, { ...request, limit, cursor }))
      walked.push(...idsOf(found))
      if (cursor !== undefined) expect(Object.keys(found.pagination)).toEqual(['limit', 'next_cursor'])
      cursor = found.pagination.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(walked).toEqual(expected)
  })

  test('filters and searches on every page', async () => {
    const of = (page: number) =>
      side.write((ctx) =>
        list(ctx, {
          page,
          limit: 3,
          role: 'odd',
          search: 'NAME 3',
          start_date: '2026-01-01',
          end_date: '2026-01-01',
        }),
      )
    const pages = [await of(1), await of(2), await of(3)]
    expect(pages.map(({ rows }) => rows.length)).toEqual([3, 2, 0])
    expect(pages[0]?.pagination.total).toBe(5)
    expect(new Set(pages.flatMap(({ rows }) => rows.map(({ full_name }) => full_name)))).toEqual(
      new Set(['Name 3']),
    )
  })

  test('far past the end is empty', async () => {
    const found = await side.write((ctx) => list(ctx, { page: 1_000_000_000, limit: 100 }))
    expect([found.rows, found.pagination.total]).toEqual([[], MEMBERS])
  })
})

test('a list without sorts goes by its key, and one that shows no total does not count', async () => {
  const found = await side.write((ctx) => byKey(ctx, { limit: 100 }))
  expect(idsOf(found)).toEqual(all.map(({ id }) => id).sort())
  expect(found.pagination).toEqual({ limit: 100, next_cursor: null })
})

test('a cursor goes on although its row is gone, and new rows before it change nothing', async () => {
  const list = lists.counted
  const request = { sort: 'created_at', order: 'asc', limit: 10 } as const
  const expected = sorted('created_at', 'asc')
  const first = await side.write((ctx) => list(ctx, request))
  const last = first.rows.at(-1)?.id
  await api.owner.query('update members set deleted_at = now() where id = $1', [last])
  const cursor = first.pagination.next_cursor ?? ''
  expect(idsOf(await side.write((ctx) => list(ctx, { ...request, cursor })))).toEqual(expected.slice(10, 20))
  await api.owner.query('update members set deleted_at = null where id = $1', [last])
})

test('what is no cursor of the list in this order is refused by its name', async () => {
  const { pagination } = await side.write((ctx) => lists.counted(ctx, { sort: 'created_at', limit: 1 }))
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const [, , moment, key] = JSON.parse(Buffer.from(pagination.next_cursor ?? '', 'base64url').toString())
  const wrong = [
    'x',
    'bnVsbA',
    encode(['created_at', 'desc', moment, 'x']),
    encode(['created_at', 'desc', '2026-02-30 00:00:00+00', key]),
    encode(['created_at', 'desc', null, key]),
    encode(['created_at', 'desc', 'infinity', key]),
    encode(['created_at', 'desc', moment, key, 1]),
    encode(['full_name', 'desc', 'a', key]),
    encode(['created_at', 'asc', moment, key]),
  ]
  for (const cursor of wrong)
    await expect(
      side.write((ctx) => lists.counted(ctx, { sort: 'created_at', limit: 1, cursor })),
    ).rejects.toMatchObject({ status: 400, code: 'INVALID_PARAMETERS', details: [{ field: 'cursor' }] })
  const nul = encode(['full_name', 'desc', 'a\0', key])
  await expect(
    side.write((ctx) => lists.counted(ctx, { sort: 'full_name', limit: 1, cursor: nul })),
  ).rejects.toMatchObject({ status: 400 })
  await expect(
    side.write((ctx) =>
      lists.counted(ctx, { sort: 'created_at', limit: 1, page: 2, cursor: pagination.next_cursor ?? '' }),
    ),
  ).rejects.toMatchObject({ status: 400 })
})

test('a cursor is refused with other filters, another search or none, and taken with the same', async () => {
  const list = lists.counted
  const ask = (more: object) => side.write((ctx) => list(ctx, { limit: 2, ...more }))
  const requests = [
    {},
    { role: 'odd' },
    { role: 'even' },
    { search: 'Name' },
    { role: 'odd', search: 'Name' },
  ]
  for (const made of requests) {
    const cursor = (await ask(made)).pagination.next_cursor ?? ''
    for (const sent of requests) {
      if (sent === made) expect((await ask({ ...sent, cursor })).rows).toHaveLength(2)
      else
        await expect(ask({ ...sent, cursor })).rejects.toMatchObject({
          status: 400,
          details: [{ field: 'cursor', message: expect.stringContaining('these filters') }],
        })
    }
  }
})
