import { expect, test } from 'vitest'
import { makeProduct, makeVariant } from '#testkit/areas/money/shop.ts'
import { makeFileRow } from '#testkit/areas/storage/files.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { FullProduct } from './schema.ts'

interface Made<T> {
  data: T
}
interface List {
  products: (Partial<FullProduct> & { id: string })[]
}

let side: Side
let other: Side

withProjects((_api, one, two) => {
  side = one.live
  other = two.live
})

const make = async (of: Side, input: object) =>
  (await of.admin.post<Made<FullProduct>>('/shop/products', { price: 1, ...input })).body.data

test('a slug is the name; random characters are added only where another product has it', async () => {
  const name = 'Crème brûlée, 5 kg'
  expect((await make(side, { name })).slug).toBe('creme-brulee-5-kg')
  expect((await make(other, { name })).slug).toBe('creme-brulee-5-kg')
  const second = await make(side, { name })
  expect(second.slug).toMatch(/^creme-brulee-5-kg-[a-z0-9]{6}$/)
  const named = await side.admin.post<{ code: string }>('/shop/products', {
    name,
    price: 1,
    slug: 'creme-brulee-5-kg',
  })
  expect([named.status, named.body.code]).toEqual([422, 'SLUG_TAKEN'])
  expect((await make(side, { name: '日本語' })).slug).toBe('product')
  // One that is deleted has it no more.
  await side.admin.delete(`/shop/products/${second.id}`)
  expect((await make(side, { name, slug: second.slug })).slug).toBe(second.slug)
})

test('products of one name that are made at the same moment all get a slug', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => make(side, { name: 'At once' })))
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(8)
  expect(made.filter(({ slug }) => slug === 'at-once')).toHaveLength(1)
})

test('a list has slugs and images only where they are asked for', async () => {
  const image = await makeFileRow(side)
  const { id, slug, images } = await make(side, { name: 'With a picture', images: [image.id] })
  expect(images).toEqual([image.id])
  const visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  const of = async (query: string) =>
    (await visitor.get<List>(`/shop/products${query}`)).body.products.find((each) => each.id === id)
  const plain = await of('')
  expect(Object.keys(plain ?? {}).toSorted()).toEqual(
    ['category', 'created_at', 'currency', 'description', 'id', 'is_active', 'name', 'price'].toSorted(),
  )
  expect(await of('?include=slug')).toEqual({ ...plain, slug })
  expect(await of('?include=slug,images&limit=100')).toEqual({ ...plain, slug, images })
  expect(refusalOf(await visitor.get('/shop/products?include=grants'))).toBe('400 INVALID_PARAMETERS')
})

test('a variant is read by keys, with its stock and the tag that its PATCH takes', async () => {
  const product = await makeProduct(side)
  const { id } = await makeVariant(side, product.id, { name: 'White', stock: 4 })
  const path = `/shop/variants/${id}`
  const { status, body, headers } = await side.admin.get<Made<object>>(path)
  expect([status, body.data]).toMatchObject([
    200,
    { id, name: 'White', on_hand: 4, reserved: 0, sold: 0, available: true },
  ])
  const match = { headers: { 'if-match': headers['etag'] ?? '' } }
  expect((await side.admin.patch(path, { name: 'Black' }, match)).status).toBe(200)
  expect(refusalOf(await side.admin.patch(path, { name: 'Red' }, match))).toBe('412 CHANGED_MEANWHILE')
  expect(refusalOf(await other.admin.get(path))).toBe('404 NOT_FOUND')
})

test('a currency changes together with the price, and not while variants have prices of their own: no amount is kept as a number', async () => {
  const { id } = await make(side, { name: 'Kiln', price: 19.99, currency: 'eur' })
  const path = `/shop/products/${id}`
  const patch = async (changes: object, at = path) => {
    const { status, body } = await side.admin.patch<{ details?: { field: string; rule: string }[] }>(
      at,
      changes,
    )
    return [status, body.details?.map(({ field, rule }) => `${field} ${rule}`)]
  }
  expect(await patch({ currency: 'usd' })).toEqual([422, ['price required']])
  expect(await patch({ currency: 'eur' })).toEqual([200, undefined])
  const variant = await makeVariant(side, id, { price: 25 })
  expect(await patch({ currency: 'usd', price: 21 })).toEqual([422, ['currency variants']])
  await patch({ price: null }, `/shop/variants/${variant.id}`)
  expect(await patch({ currency: 'usd', price: 21 })).toEqual([200, undefined])
})

test('a price of a variant and another currency at the same moment: the price is in the currency that stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await make(side, { name: 'Wheel', price: 20, currency: 'eur' })
    const variant = await makeVariant(side, id)
    const [priced, moved] = await Promise.all([
      side.admin.patch(`/shop/variants/${variant.id}`, { price: 25 }),
      side.admin.patch(`/shop/products/${id}`, { currency: 'jpy', price: 3000 }),
    ])
    expect(priced.status).toBe(200)
    const { body } = await side.admin.get<Made<{ price: number }>>(`/shop/variants/${variant.id}`)
    // After the change of currency 25 is 25 yen, before it the change is refused.
    expect([200, 422]).toContain(moved.status)
    expect(body.data.price).toBe(25)
  }
})
