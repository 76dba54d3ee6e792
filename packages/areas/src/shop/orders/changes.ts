import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { ApiError } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { invalidTransition, refundExceedsPaid } from '../errors.ts'
import { next, type OrderEvent, type OrderState, type OrderStatus, transitionsOf } from './machine.ts'
import type { OrderParts } from './queries.ts'

type OrderRow = OrderParts['order']

/** What changes of an order that was made. */
export type OrderChange = Partial<
  Pick<
    OrderRow,
    | 'status'
    | 'cancel_reason'
    | 'paid_minor'
    | 'refunded_minor'
    | 'tracking_number'
    | 'tracking_url'
    | 'payment_id'
  >
>

const update = statement(
  'update_order',
  (v: Required<OrderChange> & { id: string }) =>
    query
      .updateTable('orders')
      .set({
        status: v.status,
        cancel_reason: v.cancel_reason,
        paid_minor: v.paid_minor,
        refunded_minor: v.refunded_minor,
        tracking_number: v.tracking_number,
        tracking_url: v.tracking_url,
        payment_id: v.payment_id,
        updated_at: now,
      })
      .where('id', '=', v.id),
  { orders_refunds_within_paid: refundExceedsPaid },
)

/** Changes an order, which is locked. */
export function updateOrder(ctx: Context, order: OrderRow, change: OrderChange) {
  const { id, status, cancel_reason, paid_minor, refunded_minor, tracking_number, tracking_url, payment_id } =
    {
      ...order,
      ...change,
    }
  const values = {
    id,
    status,
    cancel_reason,
    paid_minor,
    refunded_minor,
    tracking_number,
    tracking_url,
    payment_id,
  }
  return ctx.tx.run(update, values)
}

interface HistoryValues {
  id: string
  order: string
  from: string | null
  to: string
  reason: string | null
  kind: string
  actor: string | null
}

const insertHistory = statement('insert_order_history', (v: HistoryValues) =>
  query.insertInto('order_history').values({
    id: v.id,
    order_id: v.order,
    from_status: v.from,
    to_status: v.to,
    reason: v.reason,
    actor_kind: v.kind,
    actor_id: v.actor,
    created_at: now,
  }),
)

/** Who acts, as history shows it. */
export function actorOf({ actor }: Context): { kind: string; actor: string | null } {
  if (actor.kind === 'member') return { kind: actor.kind, actor: toId('member', actor.id) }
  if (actor.kind === 'secret_key' || actor.kind === 'public_key')
    return { kind: actor.kind, actor: toId('API key', actor.id) }
  return { kind: actor.kind, actor: null }
}

/** Writes down a move of an order, with who made it and why. */
export const writeHistory = (
  ctx: Context,
  order: string,
  { from, to, reason = null }: { from: string | null; to: string; reason?: string | null },
) => ctx.tx.run(insertHistory, { id: newUuid(), order, from, to, reason, ...actorOf(ctx) })

/** The state after an event. @throws ApiError 422 INVALID_TRANSITION where it cannot happen */
export function afterEvent(order: OrderState, event: OrderEvent): OrderStatus {
  const after = next(order, event)
  if (after === undefined) throw cannotBecome(order)
  return after
}

/** Says what the order can become. */
export function cannotBecome(order: OrderState): ApiError {
  const possible = transitionsOf(order)
  const rest = possible.length === 0 ? 'this cannot change' : `it can become ${possible.join(' or ')}`
  return invalidTransition(undefined, { message: `The order is ${order.status}: ${rest}` })
}

const markLine = statement(
  'mark_order_line',
  (v: { id: string; granted: boolean; takenBack: boolean; refunded: number; restocked: number }) =>
    query
      .updateTable('order_lines')
      .set({
        granted_at: sql`case when ${v.granted} then coalesce(granted_at, ${now}) else granted_at end`,
        taken_back_at: sql`case when ${v.takenBack} then coalesce(taken_back_at, ${now}) else taken_back_at end`,
        refunded_quantity: sql`refunded_quantity + ${v.refunded}::int`,
        restocked_quantity: sql`restocked_quantity + ${v.restocked}::int`,
      })
      .where('id', '=', v.id),
  { order_lines_refunded: refundExceedsPaid, order_lines_restocked: refundExceedsPaid },
)

/** Notes what happened to a line. */
export const noteLine = (
  ctx: Context,
  id: string,
  { granted = false, takenBack = false, refunded = 0, restocked = 0 },
) => ctx.tx.run(markLine, { id, granted, takenBack, refunded, restocked })

interface RefundValues {
  id: string
  order: string
  amount: number
  status: string
  lines: string
  restock: boolean
  reason: string | null
  /** The stored id of billing's refund, once there is one. */
  payment_refund: string | null
}

const insert = statement('insert_order_refund', (v: RefundValues) =>
  query.insertInto('order_refunds').values({
    id: v.id,
    order_id: v.order,
    amount_minor: v.amount,
    status: v.status,
    lines: sql`${v.lines}::jsonb`,
    restock: v.restock,
    reason: v.reason,
    payment_refund_id: v.payment_refund,
    created_at: now,
  }),
)

export const insertRefund = (ctx: Context, refund: RefundValues) => ctx.tx.run(insert, refund)
