import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const buy = async ({ client }: Customer, product_id: string, code: string) => {
  await client.post('/shop/cart', { product_id })
  await client.post('/shop/cart/discount', { code })
  const { status, body } = await client.post<Made<Order>>('/shop/checkout', {})
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const cancel = (id: string) => side.admin.post(`/shop/orders/${id}/cancel`, {})
const markPaid = async (id: string) =>
  (await side.admin.post<Made<Order>>(`/shop/orders/${id}/mark-paid`)).body.data
const usedOf = async ({ id }: { id: string }) =>
  (await side.admin.get<Made<{ used: number }>>(`/shop/discounts/${id}`)).body.data.used
const REFUNDED = { status: 'canceled', paid_amount: 9, refunded_amount: 9, allowed_transitions: [] }

describe('money for an order that was canceled', () => {
  test('goes back by itself where the member has used its discount again meanwhile', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side, { stock: 5, grants: { features: ['twice'] } })
    const discount = await makeDiscount(side, { percent: 10, max_uses_per_member: 1 })
    const first = await buy(customer, product, discount.code)
    await cancel(first)
    const second = await buy(customer, product, discount.code)
    const order = await markPaid(first)
    expect(order).toMatchObject(REFUNDED)
    expect(order.refunds).toMatchObject([{ amount: 9, status: 'succeeded' }])
    expect(order.history.at(-1)?.reason).toBe('paid after it was canceled: its discount has been used up')
    expect((await markPaid(second)).status).toBe('paid')
    expect(await usedOf(discount)).toBe(1)
  })

  test('goes back by itself where others have used its discount up', async () => {
    const [early, late] = [await makeCustomer(side), await makeCustomer(side)]
    const { id: product } = await makeProduct(side)
    const discount = await makeDiscount(side, { percent: 10, max_uses: 1 })
    const first = await buy(early, product, discount.code)
    await cancel(first)
    await buy(late, product, discount.code)
    expect(await markPaid(first)).toMatchObject(REFUNDED)
    const { data } = (
      await side.admin.get<Made<{ used: number; max_uses: number }>>(`/shop/discounts/${discount.id}`)
    ).body
    expect(data).toMatchObject({ used: 1, max_uses: 1 })
  })

  test('keeps the discount that the order was made with, though it has ended or is deleted since', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side)
    const discount = await makeDiscount(side, { percent: 10, max_uses: 1, max_uses_per_member: 1 })
    const id = await buy(customer, product, discount.code)
    await cancel(id)
    await side.admin.patch(`/shop/discounts/${discount.id}`, { ends_at: '2026-01-01T00:00:00Z' })
    await side.admin.delete(`/shop/discounts/${discount.id}`)
    expect(await markPaid(id)).toMatchObject({ status: 'paid', discount: 1, total: 9 })
  })

  test('uses a discount once, however many such orders are paid and checked out at the same moment', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side)
    const discount = await makeDiscount(side, { percent: 10, max_uses_per_member: 1 })
    const canceled: string[] = []
    for (let i = 0; i < 4; i++) {
      const id = await buy(customer, product, discount.code)
      await cancel(id)
      canceled.push(id)
    }
    await customer.client.post('/shop/cart', { product_id: product })
    await customer.client.post('/shop/cart/discount', { code: discount.code })
    await Promise.all([...canceled.map(markPaid), customer.client.post('/shop/checkout', {})])
    const { rows } = await api.owner.query<{ orders: number }>(
      `select count(*)::int as orders from orders o join discounts d on d.project_id = o.project_id and d.id = o.discount_id
        where d.code = $1 and o.status <> 'canceled'`,
      [discount.code],
    )
    expect([rows[0]?.orders, await usedOf(discount)]).toEqual([1, 1])
  })
})
