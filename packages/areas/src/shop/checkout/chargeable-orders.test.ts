import { describe, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Cart } from '../cart/schema.ts'
import type { Order } from '../orders/schema.ts'

interface Made<T> {
  data: T
}
type Bought = Order & { payment: ShownPayment }

let env: PaymentEnvironment
let byHand: string

withPayments(async (opened) => {
  env = opened
  const account = { provider: 'manual', name: 'By transfer', is_default: false }
  byHand = (await env.side.admin.post<Made<{ id: string }>>('/payment-accounts', account)).body.data.id
})

/** A customer with so many of a product of a price in the cart, and perhaps a discount. */
const filledCart = async (currency: string, price: number, { quantity = 1, percent = 0 } = {}) => {
  const { client } = await makeCustomer(env.side)
  const { id } = await makeProduct(env.side, { price, currency, stock: 50 })
  await client.post('/shop/cart', { product_id: id, quantity })
  if (percent > 0)
    await client.post('/shop/cart/discount', { code: (await makeDiscount(env.side, { percent })).code })
  const stock = async () =>
    (await env.side.admin.get<Made<{ reserved: number }[]>>(`/shop/products/${id}/variants`)).body.data[0]
  const cart = async () => (await client.get<Made<Cart>>('/shop/cart')).body.data
  const checkOut = (body: object = {}) =>
    client.post<Made<Bought> & { code: string; error: string }>('/shop/checkout', body)
  return { client, cart, checkOut, stock }
}
const paid = async (order: Bought) => {
  payWith(env.stripe, order.payment, 'good')
  await advance(env.side, { minutes: 2 })
  return (await env.side.admin.get<Made<Bought>>(`/shop/orders/${order.id}`)).body.data
}
const refund = async (id: string, body: object) =>
  env.side.admin.post<Made<Bought> & { details?: { field: string; rule: string }[] }>(
    `/shop/orders/${id}/refund`,
    body,
  )

describe('a total below what the provider can charge', () => {
  test.each([
    ['eur', 0.49, {}],
    ['usd', 1, { percent: 60 }],
    ['jpy', 49, {}],
    ['huf', 174.99, {}],
    // Below what can be counted at all.
    ['kwd', 0.009, {}],
  ] as const)(
    'of %s %d is refused at checkout; the cart says so and stays',
    async (currency, price, more) => {
      const { cart, checkOut, stock } = await filledCart(currency, price, more)
      const { faults, lines } = await cart()
      expect([faults.map(({ item_id, fault }) => [item_id, fault]), lines.length]).toEqual([
        [[null, 'amount_too_small']],
        1,
      ])
      const { status, body } = await checkOut()
      expect([status, body.code]).toEqual([422, 'AMOUNT_TOO_SMALL'])
      expect(body.error).toBe(faults[0]?.message)
      expect([(await cart()).lines.length, (await stock())?.reserved]).toEqual([1, 0])
      // By hand everything can be paid.
      expect((await checkOut({ payment_account_id: byHand })).body.data).toMatchObject({
        status: 'pending_payment',
      })
    },
  )

  test.each([
    ['eur', 0.5],
    ['jpy', 50],
    ['huf', 175],
    ['kwd', 0.01],
  ] as const)('begins above %s %d', async (currency, price) => {
    const { checkOut } = await filledCart(currency, price)
    const { data } = (await checkOut()).body
    expect(data).toMatchObject({ total: price, payment: { status: 'requires_action' } })
    expect((await paid(data)).status).toBe('paid')
  })

  test('is not free: what a discount takes to nothing is', async () => {
    const { checkOut } = await filledCart('eur', 10, { percent: 100 })
    expect((await checkOut()).body.data).toMatchObject({ status: 'paid', total: 0 })
  })

  test('is refused alike where only the provider knows: the order is over, and the cart is back', async () => {
    const { cart, checkOut, client, stock } = await filledCart('bgn', 1, { quantity: 2 })
    env.stripe.ledger.bankMinimums.set('bgn', 300)
    const { status, body } = await checkOut()
    expect([status, body.code]).toEqual([422, 'AMOUNT_TOO_SMALL'])
    expect([(await cart()).lines, (await stock())?.reserved]).toMatchObject([[{ quantity: 2 }], 0])
    const { orders } = (await client.get<{ orders: Order[] }>('/shop/orders')).body
    expect(orders.map((order) => order.status)).toEqual(['canceled'])
    const { data } = (await client.get<Made<Order>>(`/shop/orders/${orders[0]?.id}`)).body
    expect(data.history.at(-1)?.reason).toBe('amount_too_small')
    env.stripe.ledger.bankMinimums.clear()
    expect((await checkOut()).body.data.payment.status).toBe('requires_action')
  })
})

