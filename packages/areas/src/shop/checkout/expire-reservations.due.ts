import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { listDue, nextReservation } from '../orders/queries.ts'
import { endReservation } from './end-reservation.ts'

const ORDERS_AT_ONCE = 50

/** Cancels orders whose reservation has run out: their stock is free again, and their buyers have their carts back. */
export const expireReservations = defineDueWork({
  name: 'shop.expire-reservations',
  next: nextReservation,
  workOff: async (run) => {
    const due = await run.inProject((ctx) => listDue(ctx, ORDERS_AT_ONCE))
    for (const { id } of due) await run.inProject((ctx) => endReservation(ctx, id))
  },
})
