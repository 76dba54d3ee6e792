import { makeSendMail } from '#areas/mail/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { ByMember, NewSuspension, Suspension, Unsuspended } from './schema.ts'
import { suspend, unsuspend } from './service.ts'

const tags = ['Moderation']
const config = { access: { secret: 'write:community', user: 'self' } } as const

export function suspensionRoutes(api: Api, deps: AreaDeps): void {
  suspendMemberRoute(api, deps)
  unsuspendMemberRoute(api)
}

function suspendMemberRoute(api: Api, deps: AreaDeps): void {
  const sendMail = makeSendMail(deps.config)

  api.post(
    '/members/:id/suspend',
    {
      config: { ...config, oneTransaction: true },
      schema: {
        tags,
        operationId: 'suspendMember',
        summary: 'Suspend a member',
        description:
          'Only for moderators and secret keys; only a secret key can suspend a moderator. A suspended member reads, buys, learns, exports data and deletes the account as before, but writes nothing that others see: no posts, votes, likes, ratings, names and uploads. Such a request is refused with `MEMBER_SUSPENDED`, 403 with the token of the member and 422 with a key that acts for the member. The member gets a mail and a notification. The `status` of the member does not change. A second suspension replaces the first one.',
        params: ByMember,
        body: NewSuspension,
        response: { 200: envelope(Suspension) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) =>
        suspend(ctx, sendMail, { id, input: request.body, viewer: await viewerOf(ctx, request) }),
      )
    },
  )
}

function unsuspendMemberRoute(api: Api): void {
  api.post(
    '/members/:id/unsuspend',
    {
      config: { ...config, oneTransaction: true },
      schema: {
        tags,
        operationId: 'unsuspendMember',
        summary: 'End the suspension of a member',
        description:
          'Only for moderators and secret keys. If the member is not suspended, nothing changes. A suspension with `until` ends by itself.',
        params: ByMember,
        response: { 200: envelope(Unsuspended) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => unsuspend(ctx, id, await viewerOf(ctx, request)))
    },
  )
}
