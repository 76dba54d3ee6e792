import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { ApiError } from '#platform/errors.ts'
import type { LineRow, OrderRow } from '../orders/queries.ts'

const orderColumns = [
  ...(['id', 'number', 'member_id', 'cart_id', 'cart_version', 'currency', 'subtotal_minor'] as const),
  ...(['discount_minor', 'tax_minor', 'total_minor', 'discount_id', 'discount_code', 'note'] as const),
  ...(['payment_account_id', 'by_hand', 'reserved_until', 'created_at'] as const),
] as const

/** An order as it is made. */
export interface NewOrder extends Pick<OrderRow, (typeof orderColumns)[number]> {
  /** The names of what is bought, one a line: orders are searched by them. */
  line_names: string
  addresses: string | null
}

export const insertOrder = defineQuery(
  'insert_order',
  (v: NewOrder) =>
    query.insertInto('orders').values({
      ...pick(v, ...orderColumns, 'line_names'),
      status: 'pending_payment',
      addresses: sql`${v.addresses}::jsonb`,
      updated_at: v.created_at,
    }),
  {
    // A day has 34 thousand million numbers.
    orders_number_key: (cause) => new ApiError(503, 'UNAVAILABLE', 'Try again', { cause }),
  },
)

const lineColumns = [
  ...(['id', 'product_id', 'variant_id', 'name', 'variant_name', 'sku', 'quantity', 'unit_minor'] as const),
  ...(['discount_minor', 'tax_milli', 'tax_minor', 'total_minor', 'is_tracked', 'grant_plan_id'] as const),
  ...(['grant_features', 'grant_course_id', 'grant_days'] as const),
] as const
/** A line as it is bought. */
export type NewLine = Pick<LineRow, (typeof lineColumns)[number]> & { readonly place: number }

/** All lines in one statement. @param lines as JSON */
export const insertLines = defineQuery('insert_order_lines', (v: { order: string; lines: string }) =>
  query
    .insertInto('order_lines')
    .columns(['order_id', 'place', ...lineColumns])
    .expression(
      sql`select ${v.order}::uuid, l.place, ${sql.join(lineColumns.map((column) => sql.ref(`l.${column}`)))}
        from jsonb_to_recordset(${v.lines}::jsonb) as l (id uuid, place int2, product_id uuid, variant_id uuid, name text,
          variant_name text, sku text, quantity int, unit_minor int8, discount_minor int8, tax_milli int, tax_minor int8,
          total_minor int8, is_tracked boolean, grant_plan_id uuid, grant_features text[], grant_course_id uuid,
          grant_days int)`,
    ),
)

/** Puts what an order had back into the cart that it came from, beside what is there by now. */
export const giveCartBack = defineQuery('give_cart_back', (v: { order: string; member: string }) =>
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
