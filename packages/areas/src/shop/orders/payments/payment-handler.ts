import type { PaymentHandler } from '#platform/catalogue/payment-handler.ts'
import { settleRefund } from '../../refunds/settle.ts'
import { lockOrder } from '../queries.ts'
import { payOrder } from '../service.ts'

interface OrderPayment {
  readonly id: string
  readonly purpose_id: string
}
interface OrderRefund {
  readonly id: string
}

/** What the shop does when money for an order moves. Each is called once for each move, in the transaction that records it. */
export const orderPayments: PaymentHandler<OrderPayment, OrderRefund> = {
  hold: (ctx, payment) => lockOrder(ctx, payment.purpose_id),
  paid: (ctx, payment) => payOrder(ctx, payment.purpose_id, payment.id),
  // The reservation runs out by itself; until then another try can pay.
  failed: async () => undefined,
  refunded: async (ctx, refund, payment) => {
    const { order } = await lockOrder(ctx, payment.purpose_id)
    await settleRefund(ctx, order, refund.id, payment.id, 'succeeded')
  },
  refundFailed: async (ctx, refund, payment) => {
    const { order } = await lockOrder(ctx, payment.purpose_id)
    await settleRefund(ctx, order, refund.id, payment.id, 'failed')
  },
}
