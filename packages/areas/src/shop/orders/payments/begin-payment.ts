import { accountKeyRefused, amountTooSmall } from '#areas/billing/errors.ts'
import { paymentId } from '#areas/billing/ids.ts'
import { isRefusedAsTooSmall, type makePaymentProviders } from '#areas/billing/service.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { parseId } from '#platform/ids.ts'
import { endReservation } from '../../checkout/end-reservation.ts'
import { orderId } from '../../ids.ts'
import type { Order } from '../schema.ts'

export type PaymentProviders = ReturnType<typeof makePaymentProviders>

/**
 * Begins the payment of an order that waits for one, outside of transactions. Money by hand needs no beginning.
 * @throws ApiError 503 where the provider cannot be reached, 422 where it refuses our key: the order stands, and its
 *   payment can be begun again; 422 AMOUNT_TOO_SMALL: the order is canceled, and its buyer has the cart back
 */
export async function beginPayment(
  providers: PaymentProviders,
  data: ProjectData,
  order: Order,
): Promise<Order> {
  const { payment } = order
  if (payment === null || order.status !== 'pending_payment') return order
  const begun = await providers.begin(data, parseId(paymentId, payment.id) ?? '')
  if (isRefusedAsTooSmall(begun)) {
    await data.write((ctx) => endReservation(ctx, parseId(orderId, order.id) ?? '', 'amount_too_small'))
    throw amountTooSmall()
  }
  return { ...order, payment: begun }
}

/**
 * The same for an order that was made a moment ago. Its buyer has to learn its id whatever the provider does: the order
 * comes back as it stands, and POST /shop/orders/{id}/pay begins its payment.
 */
export const tryToBeginPayment = (...args: Parameters<typeof beginPayment>): Promise<Order> =>
  beginPayment(...args).catch((error: unknown) => {
    if (error instanceof ApiError && AWAY.has(error.code)) return args[2]
    throw error
  })

const AWAY: ReadonlySet<string> = new Set(['UNAVAILABLE', accountKeyRefused.code])
