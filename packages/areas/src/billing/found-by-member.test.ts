import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Bills and subscriptions, found by the names and addresses of their members.

interface List {
  readonly data: readonly { readonly id: string; readonly member_id: string }[]
  readonly pagination: { readonly total: number; readonly next_cursor: string | null }
}

let api: TestApi
let side: Side
let other: Side
/** Members by the first letter of their address. */
const ids: Record<string, string> = {}

async function subscribe(of: Side, email: string, full_name: string): Promise<string> {
  const [{ id: member_id }, { id: plan_id }] = [
    await of.makeMember({ email, full_name }),
    await of.makePlan(),
  ]
  await of.admin.post('/subscriptions', { member_id, plan_id })
  return member_id
}

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  ids['a'] = await subscribe(side, 'ada@clay.example', 'Ada Lovelace')
  ids['b'] = await subscribe(side, 'bob@clay.example', 'Bob_by Ümit')
  ids['g'] = await subscribe(side, 'gone@wood.example', 'Gone Lovelace')
  await side.admin.delete(`/members/${ids['g']}`)
  await subscribe(other, 'ada@clay.example', 'Ada Lovelace')
})

const CASES: readonly (readonly [search: string, found: string])[] = [
  ['LOVELACE', 'ga'],
  ['ada@', 'a'],
  ['clay.example', 'ba'],
  ['Ümit', 'b'],
  ['c_ay', ''],
  ['bob_by', 'b'],
  ['%', ''],
  ['ov', 'ga'],
  ['nobody', ''],
]

test.each(['/bills', '/subscriptions'])(
  '%s are found by part of the name or the address of the member',
  async (path) => {
    for (const [search, found] of CASES) {
      const { body } = await side.admin.get<List>(`${path}?search=${encodeURIComponent(search)}`)
      const expected = [...found].map((letter) => ids[letter])
      expect(
        body.data.map(({ member_id }) => member_id),
        search,
      ).toEqual(expected)
      expect(body.pagination.total, search).toBe(expected.length)
    }
    const first = await side.admin.get<List>(`${path}?search=clay&limit=1&order=asc`)
    const cursor = first.body.pagination.next_cursor
    const second = await side.admin.get<List>(`${path}?search=clay&limit=1&order=asc&cursor=${cursor}`)
    expect([...first.body.data, ...second.body.data].map(({ member_id }) => member_id)).toEqual([
      ids['a'],
      ids['b'],
    ])
  },
)

test('the function behind it finds nobody without a project, and nobody of another one', async () => {
  const client = await api.deps.pool.connect()
  try {
    const find = `select app.find_members('ada@', '%ada@%')`
    expect((await client.query(find)).rows).toEqual([])
    await client.query('begin')
    await client.query("select set_config('app.project_id', $1, true)", [other.projectId])
    expect((await client.query(find)).rows).toHaveLength(1)
    await client.query('rollback')
  } finally {
    client.release()
  }
})
