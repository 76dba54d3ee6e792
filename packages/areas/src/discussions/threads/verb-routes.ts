import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { showingPosts } from '#areas/profiles/service.ts'
import { mapAnswer } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { type Viewer, viewerAs, viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { assertModerates, assertThere } from '../access/access.ts'
import { postLiked, postUnliked } from '../events.ts'
import { toPost } from '../moderation/closing.ts'
import { threadRevisions } from '../revisions/queries.ts'
import { ByDiscussion, Discussion, Liked, Revision, RevisionQuery } from '../schema.ts'
import { answerDiscussion } from './answer.ts'
import { likeThread, type Mark, markThreadRead, setSubscription } from './marks.ts'
import { discussionTag, getThread, lockThread, seeThread } from './queries.ts'
import { writtenAt } from './read-position.ts'
import { type ThreadRow, toDiscussion, toReadState } from './rows.ts'
import { Answer, Lock, Pin, Read, ReadState } from './schema.ts'
import { lockDiscussion, pinDiscussion } from './service.ts'

const tags = ['Discussions']
const write = { access: { secret: 'write:community', user: 'self' } } as const
const acting = { ...write, etag: discussionTag } as const
const asMember = { ...write, actingMember: 'header' } as const
const Subscribed = Type.Object({ subscribed: Type.Boolean({ examples: [true] }) }, { title: 'Subscribed' })

type People = ReturnType<typeof showingPosts>

/** Does something to a discussion as whoever asks. */
async function act(
  people: People,
  request: FastifyRequest<{ Params: { id: string } }>,
  work: (ctx: Context, id: string, viewer: Viewer) => Promise<ThreadRow>,
) {
  const { id } = request.params
  return request.write(async (ctx) => {
    const viewer = await viewerOf(ctx, request)
    return people.showIn(ctx, request, toDiscussion(await work(ctx, id, viewer), viewer))
  })
}

/**
 * Does something that a member does, whom a key names in X-User-ID. The discussion is locked first, as whoever writes in
 * it does: a like changes its count after the member's row, and a comment the other way round.
 */
async function mark<T>(
  request: FastifyRequest<{ Params: { id: string } }>,
  work: (ctx: Context, mark: Mark, row: ThreadRow) => T | PromiseLike<T>,
) {
  const { id } = request.params
  const who = whoActs(request)
  return request.write(async (ctx) => {
    const thread = lockThread(ctx, { id })
    const acting = actingMember(ctx, who)
    const row = await thread
    const member = await acting
    assertThere(viewerAs(ctx.actor, member), row)
    return work(ctx, { discussion_id: id, member_id: member.id }, row)
  })
}

export function threadVerbRoutes(api: Api, deps: AreaDeps): void {
  pinDiscussionRoute(api, deps)
  lockDiscussionRoute(api, deps)
  answerDiscussionRoute(api, deps)
  likeDiscussionRoutes(api)
  subscribeToDiscussionRoutes(api)
  readDiscussionRoute(api)
  listDiscussionRevisionsRoute(api, deps)
}

function pinDiscussionRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/discussions/:id/pin',
    {
      config: acting,
      schema: {
        tags,
        operationId: 'pinDiscussion',
        summary: 'Pin or unpin a discussion',
        description:
          'Only for moderators. Pinned discussions come first in lists that are sorted by activity.',
        params: ByDiscussion,
        body: Pin,
        response: { 200: envelope(Discussion) },
      },
    },
    (request) =>
      act(people, request, (ctx, id, viewer) => pinDiscussion(ctx, id, viewer, request.body.pinned)),
  )
}

function lockDiscussionRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/discussions/:id/lock',
    {
      config: acting,
      schema: {
        tags,
        operationId: 'lockDiscussion',
        summary: 'Lock or unlock a discussion',
        description:
          'Only for moderators. Nobody can comment on a locked discussion, not even secret keys and moderators.',
        params: ByDiscussion,
        body: Lock,
        response: { 200: envelope(Discussion) },
      },
    },
    (request) =>
      act(people, request, (ctx, id, viewer) => lockDiscussion(ctx, id, viewer, request.body.locked)),
  )
}

function answerDiscussionRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/discussions/:id/answer',
    {
      config: acting,
      schema: {
        tags,
        operationId: 'answerDiscussion',
        summary: 'Mark the comment that answers a discussion',
        description: 'The author and moderators can mark an answer. `null` removes the mark.',
        params: ByDiscussion,
        body: Answer,
        response: { 200: envelope(Discussion) },
      },
    },
    (request) =>
      act(people, request, (ctx, id, viewer) => answerDiscussion(ctx, id, viewer, request.body.comment_id)),
  )
}

function likeDiscussionRoutes(api: Api): void {
  for (const [method, liked] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    api.route({
      method,
      url: '/discussions/:id/like',
      config: asMember,
      schema: {
        tags,
        operationId: liked ? 'likeDiscussion' : 'unlikeDiscussion',
        summary: liked ? 'Like a discussion' : 'Remove a like from a discussion',
        params: ByDiscussion,
        response: { 200: envelope(Liked) },
      },
      handler: async (request) =>
        mark(request as FastifyRequest<{ Params: { id: string } }>, async (ctx, of, row) => {
          const { likes, isChanged } = await likeThread(ctx, of, liked)
          const event = liked ? postLiked : postUnliked
          if (isChanged) emit(ctx, event, { ...toPost(row), member_id: toId('member', of.member_id) })
          return likes
        }),
    })
}

function subscribeToDiscussionRoutes(api: Api): void {
  for (const [method, isOn] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    api.route({
      method,
      url: '/discussions/:id/subscription',
      config: { ...asMember, whileSuspended: 'goes on' },
      schema: {
        tags,
        operationId: isOn ? 'subscribeToDiscussion' : 'unsubscribeFromDiscussion',
        sdk: isOn ? 'discussions.subscribe' : 'discussions.unsubscribe',
        summary: isOn ? 'Subscribe to a discussion' : 'Unsubscribe from a discussion',
        description: isOn
          ? 'The member is notified of new comments, and mailed as the notification preferences say. A member who writes in a discussion is subscribed automatically, unless the member has unsubscribed.'
          : 'The member gets no more notifications about this discussion, also not about mentions.',
        params: ByDiscussion,
        response: { 200: envelope(Subscribed) },
      },
      handler: async (request) => {
        await mark(request as FastifyRequest<{ Params: { id: string } }>, (ctx, of) =>
          setSubscription(ctx, { ...of, subscription: isOn ? 'on' : 'off' }),
        )
        return { subscribed: isOn }
      },
    })
}

function readDiscussionRoute(api: Api): void {
  api.post(
    '/discussions/:id/read',
    {
      config: asMember,
      schema: {
        tags,
        operationId: 'readDiscussion',
        summary: 'Mark a discussion as read up to a comment',
        description: 'Comments that were written later stay unread. A position never moves back.',
        params: ByDiscussion,
        body: Read,
        response: { 200: envelope(ReadState) },
      },
    },
    async (request) => {
      const { id } = request.params
      const who = whoActs(request)
      const { up_to } = request.body
      // Nobody waits for the lock of the discussion: reading changes nothing of it.
      return request.write(async (ctx) => {
        const asked = getThread(ctx, { id })
        const acting = actingMember(ctx, who)
        const thread = await asked
        const member = await acting
        const viewer = viewerAs(ctx.actor, member)
        assertThere(viewer, thread)
        const read_up_to =
          up_to === undefined ? thread.active_at : await writtenAt(ctx, thread, up_to, viewer)
        markThreadRead(ctx, { discussion_id: id, member_id: member.id, read_up_to })
        return toReadState(await getThread(ctx, { id, member: member.id }))
      })
    },
  )
}

function listDiscussionRevisionsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/discussions/:id/revisions',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        tags,
        operationId: 'listDiscussionRevisions',
        summary: 'List earlier versions of a discussion',
        description: 'Only for moderators. The newest version comes first.',
        params: ByDiscussion,
        querystring: RevisionQuery,
        response: { 200: listEnvelope(Revision) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { revisions } = await request.read({
        thread: mapAnswer(seeThread({ id, viewer }), () => assertModerates(viewer)),
        revisions: threadRevisions({ ...request.query, discussion: id }),
      })
      return people.show(request, revisions)
    },
  )
}
