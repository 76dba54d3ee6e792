import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { giveCartBack } from '../cart/queries.ts'
import { listDue, lockOrder, nextReservation } from '../orders/queries.ts'
import { cancelOrder } from '../orders/service.ts'

const ORDERS_AT_ONCE = 50

/** Cancels orders whose reservation has run out: their stock is free again, and their buyers have their carts back. */
export const expireReservations = defineDueWork({
  name: 'shop.expire-reservations',
  next: nextReservation,
  workOff: async (run) => {
    const { due } = await run.read({ due: listDue({ limit: ORDERS_AT_ONCE }) })
    for (const { id } of due) await run.write((ctx) => endReservation(ctx, id))
  },
})

/** Cancels an order that still waits for payment: its stock is free again, and its buyer has the cart back. */
export async function endReservation(ctx: Context, id: string, reason?: string): Promise<void> {
  const parts = await lockOrder(ctx, { id })
  // It was paid or canceled a moment ago.
  if (parts.order.status !== 'pending_payment') return
  const ids = parts.lines.map(() => newUuid())
  giveCartBack(ctx, { order: id, member: parts.order.member_id, ids })
  await cancelOrder(ctx, parts, 'expired', reason)
}
