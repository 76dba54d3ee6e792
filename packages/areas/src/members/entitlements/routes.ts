import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { idFromPath, toId } from '#platform/ids.ts'
import { ById } from '../schema.ts'
import { getEntitlements } from './queries.ts'
import { Entitlements } from './schema.ts'

export function entitlementRoutes(api: Api): void {
  api.get(
    '/members/:id/entitlements',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'getMemberEntitlements',
        summary: 'Get what a member is entitled to',
        description:
          'What the plan of the member grants at this moment: a change of the plan, or of the member’s, shows in the next answer. A member whose status is not `active` is entitled to nothing. An archived plan grants what it did to those who are still on it.',
        params: ById,
        response: { 200: envelope(Entitlements) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      return ok(toEntitlements(await request.inProject((ctx) => getEntitlements(ctx, id))))
    },
  )
}

type Row = Awaited<ReturnType<typeof getEntitlements>>

function toEntitlements(row: Row): Entitlements {
  const active = row.member_status === 'active'
  return {
    member_id: toId('member', row.member_id),
    active,
    plan: {
      id: toId('plan', row.id),
      name: row.name,
      slug: row.slug,
      rank: row.rank,
      status: row.status as Entitlements['plan']['status'],
    },
    features: active ? row.features : [],
    limits: active ? (row.limits as Entitlements['limits']) : {},
  }
}
