import type { DeferredResult } from '#platform/db/deferred-result.ts'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import type { OrderParts } from './queries.ts'

/**
 * An order, for whoever may see it: its buyer, or a key that names nobody.
 * @throws ApiError 404 for another member's order, after whatever is wrong with who acts
 */
export async function asOwner(
  ctx: Context,
  who: WhoActs | undefined,
  order: DeferredResult<OrderParts> | Promise<OrderParts>,
): Promise<OrderParts> {
  const parts = await order
  const member = await actingMember(ctx, who)
  if (member !== undefined && parts.order.member_id !== member.id) throw notFound('Order')
  return parts
}
