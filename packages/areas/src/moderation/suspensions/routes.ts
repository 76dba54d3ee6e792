import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { showingPeople } from '#areas/profiles/service.ts'
import { mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { isMember, viewerOf } from '#platform/http/viewer.ts'
import { getPresentMember } from '../members.ts'
import { findSuspension, listSuspensions } from './queries.ts'
import { ByMember, NewSuspension, Suspension, SuspensionsQuery, Unsuspended } from './schema.ts'
import { assertModerates, suspend, unsuspend } from './service.ts'

const tags = ['Moderation']
const read = { access: { secret: 'read:community', user: 'self' } } as const
const config = { access: { secret: 'write:community', user: 'self' } } as const

export function suspensionRoutes(api: Api, deps: AreaDeps): void {
  listSuspensionsRoute(api, deps)
  getSuspensionRoute(api)
  suspendMemberRoute(api, deps)
  unsuspendMemberRoute(api)
}

function listSuspensionsRoute(api: Api, { config: links }: AreaDeps): void {
  const people = showingPeople(links)

  api.get(
    '/suspensions',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listSuspensions',
        summary: 'List the members who are suspended',
        description: 'Only for moderators and secret keys. Suspensions that have ended are left out.',
        querystring: SuspensionsQuery,
        response: { 200: listEnvelope(Suspension) },
      },
    },
    async (request) => {
      const { page } = await request.read({
        team: mapAnswer(viewerOf(request), assertModerates),
        page: listSuspensions(request.query),
      })
      return people.show(request, page)
    },
  )
}

function getSuspensionRoute(api: Api): void {
  api.get(
    '/members/:id/suspension',
    {
      config: read,
      schema: {
        tags,
        operationId: 'getSuspension',
        summary: 'Get the suspension of a member',
        description:
          'For moderators, secret keys and the member. `data` is null if the member is not suspended.',
        params: ByMember,
        response: { 200: envelope(Type.Union([Suspension, Type.Null()])) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { suspension } = await request.read({
        reader: mapAnswer(viewerOf(request), (viewer) => {
          if (!isMember(viewer, id)) assertModerates(viewer)
        }),
        member: getPresentMember({ id }),
        suspension: findSuspension({ id }),
      })
      return suspension ?? null
    },
  )
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
