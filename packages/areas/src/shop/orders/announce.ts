import type { Context } from '#platform/db/tenant.ts'
import { type EventType, emit } from '#platform/events/emit.ts'
import { getOrder, type OrderParts } from './queries.ts'
import { toOrder } from './rows.ts'
import type { Order } from './schema.ts'

/** Reads an order after a change and announces it. */
export async function announce(ctx: Context, id: string, type: EventType<typeof Order>): Promise<OrderParts> {
  const after = await getOrder(ctx, id)
  emit(ctx, type, toOrder(after))
  return after
}
