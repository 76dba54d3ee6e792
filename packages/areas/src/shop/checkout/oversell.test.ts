import { expect, test } from 'vitest'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Cart } from '../cart/schema.ts'

interface Made<T> {
  data: T
}

let side: Side

withProjects((_api, one) => {
  side = one.live
})

const stockOf = async (product: string) => {
  const { data } = (
    await side.admin.get<Made<{ on_hand: number; reserved: number; sold: number }[]>>(
      `/shop/products/${product}/variants`,
    )
  ).body
  return data[0]
}

test('two ways to name what draws on the same stock are one line, and pass or fail together', async () => {
  const { client } = await makeCustomer(side)
  const { id, variantId } = await makeProduct(side, { stock: 3 })
  expect((await client.post('/shop/cart', { product_id: id, quantity: 2 })).status).toBe(201)
  const named = { product_id: id, variant_id: variantId }
  expect(refusalOf(await client.post('/shop/cart', { ...named, quantity: 2 }))).toBe('422 OUT_OF_STOCK')
  expect((await client.post('/shop/cart', { ...named, quantity: 1 })).status).toBe(201)
  const { lines } = (await client.get<Made<Cart>>('/shop/cart')).body.data
  expect(lines.map(({ quantity }) => quantity)).toEqual([3])
  expect((await client.post('/shop/checkout', {})).status).toBe(201)
  expect(await stockOf(id)).toMatchObject({ reserved: 3, sold: 0 })
})

test('forty customers who want the same two products at once, in either order, get as many as there are', async () => {
  const [a, b] = [await makeProduct(side, { stock: 12 }), await makeProduct(side, { stock: 9 })]
  const customers = await Promise.all(Array.from({ length: 40 }, () => makeCustomer(side)))
  for (const [n, { client }] of customers.entries())
    for (const { id } of n % 2 === 0 ? [a, b] : [b, a]) await client.post('/shop/cart', { product_id: id })
  const answers = await Promise.all(
    customers.map(({ client }) => client.post<{ code?: string }>('/shop/checkout', {})),
  )
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([count(201), count(422)]).toEqual([9, 31])
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'CART_CHANGED']))
  expect([await stockOf(a.id), await stockOf(b.id)]).toMatchObject([
    { on_hand: 12, reserved: 9, sold: 0 },
    { on_hand: 9, reserved: 9, sold: 0 },
  ])
})
