import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// A project in which one text has more matches than are counted, all of them older than the other members, who are
// more, so that the first page lies far from the beginning of the list.

interface Row {
  readonly email: string
  readonly full_name: string
  readonly status: string
  readonly created_at: string
}
interface List {
  readonly data: Row[]
  readonly pagination: {
    readonly total: number
    readonly total_pages: number
    readonly total_capped?: true
    readonly next_cursor: string | null
  }
}

const OLD = 10_300
const NEW = 13_000
const LOAD = `
  insert into members (id, email, full_name, status, plan_id, plan_version, created_at, updated_at, role, metadata)
  select uuidv7(at - now()), case when n <= ${OLD} then 'old' else 'new' end || '-' || n || '@example.com',
    'Person ' || n % 100, (array['active', 'inactive', 'pending'])[1 + n % 3], plan.id, plan.version, at, at,
    case when n % 1000 = 0 then 'moderator' else 'member' end,
    jsonb_build_object('age', case when n <= ${OLD} then 'old' else 'new' end, 'n', n)
  from (select id, version from plans where project_id = $1 and is_default) plan, generate_series(1, ${OLD + NEW}) n,
    lateral (select now() - (30000 - n) * interval '1 minute' as at) t`

let api: TestApi
let side: Side
let other: Side

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  const client = await api.owner.connect()
  await client.query("select set_config('app.project_id', $1, false)", [side.projectId])
  await client.query(LOAD, [side.projectId])
  client.release(true)
  await other.makeMember({ email: 'old-1@example.com', metadata: { age: 'old' } })
})

const list = async (query: string, of = side): Promise<List> =>
  (await of.admin.get<List>(`/members?${query}`)).body

/** Every match of a search that is too large to be counted, page after page by its cursor. */
async function walk(query: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, pagination } = await list(`${query}&limit=100${cursor && `&cursor=${cursor}`}`)
    rows.push(...data)
    cursor = pagination.next_cursor
  }
  return rows
}

test('a total above 10,000 is shown as capped, and an exact one is not', async () => {
  const { pagination } = await list('search=old-&limit=100')
  expect(pagination).toMatchObject({ total: 10_000, total_pages: 100, total_capped: true })
  const exact = await list('search=new-2&limit=1')
  expect(exact.pagination.total).toBe(3_301)
  expect(exact.pagination).not.toHaveProperty('total_capped')
  expect((await list('search=old-&status=active&limit=1')).pagination.total).toBe(Math.floor(OLD / 3))
  expect((await list('search=old-&role=moderator&limit=1')).pagination.total).toBe(10)
})

test('every match is on one page, in order, also on the pages behind those that are counted', async () => {
  const whole = await walk('search=old-&sort=created_at')
  expect(whole).toHaveLength(OLD)
  expect(whole.map(({ email }) => email)).toEqual(
    Array.from({ length: OLD }, (_, n) => `old-${OLD - n}@example.com`),
  )
  for (const page of [1, 2, 21, 57, 100, 102, 103, 104])
    expect((await list(`search=old-&limit=100&page=${page}`)).data).toEqual(
      whole.slice((page - 1) * 100, page * 100),
    )
})

test('what metadata has is counted exactly, and every page of it is there', async () => {
  const newestFirst = Array.from({ length: OLD }, (_, n) => `old-${OLD - n}@example.com`)
  const whole = await walk('metadata.age=old')
  expect(whole.map(({ email }) => email)).toEqual(newestFirst)
  for (const page of [1, 3, 57, 103, 104]) {
    const { data, pagination } = await list(`metadata.age=old&limit=100&page=${page}`)
    expect(data).toEqual(whole.slice((page - 1) * 100, page * 100))
    expect(pagination).toMatchObject({ total: OLD, total_pages: 103 })
    expect(pagination).not.toHaveProperty('total_capped')
  }
  expect((await list('metadata.age=old&role=moderator&status=pending')).pagination.total).toBe(3)
  expect((await list('metadata.age=old&metadata.n=77')).data).toMatchObject([{ email: 'old-77@example.com' }])
  expect((await list('metadata.age=new&search=old-')).pagination.total).toBe(0)
  expect((await list('metadata.age=old&search=old-')).pagination.total_capped).toBe(true)
  expect((await list('metadata.age=old', other)).pagination.total).toBe(1)
})

test('a filter by an id that is none is refused, also beside a text or metadata', async () => {
  for (const query of [
    'plan_id=none-such',
    'plan_id=none-such&search=old-',
    'plan_id=none-such&metadata.age=old',
  ])
    expect(await list(query), query).toMatchObject({
      ...{ code: 'INVALID_PARAMETERS', details: [{ field: 'plan_id', rule: 'id' }] },
    })
})

test('members of a role are counted exactly, whoever changes roles', async () => {
  const total = async (query: string) => (await list(`${query}&limit=1`)).pagination.total
  expect(await total('role=moderator')).toBe(Math.floor((OLD + NEW) / 1000))
  expect(await total('role=nobody')).toBe(0)
  const { id } = await side.makeMember({ role: 'guide', status: 'inactive' })
  expect([await total('role=guide'), await total('role=guide&status=active')]).toEqual([1, 0])
  await side.admin.patch(`/members/${id}`, { role: 'usher', status: 'active' })
  expect([await total('role=guide'), await total('role=usher&status=active')]).toEqual([0, 1])
  await side.admin.delete(`/members/${id}`)
  expect(await total('role=usher')).toBe(0)
})

