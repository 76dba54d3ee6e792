import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { MEMBER_STATUSES, type MemberStats } from '../schema.ts'

let api: TestApi
let side: Side
/** Another project, in which nothing happens. */
let still: Side
let plans: string[]

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  still = two.live
  await still.makeMember()
  plans = [(await side.makePlan()).id, (await side.makePlan()).id]
})

const statsOf = async (of: Side) => (await of.admin.get<{ data: MemberStats }>('/members/stats')).body.data

/** Counted by PostgreSQL, row by row. */
async function countedOf({ projectId }: Side): Promise<Omit<MemberStats, 'created'>> {
  const { rows } = await api.owner.query<{ status: string; plan_id: string }>(
    'select status, plan_id from members where project_id = $1 and deleted_at is null',
    [projectId],
  )
  const count = (status: string) => rows.filter((row) => row.status === status).length
  const byPlan = Map.groupBy(rows, (row) => row.plan_id)
  return {
    total: rows.length,
    by_status: { active: count('active'), inactive: count('inactive'), pending: count('pending') },
    by_plan: [...byPlan].map(([plan_id, on]) => ({ plan_id, members: on.length })),
  }
}

const sorted = (byPlan: MemberStats['by_plan'], toUuid: (id: string) => string | undefined) =>
  byPlan.map(({ plan_id, members }) => `${toUuid(plan_id)}: ${members}`).sort()

const status = fc.constantFrom(...MEMBER_STATUSES)
const plan = fc.constantFrom(0, 1)
/** Something that a client does to the member with this number; several do so at once. */
const action = fc.oneof(
  fc.record({ does: fc.constant('create' as const), status, plan }),
  fc.record({ does: fc.constant('move' as const), member: fc.nat(20), status, plan }),
  fc.record({ does: fc.constantFrom('delete', 'anonymize', 'restore'), member: fc.nat(20) }),
)
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never

async function act(did: Action, members: string[]): Promise<void> {
  if ('status' in did && !('member' in did)) {
    const { id } = await side.makeMember({ status: did.status, plan_id: plans[did.plan] ?? '' })
    members.push(id)
    return
  }
  const id = 'member' in did ? members[did.member % Math.max(1, members.length)] : undefined
  if (id === undefined) return
  if ('status' in did)
    await side.admin.patch(`/members/${id}`, { status: did.status, plan_id: plans[did.plan] })
  else if (did.does === 'restore') await side.admin.post(`/members/${id}/restore`)
  else await side.admin.delete(`/members/${id}?mode=${did.does === 'delete' ? 'soft' : 'anonymize'}`)
}

test('counts stay exact under concurrent creations, moves, deletions and restores', async () => {
  const members: string[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 4, maxLength: 12 }), { maxLength: 5 }),
      async (rounds) => {
        for (const round of rounds) await Promise.all(round.map((each) => act(each, members)))
        const { by_plan, created: _created, ...stats } = await statsOf(side)
        const { by_plan: countedByPlan, ...counted } = await countedOf(side)
        expect(stats).toEqual(counted)
        expect(sorted(by_plan, (id) => parseId('plan', id))).toEqual(sorted(countedByPlan, (id) => id))
        for (const one of [undefined, ...MEMBER_STATUSES]) {
          const filter = one === undefined ? '' : `&status=${one}`
          const { body } = await side.admin.get<{ data: unknown[]; pagination: { total: number } }>(
            `/members?limit=1${filter}`,
          )
          const total = one === undefined ? counted.total : counted.by_status[one]
          expect(body.pagination.total).toBe(total)
          expect(body.data.length).toBe(Math.min(1, total))
        }
      },
    ),
    { numRuns: 25 },
  )
  expect(members.length).toBeGreaterThan(20)
  expect((await statsOf(still)).total).toBe(1)
})

test('counts are exact after rows are written in bulk and removed by whoever owns the database', async () => {
  const id = (i: string) => `('00000000-0000-4000-8000-' || lpad((${i})::text, 12, '0'))::uuid`
  const projectId = still.projectId
  await api.owner.query(
    `insert into members (project_id, id, email, status, plan_id, plan_version, created_at, updated_at)
     select $1, ${id('i')}, 'bulk' || i || '@example.com', (array['active', 'inactive', 'pending'])[i % 3 + 1], p.id, p.version,
       now(), now()
     from generate_series(1, 300) i, plans p where p.project_id = $1 and p.is_default`,
    [projectId],
  )
  expect((await statsOf(still)).by_status).toEqual({ active: 101, inactive: 100, pending: 100 })
  await api.owner.query(
    `delete from members where project_id = $1 and email like 'bulk%' and status = 'pending'`,
    [projectId],
  )
  await api.owner.query(`update members set status = 'active' where project_id = $1`, [projectId])
  expect((await statsOf(still)).by_status).toEqual({ active: 201, inactive: 0, pending: 0 })
})

test('a creation that is rolled back is not counted', async () => {
  const before = await statsOf(side)
  await side.makeMember({ email: 'twice@example.com' })
  await expect(side.makeMember({ email: 'twice@example.com' })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
  expect((await statsOf(side)).total).toBe(before.total + 1)
})

test('members of the last days are counted apart', async () => {
  const [, two] = await makeProjects(api)
  const days = ['1 hour', '6 days', '8 days', '29 days', '31 days', '400 days']
  for (const age of days) {
    const { id } = await two.live.makeMember()
    await api.owner.query('update members set created_at = now() - $2::interval where id = $1', [
      parseId('member', id),
      age,
    ])
  }
  expect((await statsOf(two.live)).created).toEqual({ last_7_days: 2, last_30_days: 4 })
})
