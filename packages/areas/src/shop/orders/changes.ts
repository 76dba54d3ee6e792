import { sql } from 'kysely'
import { publicIdOf } from '#platform/actor.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { ApiError } from '#platform/errors.ts'
import { type EventType, emit } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { invalidTransition, refundExceedsPaid } from '../errors.ts'
import { next, type OrderEvent, type OrderState, type OrderStatus, transitionsOf } from './machine.ts'
import { getOrder, type OrderParts, type OrderRow, toOrder } from './queries.ts'
import type { Order } from './schema.ts'

const CHANGING = [
  ...([
    'status',
    'cancel_reason',
    'paid_minor',
    'refunded_minor',
    'tracking_number',
    'tracking_url',
  ] as const),
  'payment_id',
] as const

const setOrder = defineQuery(
  'update_order',
  (v: Pick<OrderRow, 'id' | (typeof CHANGING)[number]>) =>
    query
      .updateTable('orders')
      .set({ ...pick(v, ...CHANGING), updated_at: now })
      .where('id', '=', v.id),
  { orders_refunds_within_paid: refundExceedsPaid },
)

/** Changes an order, which is locked. */
export function updateOrder(
  ctx: Context,
  order: OrderRow,
  change: Partial<Pick<OrderRow, (typeof CHANGING)[number]>>,
): void {
  setOrder(ctx, { ...order, ...change })
}

/** Reads an order after a change and announces it. */
export async function announce(ctx: Context, id: string, type: EventType<typeof Order>): Promise<OrderParts> {
  const after = await getOrder(ctx, { id })
  emit(ctx, type, toOrder(after))
  return after
}

interface Move {
  id: string
  order_id: string
  from_status: string | null
  to_status: string
  reason: string | null
  actor_kind: string
  actor_id: string | null
}

const insertMove = defineQuery('insert_order_history', (v: Move) =>
  query.insertInto('order_history').values({
    ...pick(v, 'id', 'order_id', 'from_status', 'to_status', 'reason', 'actor_kind', 'actor_id'),
    created_at: now,
  }),
)

/** Who acts, as history shows it. */
export function actorOf({ actor }: Context): Pick<Move, 'actor_kind' | 'actor_id'> {
  return { actor_kind: actor.kind, actor_id: publicIdOf(actor) }
}

/** Writes down a move of an order, with who made it and why. */
export function writeHistory(
  ctx: Context,
  order: string,
  { from, to, reason = null }: { from: string | null; to: string; reason?: string | null },
): void {
  const move = { id: newUuid(), order_id: order, from_status: from, to_status: to, reason }
  insertMove(ctx, { ...move, ...actorOf(ctx) })
}

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

const markLine = defineQuery(
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
export function noteLine(
  ctx: Context,
  id: string,
  { granted = false, takenBack = false, refunded = 0, restocked = 0 },
): void {
  markLine(ctx, { id, granted, takenBack, refunded, restocked })
}

interface NewRefund {
  id: string
  order_id: string
  amount_minor: number
  status: string
  lines: string
  restock: boolean
  reason: string | null
  /** The stored id of billing's refund, once there is one. */
  payment_refund_id: string | null
}

export const insertRefund = defineQuery('insert_order_refund', (v: NewRefund) =>
  query.insertInto('order_refunds').values({
    ...pick(v, 'id', 'order_id', 'amount_minor', 'status', 'restock', 'reason', 'payment_refund_id'),
    lines: sql`${v.lines}::jsonb`,
    created_at: now,
  }),
)
