import { describe, expect, test } from 'vitest'
import { makeCustomer, makeDiscount, makeProduct, makeVariant } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Cart, CartItem } from '../cart/schema.ts'
import type { Order } from '../orders/schema.ts'

interface Made<T> {
  data: T
}
interface Refused {
  code: string
  details?: { field: string; rule: string }[]
}

let side: Side
let other: Side

withProjects((_api, one, two) => {
  side = one.live
  other = two.live
})

const refusal = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  const { code, details } = body as Refused
  return [status, code, ...(details?.[0] ? [details[0].field, details[0].rule] : [])]
}

describe('the cart', () => {
  test('answers the reference’s item, makes more of what is there, and adds up', async () => {
    const { client } = await makeCustomer(side)
    const { id } = await makeProduct(side, { price: 19.99, tax_percent: 19 })
    const { status, body } = await client.post<{ item: CartItem }>('/shop/cart', { product_id: id })
    const { item } = body
    expect([status, body]).toEqual([
      201,
      { success: true, item: { id: item.id, product_id: id, quantity: 1, created_at: item.created_at } },
    ])
    const again = await client.post<{ item: CartItem }>('/shop/cart', { product_id: id, quantity: 2 })
    expect(again.body.item).toEqual({ ...item, quantity: 3 })
    const cart = (await client.get<Made<Cart>>('/shop/cart')).body.data
    expect(cart).toMatchObject({ currency: 'eur', subtotal: 59.97, tax: 9.58, total: 59.97, faults: [] })
    expect(cart.lines).toMatchObject([{ id: item.id, name: 'Clay', quantity: 3, price: 19.99, total: 59.97 }])
    expect(
      (await client.patch<Made<CartItem>>(`/shop/cart/${item.id}`, { quantity: 1 })).body.data.quantity,
    ).toBe(1)
    await client.delete(`/shop/cart/${item.id}`)
    expect((await client.get<Made<Cart>>('/shop/cart')).body.data).toMatchObject({ lines: [], total: 0 })
  })

  test('refuses what cannot be bought', async () => {
    const { client } = await makeCustomer(side)
    const { id, variantId } = await makeProduct(side, { stock: 3 })
    const add = (body: object) => refusal(client.post('/shop/cart', body))
    for (const quantity of [0, -1, 1.5, 1e9, '1'])
      expect((await add({ product_id: id, quantity })).slice(0, 3)).toEqual([
        422,
        'VALIDATION_ERROR',
        'quantity',
      ])
    expect((await add({ product_id: id, quantity: 4 })).slice(0, 2)).toEqual([422, 'OUT_OF_STOCK'])
    await client.post('/shop/cart', { product_id: id, quantity: 2 })
    expect((await add({ product_id: id, variant_id: variantId, quantity: 2 })).slice(0, 2)).toEqual([
      422,
      'OUT_OF_STOCK',
    ])
    const yen = await makeProduct(side, { currency: 'jpy' })
    expect((await add({ product_id: yen.id })).slice(0, 2)).toEqual([422, 'CURRENCY_MISMATCH'])
    const another = await makeProduct(side, { stock: 1 })
    expect((await add({ product_id: id, variant_id: another.variantId })).slice(0, 3)).toEqual([
      ...[422, 'VALIDATION_ERROR', 'variant_id'],
    ])
    await makeVariant(side, another.id, {})
    expect((await add({ product_id: another.id })).slice(0, 2)).toEqual([422, 'VARIANT_REQUIRED'])
    const hidden = await makeProduct(side, { is_active: false })
    const foreign = await makeProduct(other)
    for (const product_id of [hidden.id, foreign.id, 'prod_x', (await side.makeMember()).id])
      expect((await add({ product_id })).slice(0, 3)).toEqual([422, 'VALIDATION_ERROR', 'product_id'])
  })

  test('is one’s own: a token opens its own, a key must name whose', async () => {
    const { id } = await makeProduct(side)
    expect(await refusal(side.admin.post('/shop/cart', { product_id: id }))).toEqual([
      ...[400, 'INVALID_PARAMETERS', 'X-User-ID', 'required'],
    ])
    const stranger = { headers: { 'x-user-id': (await other.makeMember()).id } }
    expect((await refusal(side.admin.post('/shop/cart', { product_id: id }, stranger))).slice(0, 2)).toEqual([
      ...[422, 'MEMBER_NOT_FOUND'],
    ])
    const { memberId, token } = await side.signIn()
    const own = side.as(token)
    const { item } = (await own.post<{ item: CartItem }>('/shop/cart', { product_id: id })).body
    const { client } = await makeCustomer(side, memberId)
    expect((await client.get<Made<Cart>>('/shop/cart')).body.data.lines).toHaveLength(1)
    const somebody = await makeCustomer(side)
    expect(refusalOf(await somebody.client.patch(`/shop/cart/${item.id}`, { quantity: 2 }))).toBe(
      '404 NOT_FOUND',
    )
    expect(refusalOf(await somebody.client.delete(`/shop/cart/${item.id}`))).toBe('404 NOT_FOUND')
    expect((await refusal(own.get('/shop/cart', { headers: { 'x-user-id': somebody.id } })))[0]).toBe(403)
    const visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
    expect(refusalOf(await visitor.get('/shop/cart'))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })
})

describe('checkout', () => {
  test('answers the order with all that was bought; the same cart makes one order, at once or later', async () => {
    const { client, id: member } = await makeCustomer(side)
    const { id, variantId } = await makeProduct(side, { stock: 5, price: 9.99, tax_percent: 7 })
    expect(await refusal(client.post('/shop/checkout', {}))).toEqual([422, 'CART_EMPTY'])
    await client.post('/shop/cart', { product_id: id, quantity: 2 })
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        client.post<Made<Order>>('/shop/checkout', { addresses: { shipping: { city: 'London' } } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const [first] = answers
    const order = first?.body.data as Order
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
    expect(order).toMatchObject({
      status: 'pending_payment',
      total: 19.98,
      tax: 1.31,
      currency: 'eur',
      member_id: member,
    })
    expect(order).toMatchObject({
      addresses: { shipping: { city: 'London' } },
      allowed_transitions: ['paid', 'canceled'],
    })
    expect(order.items).toEqual([{ product_id: id, quantity: 2, price: 9.99 }])
    expect(order.lines).toMatchObject([{ variant_id: variantId, name: 'Clay', quantity: 2, total: 19.98 }])
    const read = (await client.get<Made<Order>>(`/shop/orders/${order.id}`)).body.data
    for (const { body } of answers) expect({ ...body.data, history: read.history }).toEqual(read)
    expect(read.history).toMatchObject([{ from: null, to: 'pending_payment' }])
    const { data } = (
      await client.get<Made<{ reserved: number; on_hand: number }[]>>(`/shop/products/${id}/variants`)
    ).body
    expect(data).toMatchObject([{ reserved: 2, on_hand: 5 }])
    expect((await client.get<Made<Cart>>('/shop/cart')).body.data.lines).toEqual([])
    await client.post('/shop/cart', { product_id: id })
    await client.delete('/shop/cart')
    expect(await refusal(client.post('/shop/checkout', {}))).toEqual([422, 'CART_EMPTY'])
    const own = await client.get<{ orders: unknown[] }>('/shop/orders')
    expect(own.body).toEqual({
      success: true,
      orders: [
        {
          id: order.id,
          status: 'pending_payment',
          total: 19.98,
          currency: 'eur',
          items: order.items,
          created_at: order.created_at,
        },
      ],
    })
  })

  test('refuses a price or an availability that changed; a look at the cart accepts the new price', async () => {
    const { client } = await makeCustomer(side)
    const { id, variantId } = await makeProduct(side, { stock: 5 })
    await client.post('/shop/cart', { product_id: id, quantity: 3 })
    const check = () => refusal(client.post('/shop/checkout', {}))
    await side.admin.patch(`/shop/products/${id}`, { price: 12 })
    expect(await check()).toEqual([422, 'CART_CHANGED', 'lines[0]', 'price_changed'])
    expect(await check()).toEqual([422, 'CART_CHANGED', 'lines[0]', 'price_changed'])
    const { faults, total } = (await client.get<Made<Cart>>('/shop/cart')).body.data
    expect([faults.map(({ fault }) => fault), total]).toEqual([['price_changed'], 36])
    await side.admin.post(`/shop/variants/${variantId}/stock`, { delta: -3, reason: 'broken' })
    expect(await check()).toEqual([422, 'CART_CHANGED', 'lines[0]', 'out_of_stock'])
    await side.admin.post(`/shop/variants/${variantId}/stock`, { delta: 3, reason: 'found' })
    await side.admin.patch(`/shop/products/${id}`, { is_active: false })
    expect(await check()).toEqual([422, 'CART_CHANGED', 'lines[0]', 'unavailable'])
    await side.admin.patch(`/shop/products/${id}`, { is_active: true })
    await side.admin.patch(`/shop/products/${id}`, { currency: 'usd', price: 12 })
    expect(await check()).toEqual([422, 'CART_CHANGED', 'lines[0]', 'currency_changed'])
    await side.admin.patch(`/shop/products/${id}`, { currency: 'eur', price: 12 })
    expect((await client.post<Made<Order>>('/shop/checkout', {})).body.data.total).toBe(36)
  })

  test('takes one discount, whose last use goes to one of many at the same moment', async () => {
    const { id } = await makeProduct(side, { price: 10.05 })
    const discount = await makeDiscount(side, { percent: 10, max_uses: 2, max_uses_per_member: 1 })
    const buy = async () => {
      const { client } = await makeCustomer(side)
      await client.post('/shop/cart', { product_id: id })
      const { body } = await client.post<Made<Cart>>('/shop/cart/discount', {
        code: discount.code.toLowerCase(),
      })
      expect(body.data).toMatchObject({
        subtotal: 10.05,
        discount: { code: discount.code, amount: 1.01 },
        total: 9.04,
      })
      return client
    }
    const clients = await Promise.all(Array.from({ length: 6 }, buy))
    const answers = await Promise.all(
      clients.map((client) => client.post<Made<Order> & Refused>('/shop/checkout', {})),
    )
    const orders = answers.filter(({ status }) => status === 201)
    expect(orders).toHaveLength(2)
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'DISCOUNT_INVALID']))
    expect(orders[0]?.body.data).toMatchObject({ discount: 1.01, total: 9.04, discount_code: discount.code })
    const loser = clients[answers.findIndex(({ status }) => status !== 201)] ?? clients[0]
    const shown = (await loser?.get<Made<Cart>>('/shop/cart'))?.body.data
    expect(shown).toMatchObject({ discount: null, total: 10.05, faults: [{ fault: 'discount_invalid' }] })
    expect((await loser?.post('/shop/checkout', {}))?.status).toBe(201)
    const used = async () =>
      (await side.admin.get<Made<{ used: number }>>(`/shop/discounts/${discount.id}`)).body.data.used
    expect(await used()).toBe(2)
    await side.admin.post(`/shop/orders/${orders[0]?.body.data.id}/cancel`, {})
    expect(await used()).toBe(1)
    const expired = await makeDiscount(side, { amount: 5, currency: 'eur', ends_at: '2026-01-01T00:00:00Z' })
    const later = await makeDiscount(side, { percent: 5, starts_at: '2099-01-01T00:00:00Z' })
    const yen = await makeDiscount(side, { amount: 5, currency: 'jpy' })
    const { client } = await makeCustomer(side)
    await client.post('/shop/cart', { product_id: id })
    // Discounts do not add up: another code takes the place of the first, and a refused one changes nothing.
    const [first, second] = [await makeDiscount(side, { percent: 50 }), await makeDiscount(side)]
    for (const { code } of [first, second]) await client.post('/shop/cart/discount', { code })
    for (const code of [expired.code, later.code, yen.code, 'NONE'])
      expect(await refusal(client.post('/shop/cart/discount', { code }))).toEqual([422, 'DISCOUNT_INVALID'])
    const { total } = (await client.get<Made<Cart>>('/shop/cart')).body.data
    expect(total).toBe(9.04)
  })

  test('of nothing to pay is paid at once, and grants', async () => {
    const { client, id: member } = await makeCustomer(side)
    const { id } = await makeProduct(side, { price: 0, stock: 1, grants: { features: ['downloads'] } })
    await client.post('/shop/cart', { product_id: id })
    const { data } = (await client.post<Made<Order>>('/shop/checkout', {})).body
    expect(data).toMatchObject({
      status: 'paid',
      total: 0,
      history: [{ to: 'pending_payment' }, { to: 'paid' }],
    })
    const { body } = await side.admin.get<Made<{ features: unknown }>>(`/members/${member}/entitlements`)
    expect(JSON.stringify(body.data)).toContain('downloads')
  })
})
