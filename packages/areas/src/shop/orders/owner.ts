import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import { type ActingMember, actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { getOrder, lockOrder, type OrderParts } from './queries.ts'

/** Whose orders there are where who acts was named by no id: nobody's. `actingMember` says what was wrong. */
export const NO_MEMBER = '00000000-0000-0000-0000-000000000000'

/**
 * An order, for whoever may see it: its buyer, or a key that names nobody.
 * @throws ApiError 404 for another member's order, after whatever is wrong with who acts
 */
export const getOwnOrder = (ctx: Context, who: WhoActs | undefined, id: string) =>
  getOrder(ctx, id)
    .and(actingMember(ctx, who))
    .map(([parts, member]) => ofOwner(parts, member))

/** The same, held still. */
export async function lockOwnOrder(ctx: Context, who: WhoActs | undefined, id: string): Promise<OrderParts> {
  const parts = await lockOrder(ctx, id)
  return ofOwner(parts, await actingMember(ctx, who))
}

function ofOwner(parts: OrderParts, member: ActingMember | undefined): OrderParts {
  if (member !== undefined && parts.order.member_id !== member.id) throw notFound('Order')
  return parts
}
