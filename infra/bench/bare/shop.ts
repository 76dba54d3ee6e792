import { productId } from '#areas/shop/ids.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import type { Bare } from './bare.ts'

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

export function shopRoutes({ api, ask, within }: Bare): void {
  api.get('/shop/products', async () => {
    const { rows } = await ask(LIST)
    return { success: true, products: rows.slice(0, 50) }
  })

  api.post<{ Body: { product_id: string } }>('/shop/cart', async (request, reply) => {
    const member = parseId('member', String(request.headers['x-user-id']))
    const product = parseId(productId, request.body.product_id)
    const item = await within(async (ask) => {
      await ask(ADD.member, member)
      const [found] = (await ask(ADD.product, product)).rows
      const [variant] = (await ask(ADD.variants, product)).rows
      const [cart] = (await ask(ADD.cart, newUuid(), member)).rows
      const lines = (await ask(ADD.lines, cart.id)).rows
      const same = lines.find((line) => line.variant_id === variant.id)
      const id = same?.id ?? newUuid()
      const quantity = (same?.quantity ?? 0) + 1
      await ask(ADD.put, id, cart.id, product, variant.id, quantity, found.price_minor, found.currency)
      return { id, product_id: product, quantity }
    })
    return reply.code(201).send({ success: true, item })
  })
}
