import { refundId } from '#areas/billing/ids.ts'
import { orderLineId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { orderId, productId, variantId } from '../ids.ts'
import { fromMilli } from '../money/percent.ts'
import { toGrants } from '../products/rows.ts'
import type { ListedItem } from './columns.ts'
import { type OrderStatus, transitionsOf } from './machine.ts'
import type { OrderParts } from './queries.ts'
import type { ListedOrder, Order, OrderLine, OrderSummary } from './schema.ts'

type OrderRow = OrderParts['order']
export type LineRow = OrderParts['lines'][number]

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

type ListedRow = Pick<
  OrderRow,
  'id' | 'number' | 'member_id' | 'status' | 'total_minor' | 'refunded_minor' | 'currency' | 'created_at'
> & { items: ListedItem[] | null }

export const toListed = (row: ListedRow): ListedOrder => ({
  id: toId(orderId, row.id),
  status: row.status as OrderStatus,
  total: fromMinor(row.total_minor, row.currency),
  currency: row.currency,
  items: (row.items ?? []).map((item) => toItem(item, row.currency)),
  created_at: row.created_at,
})

export const toSummary = (row: ListedRow): OrderSummary => ({
  ...toListed(row),
  number: row.number,
  member_id: toId('member', row.member_id),
  refunded_amount: fromMinor(row.refunded_minor, row.currency),
})
