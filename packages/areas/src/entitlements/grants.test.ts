import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { JobRun } from '#platform/jobs/define-job.ts'
import type { DueRun } from '#platform/jobs/schedules/due-work.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { followDefaultPlan } from './follow-default.job.ts'
import { orderLineId } from './ids.ts'
import type { Entitlements } from './schema.ts'
import { addGrant, entitlementsOf, type GrantSource, removeGrants } from './service.ts'
import { turnDueGrants } from './turn-grants.due.ts'

let api: TestApi
let own: Side
let other: Side
let low: Plan
let high: Plan
let free: string

withProjects(async (opened, one, two) => {
  api = opened
  own = one.test
  other = two.test
  const { data } = (await own.admin.get<{ data: Plan[] }>('/plans')).body
  free = data.find(({ is_default }) => is_default)?.id ?? ''
  low = await own.makePlan({ name: 'Low', rank: 10, features: ['low'] })
  high = await own.makePlan({ name: 'High', rank: 20, features: ['high'] })
})

const uuid = (id: string) => parseId('member', id) ?? parseId('plan', id) ?? ''
const order = (): GrantSource => ({ type: 'order_line', id: newUuid() })
const subscription = (): GrantSource => ({ type: 'subscription', id: newUuid() })
const newMember = async () => uuid((await own.makeMember()).id)
const has = async (memberId: string) => (await own.read({ it: entitlementsOf({ memberId }) })).it
const give = (memberId: string, source: GrantSource, plan: Plan, expiresAt?: string) =>
  own.write((ctx) => addGrant(ctx, { memberId, source, planId: uuid(plan.id), expiresAt }))
const patch = (memberId: string, plan_id: string | null) =>
  own.admin.patch<{ data: { plan_id: string } }>(`/members/${toId('member', memberId)}`, { plan_id })
const eventsOf = async (memberId: string) => {
  const { rows } = await api.owner.query<{ payload: Entitlements }>(
    `select payload from events where member_id = $1 and type = 'member.entitlements_changed' order by id`,
    [memberId],
  )
  return rows.map(({ payload }) => payload)
}
/** The plan that members.plan_id names, and the one that entitlements tell of. */
const planOf = async (memberId: string) => {
  const { rows } = await api.owner.query<{ plan_id: string }>('select plan_id from members where id = $1', [
    memberId,
  ])
  const { plan } = await has(memberId)
  expect(plan.id).toBe(toId('plan', rows[0]?.plan_id ?? ''))
  return plan.name
}
const run = (side: Side): DueRun => ({
  projectId: side.projectId,
  deps: {
    config: api.config,
    log: makeLog('silent', 'worker'),
    catalogue: { paymentHandlers: {}, memberData: [], searchSources: [] },
  },
  read: side.read,
  write: side.write,
})
/** Runs the jobs that changes of the default plan have left. */
const follow = async (side: Side) => {
  const { rows } = await api.owner.query<{ payload: { former_plan_id: string } }>(
    "select payload from outbox where project_id = $1 and name = 'plans.follow-default' order by id",
    [side.projectId],
  )
  expect(rows.length).toBeGreaterThan(0)
  const { signal } = new AbortController()
  const job = { read: side.read, write: side.write, signal } as unknown as JobRun
  for (const { payload } of rows) await followDefaultPlan.run(job, payload)
}
const moveClock = (side: Side, ms: number) =>
  api.owner.query(
    `insert into project_clocks (project_id, id, moved_by_ms) values ($1, $1, $2)
     on conflict (project_id, id) do update set moved_by_ms = excluded.moved_by_ms`,
    [side.projectId, ms],
  )

describe('the effective plan', () => {
  test('is the highest-ranked one that was granted, and the default once all are gone', async () => {
    const member = await newMember()
    const [first, second] = [order(), subscription()]
    expect(await planOf(member)).toBe('Free')
    await give(member, first, low)
    expect(await planOf(member)).toBe('Low')
    await give(member, second, high)
    expect(await planOf(member)).toBe('High')
    await own.write((ctx) => removeGrants(ctx, second))
    expect(await planOf(member)).toBe('Low')
    await own.write((ctx) => removeGrants(ctx, first))
    expect(await planOf(member)).toBe('Free')
    expect((await eventsOf(member)).map(({ plan }) => plan.name)).toEqual(['Low', 'High', 'Low', 'Free'])
  })

  test('is the one that an operator set, whatever its rank, until that is taken back with null', async () => {
    const member = await newMember()
    await give(member, order(), high)
    expect((await patch(member, low.id)).body.data.plan_id).toBe(low.id)
    expect((await has(member)).plan.source).toEqual({ type: 'operator', id: null })
    expect((await patch(member, null)).body.data.plan_id).toBe(high.id)
    expect((await patch(member, null)).status).toBe(200)
    expect(await planOf(member)).toBe('High')
  })

  test('that is set again changes nothing and is not announced', async () => {
    const member = await newMember()
    await give(member, order(), high)
    await patch(member, high.id)
    const { grants, plan } = await has(member)
    expect(grants).toHaveLength(1)
    expect(plan.source.type).toBe('order_line')
    expect(await eventsOf(member)).toHaveLength(1)
  })

  test('of a member who is created, brought in bulk or changed in bulk is an operator’s grant', async () => {
    const { id } = await own.makeMember({ plan_id: low.id })
    expect((await has(uuid(id))).plan).toMatchObject({ name: 'Low', source: { type: 'operator' } })
    const operations = [{ action: 'update', id, changes: { plan_id: null } }]
    await own.admin.post('/members/bulk', { operations })
    expect(await planOf(uuid(id))).toBe('Free')
  })

  test('keeps the price that the grant was made at', async () => {
    const plan = await own.makePlan({ name: 'Priced', rank: 5, price: 3 })
    const member = await newMember()
    await patch(member, plan.id)
    await own.admin.patch(`/plans/${plan.id}`, { price: 4 })
    await give(member, order(), high)
    await patch(member, null)
    const { body } = await own.admin.get<{ data: { plan: { price: number } } }>(
      `/members/${toId('member', member)}`,
    )
    expect(body.data.plan.price).toBe(high.price)
  })
})

