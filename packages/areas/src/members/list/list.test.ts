import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { NewMember } from '../schema.ts'

interface List {
  data: { id: string; email: string; full_name: string; status: string; created_at: string }[]
  pagination: { page: number; limit: number; total: number; total_pages: number; next_cursor: string | null }
}

/** Has the members below; `empty` has none. */
let side: Side
let empty: Side

const MEMBERS: Partial<NewMember>[] = [
  { email: 'Ada@example.com', full_name: 'Ada Lovelace' },
  { email: 'bob@example.com', full_name: 'Bob 100%', status: 'inactive' },
  { email: 'b_b@example.com', full_name: 'bob', status: 'pending' },
  { email: 'bxb@example.com', full_name: 'Bob', status: 'pending' },
  { email: 'eve@other.example', full_name: String.raw`back\slash` },
  { email: 'zoe@example.com', full_name: 'Zoë Ünal' },
  { email: 'nameless@example.com' },
  { email: 'same@example.com', full_name: 'Same' },
  { email: 'same2@example.com', full_name: 'Same', status: 'inactive' },
]

withNewProjects(async (_api, one, two) => {
  side = one.live
  empty = one.test
  await two.live.makeMember({ full_name: 'Ada of another project' })
  for (const member of MEMBERS) await side.makeMember(member)
  const { id } = await side.makeMember({ email: 'deleted@example.com', full_name: 'Same' })
  await side.admin.delete(`/members/${id}`)
})

const list = async (query: Record<string, string | number>): Promise<List> => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
  )
  return (await side.admin.get<List>(`/members?${search}`)).body
}
const emails = ({ data }: List) => data.map((member) => member.email)

