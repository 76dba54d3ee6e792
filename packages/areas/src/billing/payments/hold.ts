import type { Context } from '#platform/db/tenant.ts'
import type { PaymentHandlers } from './handlers.ts'
import { getPayment, lockPayment, type PaymentRow } from './queries.ts'

/** Holds what a payment is for, and then the payment, as everybody does who holds both. */
export async function holdPayment(ctx: Context, handlers: PaymentHandlers, id: string): Promise<PaymentRow> {
  const payment = await getPayment(ctx, id)
  await handlers[payment.purpose]?.hold(ctx, payment)
  return lockPayment(ctx, id)
}

/** Seconds until the next question: a minute, two, four … a day. */
export const pauseAfter = (asked: number) => Math.min(60 * 2 ** asked, 86_400)
