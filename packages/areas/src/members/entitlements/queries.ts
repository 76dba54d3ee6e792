import { lookup, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const entitlements = lookup('member_entitlements', (v: { id: string }) =>
  query
    .selectFrom('members as m')
    .innerJoin('plans as p', 'p.id', 'm.plan_id')
    .select(['m.id as member_id', 'm.status as member_status'])
    .select(['p.id', 'p.name', 'p.slug', 'p.rank', 'p.status', 'p.features', 'p.limits'])
    .where('m.id', '=', v.id)
    .where('m.deleted_at', 'is', null),
)

/** A member's status with what its plan grants, whether or not it is in force. @throws ApiError 404 */
export const getEntitlements = (ctx: Context, memberId: string) =>
  ctx.tx.one(entitlements, { id: memberId }, 'Member')
