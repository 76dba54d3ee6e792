import { sql } from 'kysely'
import type { FindPage } from '#platform/db/lists/find-page.ts'
import { defineList } from '#platform/db/lists/list.ts'
import { between, equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type ListedItem, lineColumns, orderColumns } from './columns.ts'

const order = lookup('order_by_id', (v: { id: string }) =>
  query.selectFrom('orders').select(orderColumns).where('id', '=', v.id),
)
const locked = statement('lock_order', (v: { id: string }) =>
  query.selectFrom('orders').select(orderColumns).where('id', '=', v.id).forUpdate(),
)
const lines = lookup('order_lines_of', (v: { id: string }) =>
  query.selectFrom('order_lines').select(lineColumns).where('order_id', '=', v.id).orderBy('place'),
)
const history = lookup('order_history_of', (v: { id: string }) =>
  query
    .selectFrom('order_history')
    .select(['id', 'from_status', 'to_status', 'reason', 'actor_kind', 'actor_id', 'created_at'])
    .where('order_id', '=', v.id)
    .orderBy('id'),
)
const refunds = lookup('refunds_of_order', (v: { id: string }) =>
  query
    .selectFrom('order_refunds')
    .select(['id', 'amount_minor', 'status', 'lines', 'restock', 'reason', 'created_at'])
    .where('order_id', '=', v.id)
    .orderBy('id'),
)

const partsOf = (ctx: Context, id: string) =>
  ctx.tx.all(lines, { id }).and(ctx.tx.all(history, { id })).and(ctx.tx.all(refunds, { id }))

/** An order with everything that belongs to it. @throws ApiError 404 */
export const getOrder = (ctx: Context, id: string) =>
  ctx.tx
    .one(order, { id }, 'Order')
    .and(partsOf(ctx, id))
    .map(([row, [[itsLines, itsHistory], itsRefunds]]) => ({
      order: row,
      lines: itsLines,
      history: itsHistory,
      refunds: itsRefunds,
    }))

export type OrderParts = Awaited<ReturnType<typeof getOrder>>

/** The same, held still: whatever happens to one order happens one after the other. @throws ApiError 404 */
export async function lockOrder(ctx: Context, id: string): Promise<OrderParts> {
  const row = await ctx.tx.one(locked, { id }, 'Order')
  const [[itsLines, itsHistory], itsRefunds] = await partsOf(ctx, id)
  return { order: row, lines: itsLines, history: itsHistory, refunds: itsRefunds }
}

const items = sql<ListedItem[] | null>`(select json_agg(json_build_object('product_id', l.product_id,
  'quantity', l.quantity, 'unit_minor', l.unit_minor) order by l.place) from order_lines as l where l.order_id = o.id)`

const listed = () =>
  query
    .selectFrom('orders as o')
    .select([
      'o.id',
      'o.number',
      'o.member_id',
      'o.status',
      'o.total_minor',
      'o.refunded_minor',
      'o.currency',
    ])
    .select(['o.created_at', items.as('items')])

/** A member's orders, the newest first. */
export const listOwn = defineList({
  label: 'orders_of_member',
  rows: listed,
  key: 'o.id',
  scope: { member: equals<string>('o.member_id') },
  filters: { status: equals<string>('o.status') },
  indexed: ['status'],
  counts: false,
})

/** Asks the indexes of orders' and buyers' words, which only a function reaches (decision 0120). */
const searchOrders: FindPage = (sought) => sql`app.search_orders(
  lower(${sought.search}::text), lower(${sought.pattern}::text), ${sought.filter('status')}::text,
  ${sought.filter('start_date')}::timestamptz, ${sought.filter('end_date')}::timestamptz,
  ${sql.lit(sought.order === 'desc')}, ${sought.afterKey}::uuid, ${sought.limit}::int, ${sought.offset}::int8,
  ${sql.lit(sought.counts)})`

/** Everyone's orders, the newest first. */
export const listAll = defineList({
  label: 'orders',
  rows: listed,
  key: 'o.id',
  filters: { status: equals<string>('o.status'), ...between('o.created_at') },
  indexed: ['status'],
  search: { page: searchOrders },
})

const open = lookup('open_order_of_cart', (v: { member: string }) =>
  query
    .selectFrom('orders as o')
    .select('o.id')
    // Each looked up once, whatever PostgreSQL thinks how many carts there are.
    .where('o.cart_id', '=', sql<string>`(select id from carts where member_id = ${v.member})`)
    .where('o.cart_version', '=', sql<number>`(select version from carts where member_id = ${v.member})`)
    .where('o.status', '=', 'pending_payment'),
)

/** The order that a member's cart became, where it waits for payment and the cart is what it was then. */
export const findOpenOrder = (ctx: Context, member: string) => ctx.tx.first(open, { member })

const unpaid = statement('unpaid_orders_by_hand', (v: { member: string }) =>
  query
    .selectFrom('orders')
    .select(sql<number>`count(*)`.as('orders'))
    .where('member_id', '=', v.member)
    // Words of the index, not values: PostgreSQL has to see that they are the same.
    .where(sql<boolean>`status = 'pending_payment' and by_hand`),
)

/** How many orders of a member wait for money by hand. */
export const countUnpaidByHand = (ctx: Context, member: string) =>
  ctx.tx.single(unpaid, { member }).map(({ orders }) => orders)

const reserved = statement('next_reservation', () =>
  query
    .selectFrom('orders')
    .select(sql<string>`min(reserved_until)`.as('next'))
    .where('status', '=', 'pending_payment'),
)

/** When the next reservation runs out; null where nothing is reserved. */
export const nextReservation = (ctx: Context) => ctx.tx.first(reserved, {}).map((row) => row?.next ?? null)

const due = statement('due_reservations', (v: { limit: number }) =>
  query
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending_payment')
    .where('reserved_until', '<=', now)
    .orderBy('reserved_until')
    .limit(v.limit),
)

/** Orders whose reservation has run out. */
export const listDue = (ctx: Context, limit: number) => ctx.tx.all(due, { limit })
