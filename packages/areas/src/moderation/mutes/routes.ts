import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { limitReached } from '#platform/define-error.ts'
import { invalidParameters } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import { newUuid } from '#platform/ids.ts'
import { getPresentMember } from '../members.ts'
import { addMute, listMutes, removeMute } from './queries.ts'

const tags = ['Moderation']
const acting = { actingMember: 'header', whileSuspended: 'goes on' } as const
const write = { ...acting, access: { secret: 'write:community', user: 'self' } } as const

const Mute = Type.Object(
  { member_id: MemberId, muted_at: Timestamp({ description: 'When the member was muted' }) },
  { title: 'Mute' },
)
const Muted = Type.Object(
  { muted: Type.Boolean({ description: 'True if the member is muted', examples: [true] }) },
  { title: 'Muted' },
)
const ByMember = strict({ id: pathId('member', MemberId) })

export function muteRoutes(api: Api): void {
  listMutesRoute(api)
  muteMemberRoutes(api)
}

function listMutesRoute(api: Api): void {
  api.get(
    '/user/mutes',
    {
      config: { ...acting, access: { secret: 'read:community', user: 'self' } },
      schema: {
        tags,
        operationId: 'listMutes',
        summary: 'List the members whom a member has muted',
        description: 'The member who was muted last comes first. Nobody else can see the list.',
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(Mute) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { member } = await request.read({ member: actingMember(who) })
      const { mutes } = await request.read({ mutes: listMutes({ ...request.query, member: member.id }) })
      return mutes
    },
  )
}

function muteMemberRoutes(api: Api): void {
  for (const [method, muted] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    api.route({
      method,
      url: '/user/mutes/:id',
      config: { ...write, ...(muted && { errors: [limitReached] }) },
      schema: {
        tags,
        operationId: muted ? 'muteMember' : 'unmuteMember',
        summary: muted ? 'Mute a member' : 'Stop muting a member',
        description: muted
          ? 'In lists, posts of the muted member have no content for the member who muted, and `viewer.muted` is true; a single post is shown whole. Streams and searches show posts of muted members as those of others. Neither member is notified about the other. The muted member is not notified. A member can mute 1,000 others.'
          : 'If the member is not muted, nothing changes.',
        params: ByMember,
        response: { 200: envelope(Muted) },
      },
      handler: async (request) => {
        const { id } = (request as FastifyRequest<{ Params: { id: string } }>).params
        const who = whoActs(request)
        await request.write(async (ctx) => {
          const found = getPresentMember(ctx, { id })
          const acting = actingMember(ctx, who)
          await found
          const member = await acting
          const pair = { member_id: member.id, muted_id: id }
          if (!muted) removeMute(ctx, pair)
          else if (id === member.id) throw oneself()
          else addMute(ctx, { id: newUuid(), ...pair })
        })
        return { muted }
      },
    })
}

const oneself = () =>
  invalidParameters([
    { field: 'id', rule: 'other', message: 'must be another member: nobody mutes themselves' },
  ])
