import { describe, expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import type { NewPlan, Plan } from './schema.ts'

interface One {
  data: Plan
}
interface List {
  data: Plan[]
  pagination: { total: number }
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let side: Side
/** A side on which each test that counts plans finds only the default one. */
let fresh: Side
let other: Side

withNewProjects((_api, one, two) => {
  side = one.live
  fresh = one.test
  other = two.live
})

const create = async (plan: Partial<NewPlan>) => (await side.admin.post<One>('/plans', plan)).body.data
const refusal = async (answer: Promise<{ status: number; body: Refused }>) => {
  const { status, body } = await answer
  return [status, body.code, body.details?.[0]?.field]
}

describe('POST /plans', () => {
  test('fills in what is not given', async () => {
    const { status, body } = await side.admin.post<One>('/plans', { name: 'Crème brûlée & co.', price: 5 })
    expect(status).toBe(201)
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^plan_[0-9a-z]{26}$/),
        name: 'Crème brûlée & co.',
        slug: 'creme-brulee-co',
        description: '',
        price: 5,
        currency: 'usd',
        interval: 'month',
        interval_count: 1,
        trial_days: 0,
        features: [],
        limits: {},
        rank: 0,
        visibility: 'public',
        status: 'active',
        is_default: false,
        member_count: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    })
    expect((await side.admin.get<One>(`/plans/${body.data.id}`)).body).toEqual(body)
  })

  test('keeps what is given', async () => {
    const plan = {
      name: 'Everything',
      slug: 'all-of-it-2',
      description: 'Ω',
      price: 1234.5,
      currency: 'eur',
      interval: 'year',
      interval_count: 2,
      trial_days: 14,
      features: ['b', 'a'],
      limits: { seats: 5, nested: { x: [1] } },
      rank: -3,
      visibility: 'hidden',
    } as const
    expect(await create({ ...plan, features: [...plan.features] })).toMatchObject(plan)
  })

  test('takes a price with as many decimals as the currency has, exactly', async () => {
    for (const [price, currency] of [
      [0.07, 'eur'],
      [19.99, 'usd'],
      [1.1, 'eur'],
      [8.165, 'kwd'],
      [500, 'jpy'],
      [99_999_999, 'eur'],
    ] as const)
      expect(
        (await create({ name: 'Priced', slug: `p-${price}-${currency}`.replace('.', '-'), price, currency }))
          .price,
      ).toBe(price)
    for (const [price, currency] of [
      [0.001, 'eur'],
      [1.005, 'usd'],
      [0.5, 'jpy'],
      [1.0001, 'kwd'],
    ] as const)
      expect(await refusal(side.admin.post('/plans', { name: 'No', price, currency }))).toEqual([
        422,
        'VALIDATION_ERROR',
        'price',
      ])
  })

  test('refuses a price for what is free', async () => {
    const plan = { name: 'No', price: 1, interval: 'free' }
    expect(await refusal(side.admin.post('/plans', plan))).toEqual([422, 'VALIDATION_ERROR', 'price'])
  })

  test('refuses a slug that another plan of the project has, given or made from the name', async () => {
    await create({ name: 'Slug', slug: 'mine', price: 1 })
    await other.makePlan({ slug: 'theirs' })
    expect(await refusal(side.admin.post('/plans', { name: 'X', slug: 'mine', price: 1 }))).toEqual([
      422,
      'SLUG_TAKEN',
      'slug',
    ])
    expect((await refusal(side.admin.post('/plans', { name: 'Mine!', price: 1 })))[1]).toBe('SLUG_TAKEN')
    expect((await create({ name: 'X', slug: 'theirs', price: 1 })).slug).toBe('theirs')
  })

  test('makes a slug for a name without any letter that fits one', async () => {
    for (const name of ['会員', '!!!'])
      expect((await create({ name, price: 0 })).slug).toMatch(/^plan-[0-9a-f]{12}$/)
  })
})

describe('the default plan', () => {
  const defaults = async () =>
    (await fresh.admin.get<List>('/plans')).body.data.filter((plan) => plan.is_default)

  test('is there from the start, is replaced by another, and is what new members get', async () => {
    expect((await defaults()).map(({ slug, price, interval }) => [slug, price, interval])).toEqual([
      ['free', 0, 'free'],
    ])
    const made = await fresh.makePlan({ is_default: true })
    expect((await defaults()).map(({ id }) => id)).toEqual([made.id])
    const changed = await fresh.makePlan()
    const { body } = await fresh.admin.patch<One>(`/plans/${changed.id}`, { is_default: true })
    expect(body.data.is_default).toBe(true)
    expect((await defaults()).map(({ id }) => id)).toEqual([changed.id])
    const member = await fresh.makeMember()
    const { body: shown } = await fresh.admin.get<{ data: { plan_id: string } }>(`/members/${member.id}`)
    expect(shown.data.plan_id).toBe(changed.id)
  })

  test('is one, also when ten plans become it at once', async () => {
    const plans = await Promise.all(Array.from({ length: 10 }, () => fresh.makePlan()))
    const answers = await Promise.all(
      plans.map(({ id }) => fresh.admin.patch(`/plans/${id}`, { is_default: true })),
    )
    expect(answers.map(({ status }) => status)).toEqual(plans.map(() => 200))
    expect(await defaults()).toHaveLength(1)
  })

  test('is no archived plan', async () => {
    const plan = await fresh.makePlan()
    await fresh.admin.post(`/plans/${plan.id}/archive`)
    const changed = fresh.admin.patch<Refused>(`/plans/${plan.id}`, { is_default: true })
    expect((await refusal(changed)).slice(0, 2)).toEqual([422, 'PLAN_IS_DEFAULT'])
    expect(await defaults()).toHaveLength(1)
  })

  test('cannot be archived, deleted or unmade', async () => {
    const [plan] = await defaults()
    for (const answer of [
      fresh.admin.post<Refused>(`/plans/${plan?.id}/archive`),
      fresh.admin.delete<Refused>(`/plans/${plan?.id}`),
      fresh.admin.patch<Refused>(`/plans/${plan?.id}`, { is_default: false }),
    ])
      expect((await refusal(answer)).slice(0, 2)).toEqual([422, 'PLAN_IS_DEFAULT'])
    expect((await defaults()).map(({ id }) => id)).toEqual([plan?.id])
  })
})