test('another default plan moves those whom nobody gave a plan, and nobody else', async () => {
  const [ungiven, given, later] = [await newMember(), await newMember(), await newMember()]
  const former = await other.makePlan({ name: 'Former', is_default: true })
  const foreign = uuid((await other.makeMember()).id)
  await give(given, order(), low)
  const standard = await own.makePlan({ name: 'Standard' })
  await own.admin.patch(`/plans/${standard.id}`, { is_default: true })
  await follow(own)
  expect([await planOf(ungiven), await planOf(given), await planOf(later)]).toEqual([
    'Standard',
    'Low',
    'Standard',
  ])
  expect((await eventsOf(ungiven)).map(({ plan }) => plan.name)).toEqual(['Standard'])
  await give(later, order(), high)
  await own.admin.patch(`/plans/${low.id}`, { is_default: true })
  await follow(own)
  expect([await planOf(ungiven), await planOf(later)]).toEqual(['Low', 'High'])
  await own.admin.patch(`/plans/${free}`, { is_default: true })
  await follow(own)
  // What was given stays, also where it was the default for a while.
  expect([await planOf(ungiven), await planOf(given)]).toEqual(['Free', 'Low'])
  const { plan } = (await other.read({ it: entitlementsOf({ memberId: foreign }) })).it
  expect(plan.id).toBe(former.id)
})

describe('grants', () => {
  test('are one for each source: the same one again takes the place of the first', async () => {
    const member = await newMember()
    const source = order()
    await give(member, source, low)
    await give(member, source, high)
    const { grants } = await has(member)
    expect(grants).toMatchObject([{ source: { type: 'order_line' }, plan_id: high.id }])
  })

  test('open features beside the plan, and say where they come from and when they end', async () => {
    const member = await newMember()
    const source = order()
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    await own.write((ctx) => addGrant(ctx, { memberId: member, source, features: ['extra'], expiresAt }))
    const found = await has(member)
    expect(found.features).toEqual(['extra'])
    expect(found.grants).toMatchObject([
      { source: { type: 'order_line', id: toId(orderLineId, source.id) }, ends_at: expiresAt },
    ])
  })

  test('of many sources at once leave the member on the highest plan', async () => {
    const member = await newMember()
    const plans = [low, high, low, high, low]
    await Promise.all(plans.map((plan) => give(member, order(), plan)))
    expect(await planOf(member)).toBe('High')
    expect((await has(member)).grants).toHaveLength(plans.length)
  })

  test('that were committed while a transaction ran count in it, also if they began after it', async () => {
    const member = await newMember()
    await own.write(async (ctx) => {
      await ctx.tx.ask(entitlementsOf({ memberId: member }))
      await give(member, order(), high)
      await addGrant(ctx, { memberId: member, source: order(), planId: uuid(low.id) })
    })
    expect(await planOf(member)).toBe('High')
  })

  test('of another project’s plan or member are refused', async () => {
    const foreign = await other.makePlan()
    const stranger = uuid((await other.makeMember()).id)
    await expect(give(await newMember(), order(), foreign)).rejects.toMatchObject({
      status: 422,
      code: 'VALIDATION_ERROR',
    })
    await expect(give(stranger, order(), low)).rejects.toMatchObject({ status: 404 })
  })

  test('that run out are ended once by two workers together, by the clock of the project', async () => {
    const member = await newMember()
    await give(member, order(), high, new Date(Date.now() + 3_600_000).toISOString())
    await turnDueGrants.workOff(run(own))
    expect(await planOf(member)).toBe('High')
    await moveClock(own, 7_200_000)
    await Promise.all([turnDueGrants.workOff(run(own)), turnDueGrants.workOff(run(own))])
    await moveClock(own, 0)
    expect(await planOf(member)).toBe('Free')
    expect((await eventsOf(member)).map(({ plan }) => plan.name)).toEqual(['High', 'Free'])
  })

  test('that begin later count from then on', async () => {
    const member = await newMember()
    const startsAt = new Date(Date.now() + 3_600_000).toISOString()
    await own.write((ctx) =>
      addGrant(ctx, {
        memberId: member,
        source: order(),
        planId: uuid(low.id),
        features: ['later'],
        startsAt,
      }),
    )
    expect(await planOf(member)).toBe('Free')
    expect(await has(member)).toMatchObject({ features: [], grants: [{ starts_at: startsAt }] })
    await moveClock(own, 7_200_000)
    await turnDueGrants.workOff(run(own))
    expect(await planOf(member)).toBe('Low')
    await moveClock(own, 0)
  })
})
