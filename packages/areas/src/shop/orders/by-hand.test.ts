import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import { type Customer, makeCustomer, makeDiscount, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Cart } from '../cart/schema.ts'
import { orderId } from '../ids.ts'
import type { Order } from './schema.ts'

interface Made<T> {
  data: T
}

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.test
})

const checkOut = ({ client }: Customer, body: object = {}) =>
  client.post<Made<Order> & { code: string }>('/shop/checkout', body)
const buy = async (customer: Customer, product_id: string, quantity = 1) => {
  await customer.client.post('/shop/cart', { product_id, quantity })
  const made = await checkOut(customer)
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body.data
}
const markPaid = async (id: string) =>
  (await side.admin.post<Made<Order>>(`/shop/orders/${id}/mark-paid`)).body.data
const read = async (id: string) => (await side.admin.get<Made<Order>>(`/shop/orders/${id}`)).body.data
const cartOf = async ({ client }: Customer) => (await client.get<Made<Cart>>('/shop/cart')).body.data
const hoursOf = ({ created_at, reserved_until }: Order) =>
  (Date.parse(reserved_until) - Date.parse(created_at)) / 3_600_000

describe('an order that is paid by hand', () => {
  test('is reserved for a week; then it is canceled, and its lines are in the cart again', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side, { stock: 1 })
    const order = await buy(customer, product)
    expect(hoursOf(order)).toBe(168)
    await advance(side, { days: 6, minutes: 23 * 60 })
    expect((await read(order.id)).status).toBe('pending_payment')
    expect((await cartOf(customer)).lines).toEqual([])
    await advance(side, { minutes: 61 })
    const expired = await read(order.id)
    expect(expired).toMatchObject({ status: 'canceled', cancel_reason: 'expired' })
    const { reserved_until } = order
    expect(expired.history.at(-1)).toMatchObject({ to: 'canceled', by: 'system', created_at: reserved_until })
    expect(expired.updated_at).toBe(reserved_until)
    expect((await cartOf(customer)).lines).toMatchObject([{ product_id: product, quantity: 1 }])
  })

  test('is reserved for the hours of its product, else of its account; of several, for the fewest', async () => {
    const account = { provider: 'manual', name: 'By transfer', is_default: false }
    const made = await side.admin.post<Made<{ id: string }>>('/payment-accounts', {
      ...account,
      settings: { reserve_hours: 48 },
    })
    const payment_account_id = made.body.data.id
    const [plain, long, short] = [
      await makeProduct(side),
      await makeProduct(side, { reserve_hours: 720 }),
      await makeProduct(side, { reserve_hours: 2 }),
    ]
    const hours = async (products: { id: string }[], body: object = {}) => {
      const customer = await makeCustomer(side)
      for (const { id } of products) await customer.client.post('/shop/cart', { product_id: id })
      return hoursOf((await checkOut(customer, body)).body.data)
    }
    expect(await hours([plain], { payment_account_id })).toBe(48)
    expect(await hours([long], { payment_account_id })).toBe(720)
    expect(await hours([plain, long], { payment_account_id })).toBe(48)
    expect(await hours([long, short])).toBe(2)
    expect(await hours([long, plain])).toBe(168)
    for (const reserve_hours of [0, 8_761, 1.5])
      expect(refusalOf(await side.admin.patch(`/shop/products/${plain.id}`, { reserve_hours }))).toBe(
        '422 VALIDATION_ERROR',
      )
    const { body } = await side.admin.patch<Made<{ reserve_hours: number | null }>>(
      `/shop/products/${long.id}`,
      { reserve_hours: null },
    )
    expect(body.data.reserve_hours).toBe(null)
    expect(await hours([long])).toBe(168)
  })

  test('is one of three at the most: the fourth is refused until one is paid or canceled', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side)
    const [first, second] = [await buy(customer, product), await buy(customer, product)]
    await buy(customer, product)
    await customer.client.post('/shop/cart', { product_id: product })
    const refused = await checkOut(customer)
    expect([refused.status, refused.body.code]).toEqual([422, 'TOO_MANY_OPEN_ORDERS'])
    // The cart stays as it was.
    expect((await cartOf(customer)).lines).toHaveLength(1)
    await markPaid(first.id)
    expect((await checkOut(customer)).status).toBe(201)
    await customer.client.post('/shop/cart', { product_id: product })
    expect(refusalOf(await checkOut(customer))).toBe('422 TOO_MANY_OPEN_ORDERS')
    await customer.client.post(`/shop/orders/${second.id}/cancel`, {})
    expect((await checkOut(customer)).status).toBe(201)
    // What costs nothing waits for nobody.
    const free = await makeProduct(side, { price: 0 })
    expect((await buy(customer, free.id)).status).toBe('paid')
  })

  test('is one of three at the most, however many checkouts come at the same moment', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side)
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        await customer.client.post('/shop/cart', { product_id: product })
        return checkOut(customer)
      }),
    )
    // A checkout takes the whole cart, so that others may find it empty: the rest comes one after the other.
    for (let n = 0; n < 4; n++) {
      await customer.client.post('/shop/cart', { product_id: product })
      answers.push(await checkOut(customer))
    }
    expect(answers.slice(-1).map(refusalOf)).toEqual(['422 TOO_MANY_OPEN_ORDERS'])
    const { orders } = (await customer.client.get<{ orders: Order[] }>('/shop/orders?status=pending_payment'))
      .body
    expect(orders).toHaveLength(3)
    const ids = answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id)
    expect(new Set(ids)).toEqual(new Set(orders.map(({ id }) => id)))
  })
})

