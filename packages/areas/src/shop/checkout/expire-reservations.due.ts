import type { Context } from '#platform/db/tenant.ts'
import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { listDue, lockOrder, nextReservation } from '../orders/queries.ts'
import { cancelOrder } from '../orders/service.ts'
import { giveCartBack } from './queries.ts'

const ORDERS_AT_ONCE = 50

/** Cancels orders whose reservation has run out: their stock is free again, and their buyers have their carts back. */
export const expireReservations = defineDueWork({
  name: 'shop.expire-reservations',
  next: nextReservation,
  workOff: async (run) => {
    const due = await run.inProject((ctx) => listDue(ctx, ORDERS_AT_ONCE))
    for (const { id } of due) await run.inProject((ctx) => expire(ctx, id))
  },
})

async function expire(ctx: Context, id: string): Promise<void> {
  const parts = await lockOrder(ctx, id)
  // It was paid or canceled a moment ago.
  if (parts.order.status !== 'pending_payment') return
  await giveCartBack(ctx, id, parts.order.member_id)
  await cancelOrder(ctx, parts, 'expired')
}
