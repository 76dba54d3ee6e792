import { ById } from '#areas/members/schema.ts'
import { readMember } from '#areas/members/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { listEnvelope } from '#platform/http/envelope.ts'
import { listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { listMemberEvents } from './queries.ts'
import { EventRecord, MemberEventQuery } from './schema.ts'
import { toEventRecord } from './service.ts'
import { typesNamed } from './types-named.ts'

/** What has happened to one member. */
export function memberEventRoutes(api: Api, { catalogue }: AreaDeps): void {
  api.get(
    '/members/:id/events',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'listMemberEvents',
        summary: 'List the events of a member',
        description:
          'Events of the last 30 days about this member or something that belongs to the member, newest first.',
        params: ById,
        querystring: MemberEventQuery,
        response: { 200: listEnvelope(EventRecord) },
      },
    },
    async (request) => {
      const id = idFromPath('member', request.params.id)
      const { type, ...query } = request.query
      const types = typesNamed(type, catalogue)
      const [, page] = await request.inProject((ctx) =>
        readMember(ctx, { id: id }).and(listMemberEvents(ctx, { ...query, types, member_id: id })),
      )
      return listed(page, toEventRecord)
    },
  )
}
