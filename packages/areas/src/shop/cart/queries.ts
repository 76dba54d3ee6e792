import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { discounts, usesBy } from '../discounts/queries.ts'

/** A member's cart in its next version, made where there is none, and locked. @throws ApiError 422 MEMBER_NOT_FOUND */
export const touchCart = defineQuery(
  'touch_cart',
  (v: { id: string; member: string }) =>
    query
      .insertInto('carts')
      .values({ id: v.id, member_id: v.member, updated_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'member_id'])
          .doUpdateSet({ version: sql`carts.version + 1`, updated_at: now }),
      )
      .returning(['id', 'version', 'updated_at']),
  { carts_member_fkey: (cause) => memberNotFound('X-User-ID', cause) },
).single()

/** A member's cart, locked. */
export const lockCart = defineQuery('lock_cart', (v: { member: string }) =>
  query.selectFrom('carts').select(['id', 'version']).where('member_id', '=', v.member).forUpdate(),
).first()

/**
 * The cart of a member, looked up once. A join would be planned while the tables are nearly empty, as a loop over all
 * carts for each item, and connections keep that plan until the tables are analyzed: at a thousand carts an item took a second.
 */
const cartOf = (member: string) => sql<string>`(select id from carts where member_id = ${member})`

const lines = (v: { member: string }) =>
  query
    .selectFrom('cart_items as i')
    .innerJoin('products as p', 'p.id', 'i.product_id')
    .leftJoin('product_variants as v', 'v.id', 'i.variant_id')
    .select(['i.id', 'i.product_id', 'i.variant_id', 'i.quantity', 'i.created_at'])
    .select(['i.seen_price_minor', 'i.seen_currency', 'p.name', 'p.currency', 'p.tax_milli'])
    .select(['p.grant_plan_id', 'p.grant_features', 'p.grant_course_id', 'p.grant_days', 'p.reserve_hours'])
    .select(sql<number>`coalesce(v.price_minor, p.price_minor)`.as('price_minor'))
    .select(sql<string>`coalesce(v.name, '')`.as('variant_name'))
    .select([
      'v.sku',
      'v.stock',
      sql<number>`coalesce(v.reserved, 0)`.as('reserved'),
      sql<number>`coalesce(v.sold, 0)`.as('sold'),
    ])
    .select(
      sql<boolean>`p.is_active and p.deleted_at is null and case when i.variant_id is null
        then not exists (select from product_variants o where o.product_id = p.id and o.deleted_at is null and o.is_active)
        else v.is_active and v.deleted_at is null end`.as('is_available'),
    )
    .where('i.cart_id', '=', cartOf(v.member))
    .orderBy('i.id')
export type CartRow = InferResult<ReturnType<typeof lines>>[number]

/** What is in a member's cart, with what it costs now. */
export const cartLines = defineLookup('cart_lines', lines)

/** The discount that a member's cart has. */
export const cartDiscount = defineLookup('cart_discount', (v: { member: string }) =>
  discounts()
    .innerJoin('carts as c', 'c.discount_id', 'd.id')
    .select(usesBy(v.member))
    .where('c.member_id', '=', v.member),
).first()

interface Item extends Pick<CartRow, 'id' | 'product_id' | 'variant_id' | 'quantity' | 'created_at'> {
  cart_id: string
  seen_price_minor: number
  seen_currency: string
}

/** Puts something into a cart that is locked, or says how many there are of it. */
export const putItem = defineQuery('put_cart_item', (v: Item) =>
  query
    .insertInto('cart_items')
    .values(
      pick(
        v,
        ...(['id', 'cart_id', 'product_id', 'variant_id', 'quantity', 'created_at'] as const),
        ...(['seen_price_minor', 'seen_currency'] as const),
      ),
    )
    .onConflict((conflict) =>
      conflict.constraint('cart_items_once').doUpdateSet((old) => ({
        quantity: old.ref('excluded.quantity'),
        seen_price_minor: old.ref('excluded.seen_price_minor'),
        seen_currency: old.ref('excluded.seen_currency'),
      })),
    ),
)

/** Whose cart an item is in. @throws ApiError 404 */
export const getItem = defineLookup('cart_item_by_id', (v: { id: string }) =>
  query
    .selectFrom('cart_items as i')
    .innerJoin('carts as c', 'c.id', 'i.cart_id')
    .select(['i.id', 'c.member_id'])
    .where('i.id', '=', v.id),
).one('Cart item')