test('nobody is asked about the payment of an order by hand that is over', async () => {
  const account = { provider: 'manual', name: 'By check', is_default: false }
  const made = await side.admin.post<Made<{ id: string }>>('/payment-accounts', account)
  const customer = await makeCustomer(side)
  const { id: product } = await makeProduct(side)
  await customer.client.post('/shop/cart', { product_id: product })
  const { id } = (await checkOut(customer, { payment_account_id: made.body.data.id })).body.data
  await customer.client.post(`/shop/orders/${id}/cancel`, {})
  await advance(side, { minutes: 1 })
  const { rows } = await api.owner.query(
    'select status, ask_at from payments where purpose_id = $1 order by id',
    [parseId(orderId, id)],
  )
  expect(rows).toEqual([{ status: 'canceled', ask_at: null }])
})

describe('money that comes after the reservation ran out', () => {
  test('takes what was bought out of the cart, and no more', async () => {
    const customer = await makeCustomer(side)
    const [bought, more, other] = [
      await makeProduct(side, { stock: 5 }),
      await makeProduct(side),
      await makeProduct(side),
    ]
    await customer.client.post('/shop/cart', { product_id: more.id })
    const order = await buy(customer, bought.id, 2)
    await advance(side, { days: 8 })
    for (const { id } of [more, other]) await customer.client.post('/shop/cart', { product_id: id })
    expect((await markPaid(order.id)).status).toBe('paid')
    const { lines } = await cartOf(customer)
    expect(lines.map(({ product_id, quantity }) => [product_id, quantity]).toSorted()).toEqual(
      [
        [more.id, 1],
        [other.id, 1],
      ].toSorted(),
    )
    expect((await checkOut(customer)).body.data.items.map(({ product_id }) => product_id)).not.toContain(
      bought.id,
    )
  })

  test('leaves an empty cart, with no discount, where all of it was bought', async () => {
    const customer = await makeCustomer(side)
    const { id: product } = await makeProduct(side)
    const { code } = await makeDiscount(side)
    await customer.client.post('/shop/cart/discount', { code })
    const { id } = await buy(customer, product)
    await advance(side, { days: 8 })
    expect(await cartOf(customer)).toMatchObject({ lines: [{ quantity: 1 }], discount: { code } })
    expect((await markPaid(id)).status).toBe('paid')
    expect((await checkOut(customer)).body.code).toBe('CART_EMPTY')
    await customer.client.post('/shop/cart', { product_id: product })
    expect((await cartOf(customer)).discount).toBe(null)
  })
})
