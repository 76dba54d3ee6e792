import { listPayments, toPayment } from '#areas/billing/service.ts'
import type { AnswerOf } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { OrderParts } from './queries.ts'
import { toOrder } from './rows.ts'
import type { Order } from './schema.ts'

/** An order with its payment, as whoever may see it does. */
export const showOrder = (ctx: Context, parts: OrderParts) =>
  listPayments(ctx, { purpose: 'order', ids: [parts.order.id] }).map((payments) =>
    withPayment(parts, payments),
  )

/** The same, for whoever has read the payments. */
export function withPayment(parts: OrderParts, payments: AnswerOf<typeof listPayments>): Order {
  // The one that paid, else the last one.
  const payment = payments.find(({ id }) => id === parts.order.payment_id) ?? payments.at(-1)
  return { ...toOrder(parts), payment: payment ? toPayment(payment) : null }
}