export const setQuantity = defineQuery('change_cart_item', (v: { id: string; quantity: number }) =>
  query.updateTable('cart_items').set({ quantity: v.quantity }).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const removeItem = defineQuery('remove_cart_item', (v: { id: string }) =>
  query.deleteFrom('cart_items').where('id', '=', v.id).returning('id'),
).one('Cart item')

/** Takes everything out, the discount included. The version stays. */
export const emptyCart = defineQuery('empty_cart', (v: { cart: string }) =>
  query
    .with('gone', (cte) => cte.deleteFrom('cart_items').where('cart_id', '=', v.cart))
    .updateTable('carts')
    .set({ discount_id: null, updated_at: now })
    .where('id', '=', v.cart),
)

/** Takes what an order has out of a cart that is locked: so many of each product and variant as were bought. */
export const takeBoughtOut = defineQuery('take_bought_out_of_cart', (v: { order: string; member: string }) =>
  query
    // Looked up by their names: a hundred lines that are each compared with a hundred others are ten thousand.
    .with('bought', (cte) =>
      cte
        .selectFrom('order_lines')
        .select(sql<string>`concat_ws('/', product_id, variant_id)`.as('what'))
        .select(sql<number>`sum(quantity)`.as('quantity'))
        .where('order_id', '=', v.order)
        .groupBy('what'),
    )
    .with('quantities', (cte) =>
      cte.selectFrom('bought').select(sql<object>`jsonb_object_agg(what, quantity)`.as('of')),
    )
    .with('had', (cte) =>
      cte
        .selectFrom(['cart_items as i', 'quantities as q'])
        .select(['i.id', 'i.cart_id'])
        .select(
          sql<number>`i.quantity - (q.of ->> concat_ws('/', i.product_id, i.variant_id))::int8`.as('rest'),
        )
        .where('i.cart_id', '=', cartOf(v.member)),
    )
    .with('gone', (cte) =>
      cte
        .deleteFrom('cart_items')
        .where('id', 'in', sql<string>`(select id from had where rest <= 0)`)
        .returning('id'),
    )
    .with('fewer', (cte) =>
      cte
        .updateTable('cart_items as i')
        .from('had')
        .set({ quantity: sql`had.rest` })
        .whereRef('i.id', '=', 'had.id')
        .where('had.rest', '>', 0),
    )
    .updateTable('carts as c')
    .set({
      version: sql`version + 1`,
      updated_at: now,
      // A cart that is empty has no discount.
      discount_id: sql`case when (select count(*) from had) > (select count(*) from gone) then discount_id end`,
    })
    .where('c.member_id', '=', v.member)
    .where(sql<boolean>`exists (select from had where rest is not null)`),
)

export const putDiscount = defineQuery('set_cart_discount', (v: { cart: string; discount: string | null }) =>
  query.updateTable('carts').set({ discount_id: v.discount }).where('id', '=', v.cart),
)

/** Takes a discount out of a member's cart, if it is still that one. */
export const dropDiscount = defineQuery('drop_cart_discount', (v: { member: string; discount: string }) =>
  query
    .updateTable('carts')
    .set({ discount_id: null, version: sql`version + 1`, updated_at: now })
    .where('member_id', '=', v.member)
    .where('discount_id', '=', v.discount),
)

/** Notes that a customer was shown what items cost now. @param prices of each, in the smallest unit */
export const notePricesSeen = defineQuery(
  'see_cart_prices',
  (v: { ids: readonly string[]; prices: readonly number[] }) =>
    query
      .updateTable('cart_items as i')
      .from(
        sql<{ id: string; price: number }>`unnest(${v.ids}::uuid[], ${v.prices}::int8[])`.as<'s'>(
          sql`s (id, price)`,
        ),
      )
      .set({ seen_price_minor: sql`s.price` })
      .whereRef('i.id', '=', 's.id'),
)

interface GivenBack {
  readonly order: string
  readonly member: string
  /** Ids of the items, by which a cart is in order: one for each line of the order, or more. */
  readonly ids: readonly string[]
}

/** Puts what an order had back into the cart that it came from, in its order, behind what is there by now. */
export const giveCartBack = defineQuery('give_cart_back', (v: GivenBack) =>
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
      sql`select (${v.ids}::uuid[])[l.place + 1], cart.id, l.product_id, l.variant_id, l.quantity, l.unit_minor, o.currency, ${now}
        from cart, order_lines l join orders o on o.id = l.order_id
        where l.order_id = ${v.order} order by l.place`,
    )
    .onConflict((conflict) =>
      conflict.constraint('cart_items_once').doUpdateSet((old) => ({
        quantity: sql`least(10000, cart_items.quantity + ${old.ref('excluded.quantity')})`,
      })),
    ),
)
