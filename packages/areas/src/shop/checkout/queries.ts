import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'

/** An order as it is made. */
export interface NewOrder {
  id: string
  number: string
  /** The names of what is bought, one a line: orders are searched by them. */
  line_names: string
  member_id: string
  cart_id: string
  cart_version: number
  currency: string
  subtotal_minor: number
  discount_minor: number
  tax_minor: number
  total_minor: number
  discount_id: string | null
  discount_code: string | null
  addresses: string | null
  note: string | null
  payment_account_id: string | null
  by_hand: boolean
  reserved_until: string
  created_at: string
}

const insert = statement(
  'insert_order',
  (v: NewOrder) =>
    query.insertInto('orders').values({
      id: v.id,
      number: v.number,
      line_names: v.line_names,
      member_id: v.member_id,
      cart_id: v.cart_id,
      cart_version: v.cart_version,
      status: sql.lit('pending_payment'),
      currency: v.currency,
      subtotal_minor: v.subtotal_minor,
      discount_minor: v.discount_minor,
      tax_minor: v.tax_minor,
      total_minor: v.total_minor,
      discount_id: v.discount_id,
      discount_code: v.discount_code,
      addresses: sql`${v.addresses}::jsonb`,
      note: v.note,
      payment_account_id: v.payment_account_id,
      by_hand: v.by_hand,
      reserved_until: v.reserved_until,
      created_at: v.created_at,
      updated_at: v.created_at,
    }),
  {
    // A day has 34 thousand million numbers.
    orders_number_key: (cause) => new ApiError(503, 'UNAVAILABLE', 'Try again', { cause }),
  },
)

export const insertOrderRow = (ctx: Context, order: NewOrder) => ctx.tx.run(insert, order)

/** A line as it is bought. */
export interface NewLine {
  id: string
  place: number
  product_id: string
  variant_id: string | null
  name: string
  variant_name: string
  sku: string | null
  quantity: number
  unit_minor: number
  discount_minor: number
  tax_milli: number | null
  tax_minor: number
  total_minor: number
  is_tracked: boolean
  grant_plan_id: string | null
  grant_features: string[]
  grant_course_id: string | null
  grant_days: number | null
}

const columns = [
  ...([
    'id',
    'place',
    'product_id',
    'variant_id',
    'name',
    'variant_name',
    'sku',
    'quantity',
    'unit_minor',
  ] as const),
  ...(['discount_minor', 'tax_milli', 'tax_minor', 'total_minor', 'is_tracked', 'grant_plan_id'] as const),
  ...(['grant_features', 'grant_course_id', 'grant_days'] as const),
] as const

const insertAll = statement('insert_order_lines', (v: { order: string; lines: string }) =>
  query
    .insertInto('order_lines')
    .columns(['order_id', ...columns])
    .expression(
      sql`select ${v.order}::uuid, ${sql.join(columns.map((column) => sql.ref(`l.${column}`)))}
        from jsonb_to_recordset(${v.lines}::jsonb) as l (id uuid, place int2, product_id uuid, variant_id uuid, name text,
          variant_name text, sku text, quantity int, unit_minor int8, discount_minor int8, tax_milli int, tax_minor int8,
          total_minor int8, is_tracked boolean, grant_plan_id uuid, grant_features text[], grant_course_id uuid,
          grant_days int)`,
    ),
)

/** All lines in one statement. */
export const insertLineRows = (ctx: Context, order: string, lines: readonly NewLine[]) =>
  ctx.tx.run(insertAll, { order, lines: JSON.stringify(lines) })

const giveBack = statement('give_cart_back', (v: { order: string; member: string }) =>
  query
    .with('cart', (cte) =>
      cte
        .updateTable('carts')
        .set({
          version: sql`version + 1`,
          updated_at: now,
          discount_id: sql`coalesce(discount_id, (select discount_id from orders where id = ${v.order}))`,
        })
        .where('member_id', '=', v.member)
        .returning('id'),
    )
    .insertInto('cart_items')
    .columns([
      'id',
      'cart_id',
      'product_id',
      'variant_id',
      'quantity',
      'seen_price_minor',
      'seen_currency',
      'created_at',
    ])
    .expression(
      sql`select gen_random_uuid(), cart.id, l.product_id, l.variant_id, l.quantity, l.unit_minor, o.currency, ${now}
        from cart, order_lines l join orders o on o.id = l.order_id
        where l.order_id = ${v.order} order by l.place`,
    )
    .onConflict((conflict) =>
      conflict.constraint('cart_items_once').doUpdateSet((old) => ({
        quantity: sql`least(10000, cart_items.quantity + ${old.ref('excluded.quantity')})`,
      })),
    ),
)

/** Puts what an order had back into the cart that it came from, beside what is there by now. */
export const giveCartBack = (ctx: Context, order: string, member: string) =>
  ctx.tx.run(giveBack, { order, member })