test('each order is that of the whole list', async () => {
  for (const sort of ['created_at', 'email', 'full_name'])
    for (const order of ['asc', 'desc']) {
      const pages = await Promise.all(
        [1, 2, 30, 101].map(
          async (page) => (await list(`search=o&sort=${sort}&order=${order}&limit=100&page=${page}`)).data,
        ),
      )
      const all = await Promise.all(
        [1, 2, 30, 101].map(
          async (page) => (await list(`sort=${sort}&order=${order}&limit=100&page=${page}`)).data,
        ),
      )
      // Everybody has an o in their address.
      expect(pages).toEqual(all)
    }
})

test('a search answers what a look at all members does, whichever way it takes', async () => {
  const { rows: all } = await api.owner.query<Row>(
    `select email, full_name, status, created_at::text from members where project_id = $1 and deleted_at is null`,
    [side.projectId],
  )
  // Found by most, by many far from the beginning, by two letters with a trigram behind them and without, by few, by none.
  for (const text of ['exam', 'old-', 'ol', '77', 'on 77', 'ew', '-1', 'w-12', '7@e', 'zq']) {
    const found = all.filter((row) => row.email.includes(text) || row.full_name.toLowerCase().includes(text))
    for (const [sort, order, page] of [
      ['created_at', 'desc', 1],
      ['created_at', 'desc', 15],
      ['created_at', 'asc', 1],
      ['email', 'desc', 1],
    ] as const) {
      const expected = found.map((row) => `${row[sort]} ${row.email}`).sort()
      if (order === 'desc') expected.reverse()
      const query = `search=${encodeURIComponent(text)}&sort=${sort}&order=${order}&limit=100&page=${page}`
      const { data, pagination } = await list(query)
      const emails = expected.slice((page - 1) * 100, page * 100).map((row) => row.split(' ').at(-1))
      expect(
        data.map(({ email }) => email),
        query,
      ).toEqual(emails)
      expect([pagination.total, pagination.total_capped === true], query).toEqual([
        Math.min(found.length, 10_000),
        found.length > 10_000,
      ])
    }
  }
})

test('dates leave the same members with a search, with metadata and without, whichever way the search takes', async () => {
  const { rows: all } = await api.owner.query<Row & { day: string }>(
    `select email, full_name, status, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day from members
     where project_id = $1 and deleted_at is null order by created_at desc, id desc`,
    [side.projectId],
  )
  const days = [...new Set(all.map(({ day }) => day))].sort()
  const [start, end] = [String(days[3]), String(days[days.length - 4])]
  for (const [query, fits] of [
    ['search=old-', (row: Row) => row.email.startsWith('old-')],
    ['search=exam', () => true],
    ['search=-77', (row: Row) => row.email.includes('-77')],
    ['metadata.age=old', (row: Row) => row.email.startsWith('old-')],
    ['role=member', (row: Row) => !/-\d*000@/.test(row.email)],
    ['', () => true],
  ] as const)
    for (const [dates, within] of [
      [`start_date=${start}`, (day: string) => day >= start],
      [`end_date=${end}`, (day: string) => day <= end],
      [`start_date=${start}&end_date=${start}`, (day: string) => day === start],
    ] as const) {
      const expected = all.filter((row) => fits(row) && within(row.day)).map(({ email }) => email)
      const { data, pagination } = await list(`${query}&${dates}&limit=100`)
      expect(
        data.map(({ email }) => email),
        `${query}&${dates}`,
      ).toEqual(expected.slice(0, 100))
      const shown = query.startsWith('search') ? Math.min(expected.length, 10_000) : expected.length
      expect(pagination.total, `${query}&${dates}`).toBe(shown)
    }
})

test('only members of the project are found, whoever asks the function behind it', async () => {
  expect((await list('search=old-', other)).data.map(({ email }) => email)).toEqual(['old-1@example.com'])
  const search = `select cardinality(ids) as found, total::int from app.search_members('old-', '%old-%', null, null, null, null,
    null, null, null, 'created_at', true, null, null, 100, 0, true)`
  const client = await api.deps.pool.connect()
  try {
    const foundIn = async (projectId: string) => {
      await client.query('begin')
      await client.query("select set_config('app.project_id', $1, true)", [projectId])
      const { rows } = await client.query(search)
      await client.query('rollback')
      return rows[0]
    }
    expect(await foundIn(side.projectId)).toEqual({ found: 100, total: 10_001 })
    expect(await foundIn(other.projectId)).toEqual({ found: 1, total: 1 })
    expect((await client.query(search)).rows).toEqual([{ found: 0, total: 0 }])
  } finally {
    client.release()
  }
})

test('a text that means something in a pattern or in SQL is looked for as it is', async () => {
  for (const search of [
    "o'; drop table members; --",
    "%L'||'",
    'old-%',
    'o_d',
    '%s%I',
    '$2',
    '\\',
    'old-1\\',
    "''",
    '@ @ @',
  ])
    expect((await list(`search=${encodeURIComponent(search)}`)).data, search).toEqual([])
  expect((await list(`search=${encodeURIComponent('OLD-77@EXAMPLE.com')}`)).data).toHaveLength(1)
})
