import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, pathId, strict } from '#platform/http/envelope.ts'
import { credentialOf, seesOwn } from '#platform/http/viewer.ts'
import { Entitlements } from './schema.ts'
import { entitlementsOf } from './service.ts'

const ById = strict({ id: pathId('member', Entitlements.properties.member_id) })

export function entitlementRoutes(api: Api): void {
  api.get(
    '/members/:id/entitlements',
    {
      config: { access: { secret: 'read:members', user: 'self' } },
      schema: {
        tags: ['Members'],
        operationId: 'getMemberEntitlements',
        summary: 'Get the entitlements of a member',
        description:
          'The answer has the plan, the features and the limits of the member. Each grant has its source and its end. The plan of the member is the one that an operator set, whatever its rank. Without one it is the plan with the highest rank from subscriptions and orders, and without any it is the default plan of the project. Every change is in the next answer. A member whose status is not `active` is entitled to nothing. An archived plan still grants everything to the members who are on it. A member’s token can ask only for its own member.',
        params: ById,
        response: { 200: envelope(Entitlements) },
      },
    },
    async (request) => {
      const { id } = request.params
      if (!seesOwn(credentialOf(request), id)) throw notFound('Member')
      const { entitlements } = await request.read({ entitlements: entitlementsOf({ memberId: id }) })
      return entitlements
    },
  )
}
