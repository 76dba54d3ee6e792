import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { Plan } from './schema.ts'

interface One {
  data: Plan
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let api: TestApi
let side: Side

withNewProjects((opened, one) => {
  api = opened
  side = one.live
})

const refusal = async (answer: Promise<{ status: number; body: Refused }>) => {
  const { status, body } = await answer
  return [status, body.code, body.details?.[0]?.field]
}

describe('PATCH /plans/{id}', () => {
  test('changes what is given and nothing else', async () => {
    const plan = await side.makePlan({ features: ['a'], limits: { seats: 1 } })
    const { body } = await side.admin.patch<One>(`/plans/${plan.id}`, {
      description: 'New',
      limits: { b: 2 },
    })
    expect(body.data).toEqual({
      ...plan,
      description: 'New',
      limits: { b: 2 },
      updated_at: body.data.updated_at,
    })
    expect(body.data.updated_at > plan.updated_at).toBe(true)
  })

  test('of the price keeps members on the one they came in on; new members pay the new one', async () => {
    const plan = await side.makePlan({ price: 10 })
    const price = async (id: string) =>
      (await side.admin.get<{ data: { plan: { price: number } } }>(`/members/${id}`)).body.data.plan.price
    const early = await side.makeMember({ plan_id: plan.id })
    await side.admin.patch(`/plans/${plan.id}`, { price: 20 })
    await side.admin.patch(`/plans/${plan.id}`, { price: 20, currency: 'eur' })
    const late = await side.makeMember({ plan_id: plan.id })
    await side.admin.patch(`/plans/${plan.id}`, { name: 'Renamed' })
    expect([await price(early.id), await price(late.id)]).toEqual([10, 20])
    const { data } = (await side.admin.get<One>(`/plans/${plan.id}`)).body
    expect([data.price, data.member_count]).toEqual([20, 2])
    const { rows } = await api.owner.query(
      'select version from plan_versions v join plans p using (project_id, version) where p.id = v.plan_id and slug = $1',
      [plan.slug],
    )
    expect(rows).toEqual([{ version: 2 }])
  })

  test('of the price by many at once loses no change and breaks nothing', async () => {
    const plan = await side.makePlan({ price: 1 })
    const prices = Array.from({ length: 8 }, (_, i) => 100 + i)
    const answers = await Promise.all(
      prices.map((price) => side.admin.patch<One>(`/plans/${plan.id}`, { price })),
    )
    expect(answers.map(({ status, body }) => [status, body.data.price])).toEqual(
      prices.map((price) => [200, price]),
    )
    expect(prices).toContain((await side.admin.get<One>(`/plans/${plan.id}`)).body.data.price)
  })

  test('of currency keeps the amount, and refuses one that the new currency cannot hold', async () => {
    const plan = await side.makePlan({ price: 9.5, currency: 'eur' })
    expect((await refusal(side.admin.patch(`/plans/${plan.id}`, { currency: 'jpy' })))[2]).toBe('price')
    const { body } = await side.admin.patch<One>(`/plans/${plan.id}`, { currency: 'kwd' })
    expect(body.data).toMatchObject({ price: 9.5, currency: 'kwd' })
  })

  test('refuses a slug that is taken and leaves no half of the change', async () => {
    await side.makePlan({ slug: 'taken' })
    const plan = await side.makePlan({ price: 3 })
    const changes = { slug: 'taken', price: 4, name: 'No' }
    expect((await refusal(side.admin.patch(`/plans/${plan.id}`, changes)))[1]).toBe('SLUG_TAKEN')
    expect((await side.admin.get<One>(`/plans/${plan.id}`)).body.data).toEqual(plan)
  })
})

describe('archiving and deleting', () => {
  test('an archived plan takes no new members and keeps those it has', async () => {
    const plan = await side.makePlan()
    const member = await side.makeMember({ plan_id: plan.id })
    const { body } = await side.admin.post<One>(`/plans/${plan.id}/archive`)
    expect(body.data).toMatchObject({ status: 'archived', member_count: 1 })
    expect((await side.admin.post<One>(`/plans/${plan.id}/archive`)).body).toEqual(body)
    const joining = { email: 'late@example.com', plan_id: plan.id }
    expect(await refusal(side.admin.post('/members', joining))).toEqual([422, 'VALIDATION_ERROR', 'plan_id'])
    expect(
      (await side.admin.patch(`/members/${member.id}`, { full_name: 'Stays', plan_id: plan.id })).status,
    ).toBe(200)
  })

  test('a plan that nobody was ever on can be deleted; another cannot', async () => {
    const unused = await side.makePlan()
    expect((await side.admin.delete(`/plans/${unused.id}`)).body).toEqual({
      success: true,
      data: { id: unused.id, deleted: true },
    })
    expect(refusalOf(await side.admin.delete(`/plans/${unused.id}`))).toBe('404 NOT_FOUND')
    const used = await side.makePlan()
    const { id } = await side.makeMember({ plan_id: used.id })
    await side.admin.delete(`/members/${id}`)
    expect((await refusal(side.admin.delete(`/plans/${used.id}`))).slice(0, 2)).toEqual([422, 'PLAN_IN_USE'])
  })

  test('a plan that is deleted while members join it is either in use or no plan', async () => {
    for (let i = 0; i < 10; i++) {
      const plan = await side.makePlan()
      const joining = { email: `joining${i}@example.com`, plan_id: plan.id }
      const [joined, deleted] = await Promise.all([
        side.admin.post<Refused>('/members', joining),
        side.admin.delete<Refused>(`/plans/${plan.id}`),
      ])
      const outcome = [joined.status, joined.body.code, deleted.status, deleted.body.code]
      expect([
        [201, undefined, 422, 'PLAN_IN_USE'],
        [422, 'VALIDATION_ERROR', 200, undefined],
      ]).toContainEqual(outcome)
    }
  })
})
