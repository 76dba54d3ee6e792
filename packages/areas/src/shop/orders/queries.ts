import { type InferResult, sql } from 'kysely'
import { refundId } from '#areas/billing/ids.ts'
import { type listPayments, toPayment } from '#areas/billing/service.ts'
import { orderLineId } from '#areas/entitlements/ids.ts'
import { now } from '#platform/db/project-clock.ts'
import {
  type AnswerOf,
  askAll,
  defineLookup,
  defineQuery,
  deriveQuery,
  mapAnswer,
  type Query,
} from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, equals, hasId, word } from '#platform/lists/list-filters.ts'
import type { FindPage } from '#platform/lists/list-parts.ts'
import { fromMinor } from '#platform/values/money.ts'
import { orderId, productId, variantId } from '../ids.ts'
import { fromMilli } from '../money/order-amounts.ts'
import { toGrants } from '../products/queries.ts'
import { type OrderStatus, transitionsOf } from './machine.ts'
import type { ListedOrder, Order, OrderLine, OrderSummary } from './schema.ts'

const orders = () =>
  query
    .selectFrom('orders')
    .select(['id', 'number', 'member_id', 'cart_id', 'cart_version', 'status', 'cancel_reason', 'currency'])
    .select(['subtotal_minor', 'discount_minor', 'tax_minor', 'total_minor', 'paid_minor', 'refunded_minor'])
    .select(['discount_id', 'discount_code', 'addresses', 'note', 'tracking_number', 'tracking_url'])
    .select(['payment_id', 'payment_account_id', 'by_hand', 'reserved_until', 'created_at', 'updated_at'])
export type OrderRow = InferResult<ReturnType<typeof orders>>[number]

const orderById = defineLookup('order_by_id', (v: { id: string }) => orders().where('id', '=', v.id)).one(
  'Order',
)
const lockById = defineQuery('lock_order', (v: { id: string }) =>
  orders().where('id', '=', v.id).forUpdate(),
).one('Order')
const linesOf = defineLookup('order_lines_of', (v: { id: string }) =>
  query
    .selectFrom('order_lines')
    .select(['id', 'product_id', 'variant_id', 'name', 'variant_name', 'sku', 'quantity', 'unit_minor'])
    .select(['discount_minor', 'tax_milli', 'tax_minor', 'total_minor', 'is_tracked', 'grant_plan_id'])
    .select(['grant_features', 'grant_course_id', 'grant_days', 'granted_at', 'taken_back_at'])
    .select(['refunded_quantity', 'restocked_quantity'])
    .where('order_id', '=', v.id)
    .orderBy('place'),
)
const historyOf = defineLookup('order_history_of', (v: { id: string }) =>
  query
    .selectFrom('order_history')
    .select(['id', 'from_status', 'to_status', 'reason', 'actor_kind', 'actor_id', 'created_at'])
    .where('order_id', '=', v.id)
    .orderBy('id'),
)
const refundsOf = defineLookup('refunds_of_order', (v: { id: string }) =>
  query
    .selectFrom('order_refunds')
    .select(['id', 'amount_minor', 'status', 'lines', 'restock', 'reason', 'created_at'])
    .where('order_id', '=', v.id)
    .orderBy('id'),
)

const withParts = (order: Query<{ id: string }, OrderRow>) =>
  deriveQuery((v: { id: string }) =>
    askAll({ order: order(v), lines: linesOf(v), history: historyOf(v), refunds: refundsOf(v) }),
  )

/** An order with everything that belongs to it. @throws ApiError 404 */
export const getOrder = withParts(orderById)
export type OrderParts = AnswerOf<typeof getOrder>
export type LineRow = OrderParts['lines'][number]

/** The same, locked: whatever happens to one order happens one after the other. @throws ApiError 404 */
export const lockOrder = withParts(lockById)

const ofOwner = (order: Query<{ id: string }, OrderParts>) =>
  deriveQuery(({ id, who }: { id: string; who: WhoActs | undefined }) =>
    mapAnswer(askAll({ parts: order({ id }), member: actingMember(who) }), ({ parts, member }) => {
      if (member !== undefined && parts.order.member_id !== member.id) throw notFound('Order')
      return parts
    }),
  )
/**
 * An order, for whoever may see it: its buyer, or a key that names nobody.
 * @throws ApiError 404 for another member's order, after whatever is wrong with who acts
 */
export const getOwnOrder = ofOwner(getOrder)
/** The same, locked. */
export const lockOwnOrder = ofOwner(lockOrder)

/** An order as clients see it, without its payment. */
export function toOrder({ order, lines, history, refunds }: OrderParts): Order {
  const money = (minor: number) => fromMinor(minor, order.currency)
  return {
    id: toId(orderId, order.id),
    number: order.number,
    member_id: toId('member', order.member_id),
    status: order.status as OrderStatus,
    cancel_reason: order.cancel_reason as Order['cancel_reason'],
    currency: order.currency,
    items: lines.map((line) => toItem(line, order.currency)),
    lines: lines.map((line) => toLine(line, order.currency)),
    subtotal: money(order.subtotal_minor),
    discount: money(order.discount_minor),
    discount_code: order.discount_code,
    tax: money(order.tax_minor),
    total: money(order.total_minor),
    paid_amount: money(order.paid_minor),
    refunded_amount: money(order.refunded_minor),
    addresses: order.addresses as Order['addresses'],
    note: order.note,
    tracking_number: order.tracking_number,
    tracking_url: order.tracking_url,
    reserved_until: order.reserved_until,
    payment: null,
    refunds: refunds.map((refund) => ({
      id: toId(refundId, refund.id),
      amount: money(refund.amount_minor),
      status: refund.status as Order['refunds'][number]['status'],
      lines: (refund.lines as { line_id: string; quantity: number }[]).map((line) => ({
        id: toId(orderLineId, line.line_id),
        quantity: line.quantity,
      })),
      restocked: refund.restock,
      reason: refund.reason,
      created_at: refund.created_at,
    })),
    history: history.map((entry) => ({
      from: entry.from_status as OrderStatus | null,
      to: entry.to_status as OrderStatus,
      reason: entry.reason,
      by: entry.actor_id ?? entry.actor_kind,
      created_at: entry.created_at,
    })),
    allowed_transitions: transitionsOf(order),
    created_at: order.created_at,
    updated_at: order.updated_at,
  }
}

