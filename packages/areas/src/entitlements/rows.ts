import { courseId } from '#areas/lms/ids.ts'
import { toId } from '#platform/ids.ts'
import { grantId, orderLineId, subscriptionId } from './ids.ts'
import type { EntitlementsRow, GivenRow } from './queries.ts'
import type { Entitlements, SourceType } from './schema.ts'

const sourceOf = ({ source_type, source_id }: { source_type: SourceType; source_id: string }) => ({
  type: source_type,
  id:
    source_type === 'operator'
      ? null
      : toId(source_type === 'subscription' ? subscriptionId : orderLineId, source_id),
})

/** A member's plan and grants as clients see them. */
export function toEntitlements(row: EntitlementsRow): Entitlements {
  const active = row.member_status === 'active'
  const all = row.grants ?? []
  const grants = all.filter(({ has_begun }) => has_begun)
  // The row is deleted when its end is worked off; until then the member is on its plan.
  const [giver] = grants
    .filter(({ plan_id }) => plan_id === row.id)
    .sort((a, b) => Number(b.source_type === 'operator') - Number(a.source_type === 'operator'))
  const features = new Set([...row.features, ...grants.flatMap((grant) => grant.features)])
  return {
    member_id: toId('member', row.member_id),
    active,
    plan: {
      id: toId('plan', row.id),
      name: row.name,
      slug: row.slug,
      rank: row.rank,
      status: row.status as Entitlements['plan']['status'],
      source: giver === undefined ? { type: 'default', id: null } : sourceOf(giver),
      ends_at: giver === undefined ? null : endOfPlan(giver, all),
    },
    features: active ? [...features] : [],
    limits: active ? (row.limits as Entitlements['limits']) : {},
    grants: all.map(toGrant),
  }
}

/** When the plan of a grant ends. One that begins where another ends, or before, goes on from there. */
function endOfPlan({ plan_id, expires_at }: GivenRow, grants: readonly GivenRow[]): string | null {
  let end = expires_at
  for (const grant of grants) {
    if (end === null) return null
    if (grant.plan_id === plan_id && grant.starts_at <= end)
      end = grant.expires_at === null || grant.expires_at > end ? grant.expires_at : end
  }
  return end
}

const toGrant = (grant: GivenRow): Entitlements['grants'][number] => ({
  id: toId(grantId, grant.id),
  source: sourceOf(grant),
  plan_id: grant.plan_id === null ? null : toId('plan', grant.plan_id),
  features: grant.features,
  course_id: grant.course_id === null ? null : toId(courseId, grant.course_id),
  starts_at: grant.starts_at,
  ends_at: grant.expires_at,
})
