import { postRefused } from '#areas/moderation/errors.ts'
import { foldMuted } from '#areas/moderation/service.ts'
import { ADDED_TO_POSTS } from '#areas/profiles/schema.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, envelopeOf, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, taggedBy } from '#platform/http/etag.ts'
import { fieldsSender } from '#platform/http/fields.ts'
import { mapPage } from '#platform/http/page.ts'
import { viewerAs, viewerOf } from '#platform/http/viewer.ts'
import { assertSeeks } from '#platform/search/search.ts'
import { categoryFlag } from '../categories/service.ts'
import { locked } from '../errors.ts'
import { discussionId } from '../ids.ts'
import { judgeChange } from '../moderation/posts.ts'
import {
  ByDiscussion,
  ChangedDiscussion,
  Discussion,
  DiscussionChanges,
  NewDiscussion,
  RemovalQuery,
  StartedDiscussion,
  WithIncludes,
} from '../schema.ts'
import { listThreads } from './list.ts'
import { discussionTag, getDiscussion } from './queries.ts'
import { toDiscussion, toStarted } from './rows.ts'
import { ListQuery } from './schema.ts'
import { lockFor, removeDiscussion, startDiscussion, updateDiscussion } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

const etag = discussionTag
const sendList = fieldsSender(listEnvelope(Discussion), { added: ADDED_TO_POSTS })

export function threadRoutes(api: Api, deps: AreaDeps): void {
  listDiscussionsRoute(api, deps)
  startDiscussionRoute(api, deps)
  getDiscussionRoute(api, deps)
  updateDiscussionRoute(api, deps)
  removeDiscussionRoute(api)
}

function listDiscussionsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/discussions',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listDiscussions',
        summary: 'List discussions',
        description:
          'The list has the discussions in all categories that the caller may enter. A secret key and moderators may enter all, a member those of the plan of the member, and a public key the open ones.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Discussion) },
      },
    },
    async (request, reply) => {
      const { query: filter } = request
      assertSeeks('search', filter.search)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { page } = await request.read({ page: listThreads({ viewer, filter }) })
      const answer = await people.show(
        request,
        mapPage(page, (row) => foldMuted(toDiscussion(row, viewer))),
      )
      return sendList(reply, filter, answer)
    },
  )
}

function startDiscussionRoute(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/discussions',
    {
      config: { oneTransaction: true, ...write, etag, actingMember: 'body', errors: [postRefused] },
      schema: {
        tags,
        operationId: 'startDiscussion',
        summary: 'Start a discussion',
        description:
          'The content is Markdown. In a moderated category the first post of a member waits for a moderator. With a secret key, a category that does not exist is created; the answer then has `category_created: true`.',
        querystring: WithIncludes,
        body: NewDiscussion,
        response: { 201: envelopeOf({ discussion: StartedDiscussion }) },
      },
    },
    async (request) => {
      const { body } = request
      const who = whoActs(request, { field: 'author_id', id: body.author_id })
      const rendered = await markdown.render(body.content, callerOf(request))
      const discussion = await request.write(async (ctx) => {
        const author = await actingMember(ctx, who)
        const viewer = viewerAs(ctx.actor, author)
        const row = await startDiscussion(ctx, body, { viewer, author, rendered })
        return people.showIn(ctx, request, taggedBy(toDiscussion(row), toStarted(row)))
      })
      return { discussion }
    },
  )
}

function getDiscussionRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/discussions/:id',
    {
      config: { ...read, etag },
      schema: {
        tags,
        operationId: 'getDiscussion',
        summary: 'Get a discussion',
        params: ByDiscussion,
        querystring: WithIncludes,
        response: { 200: envelope(Discussion) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { discussion } = await request.read({ discussion: getDiscussion({ id, viewer }) })
      return people.show(request, discussion)
    },
  )
}

function updateDiscussionRoute(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPosts(config)

  api.patch(
    '/discussions/:id',
    {
      config: { ...write, etag, errors: [locked, postRefused] },
      schema: {
        tags,
        operationId: 'updateDiscussion',
        summary: 'Change a discussion',
        description:
          'The author can change the discussion until it is locked; moderators always can. Earlier versions are kept. With a secret key, a category that does not exist is created; the answer then has `category_created: true`.',
        params: ByDiscussion,
        querystring: WithIncludes,
        body: DiscussionChanges,
        response: { 200: envelope(ChangedDiscussion) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { body } = request
      const rendered =
        body.content === undefined ? undefined : await markdown.render(body.content, callerOf(request))
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        await assertUnchanged(ctx, request, { id, viewer }, getDiscussion)
        await judgeChange(ctx, {
          viewer,
          thread: await lockFor(ctx, id, viewer),
          title: body.title,
          rendered,
        })
        const row = await updateDiscussion(ctx, id, body, { viewer, rendered })
        return people.showIn(ctx, request, { ...toDiscussion(row, viewer), ...categoryFlag(row) })
      })
    },
  )
}

function removeDiscussionRoute(api: Api): void {
  api.delete(
    '/discussions/:id',
    {
      config: { ...write, etag, errors: [locked] },
      schema: {
        tags,
        operationId: 'removeDiscussion',
        summary: 'Remove a discussion',
        description:
          'The author can remove the discussion until it is locked; moderators always can. Moderators still see it. A removed discussion cannot be restored.',
        params: ByDiscussion,
        querystring: RemovalQuery,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        await assertUnchanged(ctx, request, { id, viewer }, getDiscussion)
        await removeDiscussion(ctx, id, viewer, request.query.reason)
      })
      return deleted(discussionId, id)
    },
  )
}
