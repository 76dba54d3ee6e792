/** What the shop is measured against: a bare Fastify handler with a `pg` pool. No keys, limits, isolation or validation. */
import { env } from 'node:process'
import Fastify from 'fastify'
import pg from 'pg'
import { productId } from '#areas/shop/ids.ts'
import { newUuid, parseId } from '#platform/ids.ts'

const { BYPASSING_URL, DATABASE_POOL_SIZE, HOST, PORT, PROJECT_ID } = env
const pool = new pg.Pool({ connectionString: BYPASSING_URL, max: Number(DATABASE_POOL_SIZE) })
const LIST = {
  name: 'products',
  text: `select id, name, description, category, currency, price_minor, is_active, created_at from products
    where project_id = $1 and deleted_at is null and is_active = true order by id desc limit 51`,
}

/** What adding to a cart asks and writes. */
const ADD = {
  member: {
    name: 'member',
    text: 'select id, status from members where project_id = $1 and id = $2 and deleted_at is null',
  },
  product: {
    name: 'product',
    text: `select id, currency, price_minor, is_active from products
      where project_id = $1 and id = $2 and deleted_at is null`,
  },
  variants: {
    name: 'variants',
    text: `select id, price_minor, stock, reserved, sold, is_active from product_variants
      where project_id = $1 and product_id = $2 and deleted_at is null order by id`,
  },
  cart: {
    name: 'cart',
    text: `insert into carts (project_id, id, member_id, updated_at) values ($1, $2, $3, now())
      on conflict (project_id, member_id) do update set version = carts.version + 1, updated_at = now()
      returning id, version`,
  },
  lines: {
    name: 'lines',
    text: `select i.id, i.product_id, i.variant_id, i.quantity, p.currency from cart_items i
      join products p on p.project_id = i.project_id and p.id = i.product_id
      where i.project_id = $1 and i.cart_id = $2 order by i.id`,
  },
  put: {
    name: 'put',
    text: `insert into cart_items (project_id, id, cart_id, product_id, variant_id, quantity, seen_price_minor, seen_currency,
        created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, now()) on conflict on constraint cart_items_once do update
        set quantity = excluded.quantity, seen_price_minor = excluded.seen_price_minor, seen_currency = excluded.seen_currency`,
  },
}

const api = Fastify()

api.get('/products', async () => {
  const { rows } = await pool.query({ ...LIST, values: [PROJECT_ID] })
  return { success: true, products: rows.slice(0, 50) }
})

api.post<{ Body: { product_id: string } }>('/cart', async (request, reply) => {
  const member = parseId('member', String(request.headers['x-user-id']))
  const product = parseId(productId, request.body.product_id)
  const client = await pool.connect()
  try {
    await client.query('begin')
    const one = async (query: { name: string; text: string }, ...values: unknown[]) =>
      (await client.query({ ...query, values: [PROJECT_ID, ...values] })).rows
    await one(ADD.member, member)
    const [found] = await one(ADD.product, product)
    const [variant] = await one(ADD.variants, product)
    const [cart] = await one(ADD.cart, newUuid(), member)
    const same = (await one(ADD.lines, cart.id)).find((line) => line.variant_id === variant.id)
    const id = same?.id ?? newUuid()
    const quantity = (same?.quantity ?? 0) + 1
    await one(ADD.put, id, cart.id, product, variant.id, quantity, found.price_minor, found.currency)
    await client.query('commit')
    return await reply.code(201).send({ success: true, item: { id, product_id: product, quantity } })
  } finally {
    client.release()
  }
})

await api.listen({ host: HOST ?? '', port: Number(PORT) })
process.once('SIGTERM', () => process.exit())
