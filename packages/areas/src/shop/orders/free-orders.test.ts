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

const buy = async ({ client }: Customer, product_id: string) => {
  await client.post('/shop/cart', { product_id })
  return (await client.post<Made<Order>>('/shop/checkout', {})).body.data
}
const act = async (id: string, verb: string, body?: object) => {
  const answer = await side.admin.post<Made<Order> & { code: string }>(`/shop/orders/${id}/${verb}`, body)
  return { ...answer, order: answer.body.data, code: answer.body.code }
}
const stockOf = async (product: string) => {
  const path = `/shop/products/${product}/variants`
  const [variant] = (await side.admin.get<Made<Record<string, number>[]>>(path)).body.data
  return [variant?.['on_hand'], variant?.['reserved'], variant?.['sold']]
}
const hasFeature = async (member: string) =>
  JSON.stringify((await side.admin.get(`/members/${member}/entitlements`)).body).includes('downloads')

describe('an order that costs nothing', () => {
  test.each([
    { verbs: [], before: ['fulfilled', 'canceled'] },
    { verbs: ['fulfill'], before: ['completed', 'canceled'] },
    { verbs: ['fulfill', 'complete'], before: ['canceled'] },
  ])('is canceled by a key after $verbs: its grants, stock and discount come back, once', async (each) => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side, { stock: 1, grants: { features: ['downloads'] } })
    const discount = await makeDiscount(side, { percent: 100, max_uses: 1 })
    await customer.client.post('/shop/cart/discount', { code: discount.code })
    const { id, status, allowed_transitions } = await buy(customer, product)
    expect([status, allowed_transitions]).toEqual(['paid', ['fulfilled', 'canceled']])
    for (const verb of each.verbs) await act(id, verb, {})
    const { data } = (await side.admin.get<Made<Order>>(`/shop/orders/${id}`)).body
    expect(data.allowed_transitions).toEqual(each.before)
    // There is no money to refund.
    expect((await act(id, 'refund', {})).code).toBe('REFUND_EXCEEDS_PAID')
    expect([await stockOf(product), await hasFeature(customer.id)]).toEqual([[0, 0, 1], true])
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'cancel', { reason: 'by mistake' })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422])
    expect(answers.find((answer) => answer.status === 200)?.order).toMatchObject({
      status: 'canceled',
      cancel_reason: 'by_operator',
      allowed_transitions: [],
    })
    expect([await stockOf(product), await hasFeature(customer.id)]).toEqual([[1, 0, 0], false])
    const { used } = (await side.admin.get<Made<{ used: number }>>(`/shop/discounts/${discount.id}`)).body
      .data
    expect(used).toBe(0)
    for (const verb of ['mark-paid', 'pay', 'fulfill', 'cancel'])
      expect((await act(id, verb, verb === 'cancel' ? {} : undefined)).code).toBe('INVALID_TRANSITION')
    const { rows } = await api.owner.query(
      "select payload->'allowed_transitions' as allowed from events where type = 'order.canceled' and payload->>'id' = $1",
      [id],
    )
    expect(rows).toEqual([{ allowed: [] }])
  })

  test('is not canceled by its buyer', async () => {
    const { memberId, token } = await side.signIn()
    const customer = await makeCustomer(side, memberId)
    const { id: product } = await makeProduct(side, { price: 0 })
    const { id } = await buy(customer, product)
    const { status, body } = await side
      .as(token)
      .post<{ code: string; error: string }>(`/shop/orders/${id}/cancel`, {})
    expect([status, body.code]).toEqual([422, 'INVALID_TRANSITION'])
    expect(body.error).toContain('a member can cancel only an order that waits for payment')
    const { data } = (await side.admin.get<Made<Order>>(`/shop/orders/${id}`)).body
    expect(data.status).toBe('paid')
  })
})