describe('GET /members', () => {
  test('is filtered by plan, role, metadata and the time of the last change', async () => {
    const { body } = await empty.admin.post<{ data: { id: string } }>('/plans', { name: 'Patron', price: 1 })
    const plan_id = body.data.id
    const first = await empty.makeMember({ plan_id, metadata: { company: 'Example Ltd', seats: 5 } })
    const second = await empty.makeMember({
      role: 'moderator',
      metadata: { company: 'Example Ltd', seats: 7 },
    })
    const found = async (query: string) => {
      const { body } = await empty.admin.get<List>(`/members?${query}`)
      expect(body.pagination.total).toBe(body.data.length)
      return body.data.map(({ id }) => id)
    }
    expect(await found(`plan_id=${plan_id}`)).toEqual([first.id])
    expect(await found(`plan_id=${plan_id}&status=inactive`)).toEqual([])
    expect(await found('role=moderator')).toEqual([second.id])
    expect(await found('metadata.company=Example%20Ltd')).toEqual([second.id, first.id])
    expect(await found('metadata.company=Example%20Ltd&metadata.seats=5')).toEqual([first.id])
    expect(await found('metadata.company=Example')).toEqual([])
    expect(await found('metadata.nothing=x')).toEqual([])
    const since = encodeURIComponent(new Date().toISOString())
    expect(await found(`updated_since=${since}`)).toEqual([])
    await empty.admin.patch(`/members/${first.id}`, { full_name: 'Changed' })
    expect(await found(`updated_since=${since}`)).toEqual([first.id])
    for (const { id } of [first, second]) await empty.admin.delete(`/members/${id}?mode=anonymize`)
  })

  test('shows deleted members that can be restored where they are asked for', async () => {
    const { data, pagination } = await list({ deleted: 'true' })
    expect(data).toMatchObject([{ email: 'deleted@example.com', deleted_at: expect.any(String) }])
    expect(pagination.total).toBe(1)
    const gone = await side.makeMember()
    await side.admin.delete(`/members/${gone.id}?mode=anonymize`)
    expect((await list({ deleted: 'true' })).data).toHaveLength(1)
  })

  test('shows the members that are named by their ids, with every other filter and the search', async () => {
    const { data } = await list({ limit: 100 })
    const named = data.filter(({ email }) => /^(?:Ada|bob|bxb)@/.test(email))
    const ids = named.map(({ id }) => id).join(',')
    const found = await list({ ids })
    expect(emails(found)).toEqual(emails({ ...found, data: named }))
    expect(found.pagination.total).toBe(3)
    expect(emails(await list({ ids, status: 'inactive' }))).toEqual(['bob@example.com'])
    expect(emails(await list({ ids, search: 'lovelace' }))).toEqual(['Ada@example.com'])
    expect(emails(await list({ ids, search: 'nameless' }))).toEqual([])
    expect(emails(await list({ ids, limit: 1, page: 2, sort: 'email', order: 'asc' }))).toEqual([
      'bob@example.com',
    ])
    const stranger = await empty.makeMember()
    expect(emails(await list({ ids: stranger.id }))).toEqual([])
    const { data: deleted } = await list({ deleted: 'true' })
    expect(emails(await list({ ids: deleted[0]?.id ?? '' }))).toEqual([])
    expect(emails(await list({ deleted: 'true', ids: deleted[0]?.id ?? '' }))).toEqual([
      'deleted@example.com',
    ])
    expect(emails(await list({ deleted: 'true', ids }))).toEqual([])
    await empty.admin.delete(`/members/${stranger.id}?mode=anonymize`)
    for (const wrong of [`${ids},plan_01jcq3k8f7e8qtk4m3hbw7rn2d`, 'mem_', `mem_${'z'.repeat(26)}`])
      expect((await side.admin.get(`/members?ids=${wrong}`)).status).toBe(400)
  })

  test('answers members in the reference’s shape, the newest first', async () => {
    const { data, pagination, ...rest } = await list({})
    expect(rest).toEqual({ success: true })
    expect(pagination).toEqual({
      page: 1,
      limit: 20,
      total: MEMBERS.length,
      total_pages: 1,
      next_cursor: null,
    })
    expect(emails({ data, pagination })).toEqual(MEMBERS.map((member) => member.email).reverse())
    expect(data.at(-1)).toEqual({
      id: expect.stringMatching(/^mem_/),
      email: 'Ada@example.com',
      full_name: 'Ada Lovelace',
      status: 'active',
      plan_id: expect.stringMatching(/^plan_/),
      metadata: {},
      created_at: expect.any(String),
    })
  })

  test('of nobody is empty', async () => {
    const { body } = await empty.admin.get<List>('/members?search=a&status=active')
    expect(body).toEqual({
      success: true,
      data: [],
      pagination: { page: 1, limit: 20, total: 0, total_pages: 0, next_cursor: null },
    })
  })

  test('past the end has no data and the same total', async () => {
    for (const page of [2, 3, 1_000_000, 1_000_000_000]) {
      const { data, pagination } = await list({ page, limit: MEMBERS.length })
      expect({ data, pagination }).toEqual({
        data: [],
        pagination: { page, limit: MEMBERS.length, total: MEMBERS.length, total_pages: 1, next_cursor: null },
      })
    }
  })

  test('sorts by address without regard to case', async () => {
    const sorted = await list({ sort: 'email', order: 'asc' })
    expect(emails(sorted)[0]).toBe('Ada@example.com')
    expect(emails(sorted).map((email) => email.toLowerCase())).toEqual(
      MEMBERS.map(({ email = '' }) => email.toLowerCase()).sort(),
    )
  })

  test('finds parts of addresses and names without regard to case', async () => {
    expect(emails(await list({ search: 'aDA' }))).toEqual(['Ada@example.com'])
    expect(emails(await list({ search: 'lovel' }))).toEqual(['Ada@example.com'])
    expect(emails(await list({ search: 'other.exam' }))).toEqual(['eve@other.example'])
    expect(emails(await list({ search: 'ünal' }))).toEqual(['zoe@example.com'])
    expect(emails(await list({ search: 'deleted' }))).toEqual([])
  })

  test('takes %, _ and \\ for what they are', async () => {
    expect(emails(await list({ search: '%' }))).toEqual(['bob@example.com'])
    expect(emails(await list({ search: 'b_b' }))).toEqual(['b_b@example.com'])
    expect(emails(await list({ search: '\\' }))).toEqual(['eve@other.example'])
    expect(emails(await list({ search: '100%' }))).toEqual(['bob@example.com'])
    expect(emails(await list({ search: "'; drop table members; --" }))).toEqual([])
  })

  test('is the same members in pages of any size, in any order, with any filter', async () => {
    const filter = fc.record(
      {
        status: fc.constantFrom('active', 'inactive', 'pending'),
        search: fc.constantFrom('same', 'bob', 'example.com', 'o', '@', 'nothing at all', '%', '_'),
      },
      { requiredKeys: [] },
    )
    const sort = fc.record({
      sort: fc.constantFrom('created_at', 'email', 'full_name'),
      order: fc.constantFrom('asc', 'desc'),
    })
    await fc.assert(
      fc.asyncProperty(filter, sort, fc.integer({ min: 1, max: 10 }), async (filters, sorting, limit) => {
        const query = { ...filters, ...sorting }
        const whole = await list({ ...query, limit: 100 })
        const { total } = whole.pagination
        const reversed = await list({ ...query, order: sorting.order === 'asc' ? 'desc' : 'asc', limit: 100 })
        expect(emails(reversed)).toEqual(emails(whole).reverse())
        expect(total).toBe(MEMBERS.filter((member) => isFound(member, filters)).length)
        const pages: string[] = []
        for (let page = 1; page <= Math.ceil(total / limit) + 1; page++) {
          const part = await list({ ...query, page, limit })
          const total_pages = Math.ceil(total / limit)
          expect(part.pagination).toMatchObject({ page, limit, total, total_pages })
          expect(part.pagination.next_cursor === null).toBe(page >= total_pages)
          pages.push(...emails(part))
        }
        expect(pages).toEqual(emails(whole))
      }),
      { numRuns: 40 },
    )
  })
})

/** What the list should find, in plain words. */
function isFound(member: Partial<NewMember>, filter: { status?: string; search?: string }): boolean {
  const text = [member.email, member.full_name].map((part) => part?.toLowerCase() ?? '')
  return (
    (filter.status === undefined || (member.status ?? 'active') === filter.status) &&
    (filter.search === undefined || text.some((part) => part.includes(filter.search ?? '')))
  )
}
