import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { orderId } from '../ids.ts'
import type { OrderSummary } from './schema.ts'

// Orders of which some texts have more than are counted, compared with a plain look at all of them.

interface List {
  readonly data: OrderSummary[]
  readonly pagination: {
    readonly total: number
    readonly total_capped?: true
    readonly next_cursor: string | null
  }
}

const ORDERS = 10_600
/** All buyers share a company but one; every seventh order has a bowl in it. One buyer is deleted. */
const LOAD = `
  insert into orders (id, number, member_id, cart_id, cart_version, status, currency, subtotal_minor, discount_minor,
    tax_minor, total_minor, reserved_until, created_at, updated_at, line_names)
  select uuidv7(at - now()), 'N-' || n, ($1::uuid[])[1 + n % 3], gen_random_uuid(), 1,
    case when n % 2 = 0 then 'paid' else 'canceled' end, 'EUR', n % 90, 0, 0, n % 90, at, at, at,
    case when n % 7 = 0 then E'Blue Bowl\\nClay 100%' else 'Cup_' || n end
  from generate_series(1, ${ORDERS}) n, lateral (select '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute' as at) t`

let api: TestApi
let side: Side
let other: Side
/** The newest first. */
let all: {
  id: string
  status: string
  member_id: string
  created_at: string
  total: number
  text: string[]
}[]
let buyers: { id: string }[]

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one, two] = await makeProjects(api)
    side = one.live
    other = two.live
    const emails = ['Ada@shop.example', 'bob@shop.example', 'eve@elsewhere.example']
    const members = await Promise.all(emails.map((email) => side.makeMember({ email })))
    await side.admin.delete(`/members/${members[1]?.id}`)
    buyers = members
    const stranger = await other.makeMember({ email: 'bob@shop.example' })
    const load = async (projectId: string, ids: readonly string[]) => {
      const client = await api.owner.connect()
      await client.query("select set_config('app.project_id', $1, false)", [projectId])
      await client.query(LOAD, [ids.map((id) => parseId('member', id))])
      client.release(true)
    }
    await load(
      side.projectId,
      members.map(({ id }) => id),
    )
    await load(other.projectId, [stranger.id, stranger.id, stranger.id])
    const { rows } = await api.owner.query(
      `select o.id, o.status, o.member_id, o.created_at::text, o.total_minor as total, array[o.number, o.line_names, m.email, m.full_name] as text
     from orders o left join members m on m.project_id = o.project_id and m.id = o.member_id
     where o.project_id = $1 order by o.id desc`,
      [side.projectId],
    )
    all = rows
  },
)

const list = async (query: string): Promise<List> => (await side.admin.get<List>(`/orders?${query}`)).body
const idsOf = ({ data }: List) => data.map(({ id }) => parseId(orderId, id))
const matching = (search: string, status?: string) =>
  all.filter(
    (row) =>
      (status === undefined || row.status === status) &&
      row.text.some((text) => text.toLowerCase().includes(search.toLowerCase())),
  )

test('a search of orders finds what a look at all of them finds, on every page', async () => {
  const search = fc.constantFrom(
    ...[
      'e',
      'b',
      'zq',
      'bowl',
      'BLUE b',
      'clay 100%',
      'cup_77',
      'cup_7',
      'n-10',
      'N-1060',
      '@',
      'shop.example',
      'bob@',
    ],
    ...['elsewhere', '%', '_', '-', 'nothing at all', 'example'],
  )
  const status = fc.constantFrom(undefined, 'paid', 'canceled')
  await fc.assert(
    fc.asyncProperty(search, status, fc.constantFrom(1, 2, 20, 21, 60, 106), async (text, only, page) => {
      const query = `search=${encodeURIComponent(text)}&limit=100${only ? `&status=${only}` : ''}`
      const expected = matching(text, only)
      const found = await list(`${query}&page=${page}`)
      expect(idsOf(found)).toEqual(expected.slice((page - 1) * 100, page * 100).map(({ id }) => id))
      expect(found.pagination.total).toBe(Math.min(expected.length, 10_000))
      expect(found.pagination.total_capped).toBe(expected.length > 10_000 ? true : undefined)
    }),
    { numRuns: 60 },
  )
})

test('orders are sorted by total and left to a member, with a search and without, page after page by cursors', async () => {
  const member = String(buyers[0]?.id)
  for (const search of ['', 'bowl', 'shop.example'])
    for (const order of ['asc', 'desc'])
      for (const only of [undefined, member]) {
        const sign = order === 'asc' ? 1 : -1
        const expected = (search === '' ? all : matching(search))
          .filter(({ member_id }) => only === undefined || member_id === parseId('member', only))
          .toSorted((a, b) => sign * (Number(a.total) - Number(b.total) || (a.id < b.id ? -1 : 1)))
          .map(({ id }) => id)
        const query = `sort=total&order=${order}&limit=100${search && `&search=${search}`}${only ? `&member_id=${only}` : ''}`
        const first = await list(query)
        const second = await list(`${query}&cursor=${first.pagination.next_cursor}`)
        expect([...idsOf(first), ...idsOf(second)], query).toEqual(expected.slice(0, 200))
        expect(first.pagination.total, query).toBe(
          search === '' ? expected.length : Math.min(expected.length, 10_000),
        )
        expect(idsOf(await list(`${query}&page=7`)), query).toEqual(expected.slice(600, 700))
      }
})

test('a search of orders goes on behind a cursor, and within dates', async () => {
  const expected = matching('bowl').map(({ id }) => id)
  const found: (string | undefined)[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await list(`search=bowl&limit=90${cursor && `&cursor=${cursor}`}`)
    found.push(...idsOf(answer))
    cursor = answer.pagination.next_cursor
  }
  expect(found).toEqual(expected)
  const within = matching('bowl').filter(({ created_at }) => created_at.startsWith('2026-01-03'))
  const day = await list('search=bowl&start_date=2026-01-03&end_date=2026-01-03&limit=100')
  expect(day.pagination.total).toBe(within.length)
  expect(idsOf(day)).toEqual(within.slice(0, 100).map(({ id }) => id))
})
