import { describe, expect, test } from 'vitest'
import type { NewPlan, Plan } from '#areas/plans/schema.ts'
import { missingId } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Entitlements } from './schema.ts'

let own: Side
/** The other environment of the same project, and another project. */
let others: Side[]

withProjects((_api, one, two) => {
  own = one.live
  others = [one.test, two.live]
})

const createPlan = async (plan: Partial<NewPlan>) =>
  (await own.admin.post<{ data: Plan }>('/plans', { name: 'Plan', price: 1, ...plan })).body.data

const ask = (memberId: string, side = own) =>
  side.admin.get<{ data: Entitlements; code?: string }>(`/members/${memberId}/entitlements`)

const entitlementsOf = async (memberId: string) => {
  const { status, body } = await ask(memberId)
  expect(status).toBe(200)
  return body.data
}

const NOTHING = { active: false, features: [], limits: {} }

describe('GET /members/{id}/entitlements', () => {
  test('answers what the plan grants that the member was moved to', async () => {
    const grants = { features: ['downloads', 'forum'], limits: { seats: 5, export: { rows: 1000 } } }
    const plan = await createPlan({ name: 'Gold', slug: 'gold', rank: 30, ...grants })
    const { id } = await own.makeMember()
    expect(await entitlementsOf(id)).toMatchObject({ plan: { slug: 'free' }, features: [], limits: {} })
    await own.admin.patch(`/members/${id}`, { plan_id: plan.id })
    const { body } = await ask(id)
    const source = { type: 'operator', id: null }
    expect(body).toEqual({
      success: true,
      data: {
        member_id: id,
        active: true,
        plan: { id: plan.id, name: 'Gold', slug: 'gold', rank: 30, status: 'active', source, ends_at: null },
        ...grants,
        grants: [
          {
            id: expect.stringMatching(/^grant_/),
            source,
            plan_id: plan.id,
            features: [],
            course_id: null,
            starts_at: expect.any(String),
            ends_at: null,
          },
        ],
      },
    })
  })

  test('shows a change of the plan at once, also to a member who came in before', async () => {
    const plan = await createPlan({ slug: 'changing', features: ['a'], limits: { seats: 1 } })
    const { id } = await own.makeMember({ plan_id: plan.id })
    await own.admin.patch(`/plans/${plan.id}`, { features: ['b', 'c'], limits: { seats: 2 }, price: 9 })
    expect(await entitlementsOf(id)).toMatchObject({ features: ['b', 'c'], limits: { seats: 2 } })
  })

  test('grants nothing while the member is not active, and all of it again afterwards', async () => {
    const plan = await createPlan({ slug: 'paused', features: ['a'], limits: { seats: 1 } })
    const { id } = await own.makeMember({ plan_id: plan.id })
    const before = await entitlementsOf(id)
    for (const status of ['inactive', 'pending']) {
      await own.admin.patch(`/members/${id}`, { status })
      expect(await entitlementsOf(id)).toEqual({ ...before, ...NOTHING })
    }
    await own.admin.patch(`/members/${id}`, { status: 'active' })
    expect(await entitlementsOf(id)).toEqual(before)
  })

  test('grants what an archived plan did to those who are still on it', async () => {
    const plan = await createPlan({ slug: 'archived', features: ['a'] })
    const { id } = await own.makeMember({ plan_id: plan.id })
    await own.admin.post(`/plans/${plan.id}/archive`)
    expect(await entitlementsOf(id)).toMatchObject({
      active: true,
      plan: { status: 'archived' },
      features: ['a'],
    })
  })

  test('knows a deleted member as little as one that never was, until it is restored', async () => {
    const { id } = await own.makeMember()
    await own.admin.delete(`/members/${id}`)
    for (const unknown of [id, missingId('mem'), missingId('plan'), 'no-id']) {
      const { status, body } = await ask(unknown)
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    }
    await own.admin.post(`/members/${id}/restore`)
    expect(await entitlementsOf(id)).toMatchObject({ member_id: id, active: true })
  })

  test('tells nobody else about a member, neither another project nor the other environment', async () => {
    const { id } = await own.makeMember()
    for (const other of others) expect(refusalOf(await ask(id, other))).toBe('404 NOT_FOUND')
  })

  test('answers a member’s own token, and knows no other member for it', async () => {
    const { memberId, token } = await own.signIn()
    const { status, body } = await own
      .as(token)
      .get<{ data: Entitlements }>(`/members/${memberId}/entitlements`)
    expect([status, body.data.member_id]).toEqual([200, memberId])
    expect(refusalOf(await own.as(token).get(`/members/${await own.member()}/entitlements`))).toBe(
      '404 NOT_FOUND',
    )
  })

  test('opens to a key that may read members and to no other', async () => {
    const { id } = await own.makeMember()
    const statusWith = async (permission: 'read:members' | 'write:members' | 'read:plans') => {
      const { key } = await own.makeKey({ permissions: [permission] })
      return (await own.as(key).get(`/members/${id}/entitlements`)).status
    }
    expect(await statusWith('read:members')).toBe(200)
    expect(await statusWith('write:members')).toBe(403)
    expect(await statusWith('read:plans')).toBe(403)
  })
})
