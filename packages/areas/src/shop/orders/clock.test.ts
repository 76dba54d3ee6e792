import { expect, test } from 'vitest'
import { makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  readonly data: T
  readonly code?: string
}

const DAY_MS = 86_400_000

/** The side whose clock is moved. */
let side: Side

withProjects(async (_api, one) => {
  side = one.test
  await advance(side, { days: 365 })
})

/** A customer with something in the cart. */
async function shopper() {
  const { client } = await makeCustomer(side)
  await client.post('/shop/cart', { product_id: (await makeProduct(side)).id })
  return client
}

test('an order, its payment, its steps and its refund stand in one time, in their order', async () => {
  const client = await shopper()
  const begin = await timeOf(side)
  const { id } = (await client.post<Made<Order>>('/shop/checkout', {})).body.data
  for (const act of ['mark-paid', 'fulfill', 'complete']) {
    await advance(side, { days: 1 })
    expect((await side.admin.post(`/shop/orders/${id}/${act}`)).status).toBe(200)
  }
  await advance(side, { days: 1 })
  expect((await side.admin.post(`/shop/orders/${id}/refund`, { amount: 1 })).status).toBe(200)
  const end = await timeOf(side)
  const order = (await client.get<Made<Order>>(`/shop/orders/${id}`)).body.data
  const steps = order.history.map(({ created_at }) => created_at)
  const inOrder = [begin, order.created_at, ...steps.slice(1), order.refunds[0]?.created_at ?? '', end]
  expect(inOrder.toSorted()).toEqual(inOrder)
  expect(steps[0]).toBe(order.created_at)
  expect((order.payment?.created_at ?? '') >= order.created_at).toBe(true)
  expect(order.updated_at >= (order.refunds[0]?.created_at ?? '')).toBe(true)
  expect(order.updated_at <= end).toBe(true)
})

test('a discount opens and ends by the clock of the test side', async () => {
  const now = Date.parse(await timeOf(side))
  const at = (days: number) => new Date(now + days * DAY_MS).toISOString()
  const { code } = await makeDiscount(side, { percent: 10, starts_at: at(1), ends_at: at(3) })
  const client = await shopper()
  const use = async () => (await client.post<Made<object>>('/shop/cart/discount', { code })).body.code
  expect(await use()).toBe('DISCOUNT_INVALID')
  await advance(side, { days: 2 })
  expect(await use()).toBeUndefined()
  await client.delete('/shop/cart/discount')
  await advance(side, { days: 2 })
  expect(await use()).toBe('DISCOUNT_INVALID')
})