const toItem = (line: Pick<LineRow, 'product_id' | 'quantity' | 'unit_minor'>, currency: string) => ({
  product_id: toId(productId, line.product_id),
  quantity: line.quantity,
  price: fromMinor(line.unit_minor, currency),
})

const toLine = (line: LineRow, currency: string): OrderLine => ({
  id: toId(orderLineId, line.id),
  ...toItem(line, currency),
  variant_id: line.variant_id === null ? null : toId(variantId, line.variant_id),
  name: line.name,
  variant_name: line.variant_name,
  sku: line.sku,
  discount: fromMinor(line.discount_minor, currency),
  tax_percent: line.tax_milli === null ? null : fromMilli(line.tax_milli),
  tax: fromMinor(line.tax_minor, currency),
  total: fromMinor(line.total_minor, currency),
  grants: toGrants(line),
  refunded_quantity: line.refunded_quantity,
})

/** An order with its payment, as whoever may see it does. */
export function withPayment(parts: OrderParts, payments: AnswerOf<typeof listPayments>): Order {
  // The one that paid, else the last one.
  const payment = payments.find(({ id }) => id === parts.order.payment_id) ?? payments.at(-1)
  return { ...toOrder(parts), payment: payment ? toPayment(payment) : null }
}

/** What was bought, as lists read it. */
interface ListedItem {
  product_id: string
  quantity: number
  unit_minor: number
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
type ListedRow = InferResult<ReturnType<typeof listed>>[number]

const toListed = (row: ListedRow): ListedOrder => ({
  id: toId(orderId, row.id),
  status: row.status as OrderStatus,
  total: fromMinor(row.total_minor, row.currency),
  currency: row.currency,
  items: (row.items ?? []).map((item) => toItem(item, row.currency)),
  created_at: row.created_at,
})

const toSummary = (row: ListedRow): OrderSummary => ({
  ...toListed(row),
  number: row.number,
  member_id: toId('member', row.member_id),
  refunded_amount: fromMinor(row.refunded_minor, row.currency),
})

/** A member's orders, the newest first. */
export const listOwn = defineList({
  label: 'orders_of_member',
  rows: listed,
  key: 'o.id',
  scope: { member: equals<string>('o.member_id') },
  filters: { status: equals<string>('o.status') },
  indexed: ['status'],
  counts: false,
  map: toListed,
})

/** Asks the indexes of orders' and buyers' words, which only a function reaches (decision 0018). */
const searchOrders: FindPage = (sought) => sql`app.search_orders(
  lower(${sought.search}::text), lower(${sought.pattern}::text), ${sought.filter('status')}::text,
  ${sought.filter('member_id')}::uuid, ${sought.filter('start_date')}::timestamptz,
  ${sought.filter('end_date')}::timestamptz, ${sql.lit(sought.sort)}, ${sql.lit(sought.order === 'desc')},
  ${sought.afterValue}::text, ${sought.afterKey}::uuid, ${sought.limit}::int, ${sought.offset}::int8,
  ${sql.lit(sought.counts)})`

/** Everyone's orders. */
export const listAll = defineList({
  label: 'orders',
  rows: listed,
  key: 'o.id',
  filters: {
    status: word<OrderStatus>('o.status'),
    member_id: hasId('o.member_id', (id) => parseId('member', id)),
    ...between('o.created_at'),
  },
  sorts: { created_at: ['o.created_at', 'timestamptz'], total: ['o.total_minor', 'int8'] },
  search: { page: searchOrders },
  map: toSummary,
})

/** The order that a member's cart became, where it waits for payment and the cart is what it was then. */
export const findOpenOrder = defineLookup('open_order_of_cart', (v: { member: string }) =>
  query
    .selectFrom('orders as o')
    .select('o.id')
    // Each looked up once, whatever PostgreSQL thinks how many carts there are.
    .where('o.cart_id', '=', sql<string>`(select id from carts where member_id = ${v.member})`)
    .where('o.cart_version', '=', sql<number>`(select version from carts where member_id = ${v.member})`)
    .where('o.status', '=', 'pending_payment'),
).first()

/** How many orders of a member wait for money by hand. */
export const countUnpaidByHand = defineQuery('unpaid_orders_by_hand', (v: { member: string }) =>
  query
    .selectFrom('orders')
    .select(sql<number>`count(*)`.as('orders'))
    .where('member_id', '=', v.member)
    // Words of the index, not values: PostgreSQL has to see that they are the same.
    .where(sql<boolean>`status = 'pending_payment' and by_hand`),
)
  .map((row) => row.orders)
  .single()

/** When the next reservation runs out; null where nothing is reserved. */
export const nextReservation = defineQuery('next_reservation', () =>
  query
    .selectFrom('orders')
    .select(sql<string | null>`min(reserved_until)`.as('next'))
    .where('status', '=', 'pending_payment'),
)
  .map(({ next }) => next)
  .single()

/** Orders whose reservation has run out. */
export const listDue = defineQuery('due_reservations', (v: { limit: number }) =>
  query
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending_payment')
    .where('reserved_until', '<=', now)
    .orderBy('reserved_until')
    .limit(v.limit),
)
