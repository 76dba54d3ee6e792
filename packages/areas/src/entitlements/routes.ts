import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok, strict } from '#platform/http/envelope.ts'
import { idFromPath } from '#platform/ids.ts'
import { Entitlements } from './schema.ts'
import { entitlementsOf } from './service.ts'

const ById = strict({ id: Entitlements.properties.member_id })

export function entitlementRoutes(api: Api): void {
  api.get(
    '/members/:id/entitlements',
    {
      config: { access: { secret: 'read:members', user: 'self' } },
      schema: {
        tags: ['Members'],
        operationId: 'getMemberEntitlements',
        summary: 'Get what a member is entitled to',
        description:
          'The plan that counts, features and limits, and of each grant where it comes from and when it ends. The plan is the one that an operator set, whatever its rank; otherwise the highest one that a subscription or an order gives; otherwise the default plan of the project. A change shows in the next answer. A member whose status is not `active` is entitled to nothing. An archived plan grants what it did to those who are still on it. A member’s token asks for its own member.',
        params: ById,
        response: { 200: envelope(Entitlements) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      if (request.member !== undefined && request.member.memberId !== id) throw notFound('Member')
      return ok(await request.inProject((ctx) => entitlementsOf(ctx, id)))
    },
  )
}
