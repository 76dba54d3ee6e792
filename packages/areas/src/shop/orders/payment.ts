import { invalidTransition } from './changes.ts'
import type { OrderStatus } from './machine.ts'
import type { OrderParts } from './queries.ts'

/** An order whose payment can be gone on with. @throws ApiError 422 INVALID_TRANSITION for one that does not wait for it */
export async function resumePayment(order: PromiseLike<OrderParts>): Promise<OrderParts> {
  const parts = await order
  if (parts.order.status !== 'pending_payment') throw invalidTransition(parts.order.status as OrderStatus)
  return parts
}
