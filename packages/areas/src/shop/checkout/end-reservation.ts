import type { Context } from '#platform/db/tenant.ts'
import { lockOrder } from '../orders/queries.ts'
import { cancelOrder } from '../orders/service.ts'
import { giveCartBack } from './queries.ts'

/** Cancels an order that still waits for payment: its stock is free again, and its buyer has the cart back. */
export async function endReservation(ctx: Context, id: string, reason?: string): Promise<void> {
  const parts = await lockOrder(ctx, id)
  // It was paid or canceled a moment ago.
  if (parts.order.status !== 'pending_payment') return
  await giveCartBack(ctx, id, parts.order.member_id)
  await cancelOrder(ctx, parts, 'expired', reason)
}
