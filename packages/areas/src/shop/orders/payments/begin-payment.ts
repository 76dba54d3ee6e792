import { paymentId } from '#areas/billing/ids.ts'
import type { makePaymentProviders } from '#areas/billing/service.ts'
import type { RunInProject } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import type { Order } from '../schema.ts'

export type PaymentProviders = ReturnType<typeof makePaymentProviders>

/**
 * Begins the payment of an order that waits for one, outside of transactions. Money by hand needs no beginning. Where the
 * provider is away the order stands all the same, and POST /shop/orders/{id}/pay begins it again.
 */
export async function beginPayment(
  providers: PaymentProviders,
  inProject: RunInProject,
  order: Order,
): Promise<Order> {
  const { payment } = order
  if (payment === null || order.status !== 'pending_payment') return order
  const id = parseId(paymentId, payment.id) ?? ''
  return { ...order, payment: await providers.begin(inProject, id) }
}
