import { describe, expect, test } from 'vitest'
import type { Entitlements } from '#areas/entitlements/schema.ts'
import type { Plan } from '#areas/plans/schema.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import { type Customer, makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

const DAY_MS = 86_400_000

let side: Side
let plan: Plan
/** A product that gives the plan for 30 days. */
let pass: string

withProjects(async (_api, one) => {
  side = one.test
  plan = await side.makePlan({ name: 'Pass', rank: 5, interval: 'one_time', price: 9 })
  pass = (await makeProduct(side, { price: 9, grants: { plan_id: plan.id, days: 30 } })).id
})

const order = async ({ client }: Customer, product_id: string, quantity = 1) => {
  await client.post('/shop/cart', { product_id, quantity })
  return (await client.post<Made<Order>>('/shop/checkout', {})).body.data
}
const act = async (id: string, verb: string, body?: object) => {
  const answer = await side.admin.post<Made<Order>>(`/shop/orders/${id}/${verb}`, body)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const buy = async (customer: Customer, product_id = pass, quantity = 1) => {
  const { id } = await order(customer, product_id, quantity)
  return act(id, 'mark-paid')
}
const has = async ({ id }: Customer) =>
  (await side.admin.get<Made<Entitlements>>(`/members/${id}/entitlements`)).body.data
const now = async () => Date.parse((await side.admin.get<Made<{ now: string }>>('/test-clock')).body.data.now)
/** From when to when the member's passes run, in days from now, to the nearest one. */
const daysOf = async (customer: Customer) => {
  const from = await now()
  const { grants } = await has(customer)
  const days = (time: string | null) =>
    time === null ? null : Math.round((Date.parse(time) - from) / DAY_MS) + 0
  return grants.map(({ starts_at, ends_at }) => [days(starts_at), days(ends_at)])
}
const planOf = async (customer: Customer) => (await has(customer)).plan.name

describe('a pass', () => {
  test('that is bought twice lasts twice as long: the second begins where the first ends', async () => {
    const customer = await makeCustomer(side)
    await buy(customer)
    await buy(customer)
    const { plan: current, grants } = await has(customer)
    expect(grants).toHaveLength(2)
    expect(grants[1]?.starts_at).toBe(grants[0]?.ends_at)
    expect(current).toMatchObject({ id: plan.id, ends_at: grants[1]?.ends_at })
    expect(await daysOf(customer)).toEqual([
      [0, 30],
      [30, 60],
    ])
    await advance(side, { days: 59 })
    expect(await planOf(customer)).toBe('Pass')
    await advance(side, { days: 2 })
    expect(await planOf(customer)).toBe('Free')
  })

  test('lasts its days for each unit of an order', async () => {
    const customer = await makeCustomer(side)
    await buy(customer, pass, 3)
    expect(await daysOf(customer)).toEqual([[0, 90]])
  })

  test('that is bought many times at once never runs beside itself', async () => {
    const customer = await makeCustomer(side)
    const orders: Order[] = []
    for (let i = 0; i < 3; i++) orders.push(await order(customer, pass))
    await Promise.all(orders.map(({ id }) => act(id, 'mark-paid')))
    expect(await daysOf(customer)).toEqual([
      [0, 30],
      [30, 60],
      [60, 90],
    ])
  })

  test('that is refunded lets the next one begin at the refund, and the others behind it', async () => {
    const customer = await makeCustomer(side)
    const [first, , third] = [
      await buy(customer),
      await buy(customer),
      await buy(customer),
      await buy(customer),
    ]
    await advance(side, { days: 10 })
    expect((await act(first.id, 'refund')).status).toBe('refunded')
    expect(await daysOf(customer)).toEqual([
      [0, 30],
      [30, 60],
      [60, 90],
    ])
    expect(await planOf(customer)).toBe('Pass')
    await act(third?.id ?? '', 'refund')
    expect(await daysOf(customer)).toEqual([
      [0, 30],
      [30, 60],
    ])
    await advance(side, { days: 61 })
    expect(await planOf(customer)).toBe('Free')
  })

  test('of which one unit is refunded is shorter by its days, not by days that were used', async () => {
    const customer = await makeCustomer(side)
    const two = await buy(customer, pass, 2)
    await buy(customer)
    const one = { lines: [{ id: two.lines[0]?.id, quantity: 1 }] }
    await advance(side, { days: 10 })
    await act(two.id, 'refund', one)
    expect(await daysOf(customer)).toEqual([
      [-10, 20],
      [20, 50],
    ])
    const used = await makeCustomer(side)
    const other = await buy(used, pass, 2)
    await buy(used)
    await advance(side, { days: 40 })
    await act(other.id, 'refund', { lines: [{ id: other.lines[0]?.id, quantity: 1 }] })
    expect((await daysOf(used)).at(-1)).toEqual([0, 30])
    expect(await planOf(used)).toBe('Pass')
  })

  test('waits for none of another kind, nor for a grant without an end', async () => {
    const customer = await makeCustomer(side)
    const more = await makeProduct(side, {
      price: 9,
      grants: { plan_id: plan.id, features: ['extra'], days: 10 },
    })
    const forever = await makeProduct(side, { price: 9, grants: { plan_id: plan.id } })
    await buy(customer)
    await buy(customer, more.id)
    await buy(customer, forever.id)
    await buy(customer, more.id)
    expect((await daysOf(customer)).toSorted()).toEqual(
      [
        [0, 30],
        [0, 10],
        [0, null],
        [10, 20],
      ].toSorted(),
    )
    expect((await has(customer)).plan.ends_at).toBeNull()
    expect((await has(customer)).features).toContain('extra')
  })
})