describe('a currency whose last digit has to be 0', () => {
  test('is charged in tens, whatever a discount takes off, and refunded in tens', async () => {
    const { cart, checkOut } = await filledCart('kwd', 1.05, { quantity: 3, percent: 7.7 })
    // 7.7 % of 3.150 are 0.24255.
    expect(await cart()).toMatchObject({ subtotal: 3.15, discount: { amount: 0.24 }, total: 2.91 })
    const order = await paid((await checkOut()).body.data)
    expect(order).toMatchObject({ status: 'paid', discount: 0.24, total: 2.91 })
    const odd = await refund(order.id, { amount: 0.005 })
    expect([odd.status, odd.body.details]).toMatchObject([422, [{ field: 'amount', rule: 'multipleOf' }]])
    const line = order.lines[0]?.id
    for (const quantity of [1, 2])
      expect((await refund(order.id, { lines: [{ id: line, quantity }] })).status).toBe(200)
    await advance(env.side, { minutes: 5 })
    const { data } = (await env.side.admin.get<Made<Bought>>(`/shop/orders/${order.id}`)).body
    expect(data).toMatchObject({
      status: 'refunded',
      refunds: [
        { amount: 0.97, status: 'succeeded' },
        { amount: 1.94, status: 'succeeded' },
      ],
    })
  })

  test('is rounded down where a price ends in another digit; by hand it is not', async () => {
    const { cart, checkOut } = await filledCart('kwd', 1.234, { quantity: 2 })
    expect(await cart()).toMatchObject({ subtotal: 2.468, total: 2.46, discount: null })
    expect((await checkOut({ payment_account_id: byHand })).body.data.total).toBe(2.468)
    const other = await filledCart('kwd', 1.234, { quantity: 2 })
    const order = (await other.checkOut()).body.data
    expect(order).toMatchObject({ subtotal: 2.468, discount: 0.008, total: 2.46, discount_code: null })
    expect((await paid(order)).status).toBe('paid')
  })

  test('MGA is charged in whole ariary', async () => {
    const { checkOut } = await filledCart('mga', 4_999, { percent: 12.5 })
    // 12.5 % are 624.875.
    const order = (await checkOut()).body.data
    expect(order).toMatchObject({ discount: 625, total: 4_374 })
    expect((await paid(order)).status).toBe('paid')
  })
})

test('a discount that takes nothing off is not used up', async () => {
  const { side } = env
  const { id } = await makeProduct(side)
  const other = await makeProduct(side)
  const discount = await makeDiscount(side, { percent: 50, max_uses: 1, product_ids: [other.id] })
  const { client } = await makeCustomer(side)
  await client.post('/shop/cart', { product_id: id })
  expect((await client.post('/shop/cart/discount', { code: discount.code })).status).toBe(200)
  const { data } = (await client.post<Made<Bought>>('/shop/checkout', {})).body
  expect(data).toMatchObject({ total: 10, discount: 0, discount_code: null })
  const { used } = (await side.admin.get<Made<{ used: number }>>(`/shop/discounts/${discount.id}`)).body.data
  expect(used).toBe(0)
})
