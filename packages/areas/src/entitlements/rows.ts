import { toId } from '#platform/ids.ts'
import { courseId, grantId, orderLineId, subscriptionId } from './ids.ts'
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
  const grants = row.grants ?? []
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
      ends_at: giver?.expires_at ?? null,
    },
    features: active ? [...features] : [],
    limits: active ? (row.limits as Entitlements['limits']) : {},
    grants: grants.map(toGrant),
  }
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
