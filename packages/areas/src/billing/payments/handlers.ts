import type { PaymentHandler as Handler } from '#platform/catalogue/payment-handler.ts'
import type { Context } from '#platform/db/tenant.ts'
import { getPayment, lockPayment, type PaymentRow } from './queries.ts'
import type { RefundRow } from './refunds/queries.ts'

/** What the area behind a purpose does when money moves; areas hand theirs in with their manifest. */
export type PaymentHandler = Handler<PaymentRow, RefundRow>

/** By purpose. */
export type PaymentHandlers = Readonly<Record<string, PaymentHandler>>

/** Locks what a payment is for, and then the payment, as everybody does who locks both. @throws ApiError 404 */
export async function lockWithPurpose(
  ctx: Context,
  handlers: PaymentHandlers,
  id: string,
): Promise<PaymentRow> {
  const payment = await getPayment(ctx, { id })
  await handlers[payment.purpose]?.lock(ctx, payment)
  return lockPayment(ctx, { id })
}
