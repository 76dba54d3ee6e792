import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { cappedTotal } from '#platform/db/search/search.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged, taggedBy } from '#platform/http/etag.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { idFromPath } from '#platform/ids.ts'
import { assertSees } from '../access/access.ts'
import { viewerOf, whoReads } from '../access/viewer.ts'
import { locked } from '../errors.ts'
import { discussionId } from '../ids.ts'
import { offsetOf, pageBody, totals } from '../paging.ts'
import { ByDiscussion, Discussion, DiscussionChanges, NewDiscussion, StartedDiscussion } from '../schema.ts'
import { cursorAt, listThreads } from './list.ts'
import { getThread } from './queries.ts'
import { toDiscussion, toStarted } from './rows.ts'
import { ListQuery } from './schema.ts'
import { removeDiscussion, startDiscussion, updateDiscussion } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

const discussionTag = defineTag('discussions', DiscussionChanges)
const current = (ctx: Context, id: string) => ({
  id,
  read: () => getThread(ctx, id).map((row) => toDiscussion(row)),
})

/** The stored id of the member of the token, or null. */
const meOf = (request: FastifyRequest): string | null => request.member?.memberId ?? null

export function threadRoutes(api: Api, { markdown }: AreaDeps): void {
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
    async (request) => {
      const { query } = request
      const who = whoReads(request)
      const { actor } = callerOf(request)
      const list = await request.inProject(async (ctx) => {
        const viewer = viewerOf(actor, await actingMember(ctx, who))
        return { viewer, ...(await listThreads(ctx, viewer, query)) }
      })
      const capped = cappedTotal(list.total)
      const total =
        query.search === undefined
          ? totals(query, list.total)
          : { ...totals(query, capped.total), ...(capped.total_capped && { total_capped: true as const }) }
      const before = query.cursor === undefined ? offsetOf(query) : list.before
      return pageBody(query, list.rows, {
        total,
        cursorOf: (row, i) => cursorAt(list.sort, row, before + i + 1),
        show: (rows) => rows.map((row) => toDiscussion(row, list.viewer)),
      })
    },
  )

  api.post(
    '/discussions',
    {
      config: { oneTransaction: true, ...write, etag: discussionTag, actingMember: 'body' },
      schema: {
        tags,
        operationId: 'startDiscussion',
        summary: 'Start a discussion',
        description:
          'The content is Markdown. In a moderated category the first post of a member waits for a moderator. With a secret key, a category that does not exist is created.',
        body: NewDiscussion,
        response: {
          201: Type.Object({ success: Type.Literal(true), discussion: StartedDiscussion }),
        },
      },
    },
    async (request, reply) => {
      const { body } = request
      const who = whoActs(request, { field: 'author_id', id: body.author_id })
      const rendered = await markdown.render(body.content, callerOf(request))
      const row = await request.inProject(async (ctx) => {
        const author = await actingMember(ctx, who)
        return startDiscussion(ctx, body, { viewer: viewerOf(ctx.actor, author), author, rendered })
      })
      return reply
        .code(201)
        .send({ success: true as const, discussion: taggedBy(toDiscussion(row), toStarted(row)) })
    },
  )

  api.get(
    '/discussions/:id',
    {
      config: { ...read, etag: discussionTag },
      schema: {
        tags,
        operationId: 'getDiscussion',
        summary: 'Get a discussion',
        params: ByDiscussion,
        response: { 200: envelope(Discussion) },
      },
    },
    async (request) => {
      const id = idFromPath(discussionId, request.params.id)
      const who = whoReads(request)
      const [row, member] = await request.inProject((ctx) =>
        getThread(ctx, id, meOf(request)).and(actingMember(ctx, who)),
      )
      const viewer = viewerOf(callerOf(request).actor, member)
      assertSees(viewer, row)
      return ok(toDiscussion(row, viewer))
    },
  )

  api.patch(
    '/discussions/:id',
    {
      config: { ...write, etag: discussionTag, errors: [locked] },
      schema: {
        tags,
        operationId: 'updateDiscussion',
        summary: 'Change a discussion',
        description:
          'The author can change the discussion until it is locked; moderators always can. Earlier versions are kept.',
        params: ByDiscussion,
        body: DiscussionChanges,
        response: { 200: envelope(Discussion) },
      },
    },
    async (request) => {
      const id = idFromPath(discussionId, request.params.id)
      const { body } = request
      const who = whoReads(request)
      const rendered =
        body.content === undefined ? undefined : await markdown.render(body.content, callerOf(request))
      const { row, viewer } = await request.inProject(async (ctx) => {
        const viewer = viewerOf(ctx.actor, await actingMember(ctx, who))
        const row = await ifUnchanged(ctx, request, current(ctx, id), () =>
          updateDiscussion(ctx, id, body, { viewer, rendered }),
        )
        return { viewer, row }
      })
      return ok(toDiscussion(row, viewer))
    },
  )

  api.delete(
    '/discussions/:id',
    {
      config: { ...write, etag: discussionTag },
      schema: {
        tags,
        operationId: 'removeDiscussion',
        summary: 'Remove a discussion',
        description:
          'The author and moderators can remove a discussion. Moderators still see it. A removed discussion cannot be restored.',
        params: ByDiscussion,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(discussionId, request.params.id)
      const who = whoReads(request)
      await request.inProject(async (ctx) => {
        const viewer = viewerOf(ctx.actor, await actingMember(ctx, who))
        await ifUnchanged(ctx, request, current(ctx, id), () => removeDiscussion(ctx, id, viewer))
      })
      return deleted(request.params.id)
    },
  )
}
