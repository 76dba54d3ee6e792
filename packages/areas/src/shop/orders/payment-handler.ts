import type { PaymentHandler } from '#platform/catalogue/payment-handler.ts'
import { emit } from '#platform/events/emit.ts'
import { orderDisputed } from '../events.ts'
import { orderId } from '../ids.ts'
import { finishRefund, noteRefundElsewhere } from '../refunds/refund.ts'
import { takeBack } from './grants.ts'
import { notifyBuyer } from './mail-buyer.job.ts'
import { showOrder } from './payments.ts'
import { getOrder, lockOrder } from './queries.ts'
import { payOrder } from './service.ts'

interface OrderPayment {
  readonly id: string
  readonly purpose_id: string
}
interface OrderRefund {
  readonly id: string
  readonly amount_minor: number
  readonly status: string
  readonly reason: string | null
}

/** What the shop does when money for an order moves. Each is called once for each move, in the transaction that records it. */
export const orderPayments: PaymentHandler<OrderPayment, OrderRefund> = {
  idType: orderId,
  lock: (ctx, payment) => lockOrder(ctx, { id: payment.purpose_id }),
  paid: (ctx, payment) => payOrder(ctx, payment.purpose_id, payment.id),
  // An order is only ever paid by a buyer who is there, and changes nothing that subscriptions are charged with.
  savedMethod: async () => undefined,
  methodSaved: async () => undefined,
  // The reservation runs out by itself; until then another try can pay.
  failed: async () => undefined,
  refunded: async (ctx, refund, payment) => {
    const { order } = await lockOrder(ctx, { id: payment.purpose_id })
    await finishRefund(ctx, order, refund.id, payment.id, 'succeeded')
  },
  refundedElsewhere: async (ctx, refund, payment, kind) => {
    const parts = await lockOrder(ctx, { id: payment.purpose_id })
    // Money that nobody waited for is no part of the order.
    if (parts.order.payment_id !== payment.id) return
    await noteRefundElsewhere(ctx, parts, refund, kind)
    if (kind === 'refund') notifyBuyer(ctx, 'refund', parts.order.id, refund.amount_minor)
  },
  disputed: async (ctx, payment) => {
    emit(ctx, orderDisputed, await showOrder(ctx, await getOrder(ctx, { id: payment.purpose_id })))
  },
  disputeLost: async (ctx, payment) => {
    const { order, lines } = await lockOrder(ctx, { id: payment.purpose_id })
    if (order.payment_id === payment.id) await takeBack(ctx, order.member_id, lines)
  },
  refundFailed: async (ctx, refund, payment) => {
    const { order } = await lockOrder(ctx, { id: payment.purpose_id })
    await finishRefund(ctx, order, refund.id, payment.id, 'failed')
  },
}
