import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok, strict } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged, taggedBy } from '#platform/http/etag.ts'
import { listed, pageParameters } from '#platform/http/page.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { idFromPath, parseId } from '#platform/ids.ts'
import { assertCommentThere, assertModerates, assertTakesComments } from '../access/access.ts'
import { viewerOf, whoReads } from '../access/viewer.ts'
import { locked } from '../errors.ts'
import { commentId, discussionId } from '../ids.ts'
import { pageBody, totals } from '../paging.ts'
import { commentRevisions, toRevision } from '../revisions/queries.ts'
import {
  ByComment,
  ByDiscussion,
  Comment,
  CommentChanges,
  CommentWithReplies,
  Liked,
  NewComment,
  Revision,
  WrittenComment,
} from '../schema.ts'
import { getThread, lockThread } from '../threads/queries.ts'
import { cursorAt } from './list.ts'
import { getComment, likeComment } from './queries.ts'
import { readPage } from './read-page.ts'
import { type CommentRow, toComment, toTree, toWrittenComment } from './rows.ts'
import { ListQuery } from './schema.ts'
import { readComment, removeComment, updateComment, writeComment } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

/** The id of no comment. It stands in for a text that is no id. */
const NO_COMMENT = '00000000-0000-0000-0000-000000000000'

const commentTag = defineTag('comments', CommentChanges)
/** Staff sees what was removed, too, and so does the tag. */
const current = (ctx: Context, id: string) => ({
  id,
  read: () => getComment(ctx, id).map(tagSource),
})
const tagSource = ({ content, attachments }: CommentRow) => ({ content, attachments })

export function commentRoutes(api: Api, { markdown }: AreaDeps): void {
  api.get(
    '/discussions/:id/comments',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listComments',
        summary: 'List comments of a discussion',
        description:
          'Comments are sorted oldest first, in two levels. `limit` counts the comments of the upper level; each has its first replies. `parent_id` lists the replies of one comment. A request with the token of a member marks the discussion as read.',
        params: ByDiscussion,
        querystring: ListQuery,
        response: { 200: listEnvelope(CommentWithReplies) },
      },
    },
    async (request) => {
      const id = idFromPath(discussionId, request.params.id)
      const { query } = request
      const who = whoReads(request)
      const parent =
        query.parent_id === undefined ? null : (parseId(commentId, query.parent_id) ?? NO_COMMENT)
      const { list, viewer } = await request.inProject((ctx) =>
        readPage(ctx, who, { discussion: id, parent, query }),
      )
      return pageBody(query, list.upper, {
        total: totals(query, list.total),
        cursorOf: cursorAt,
        show: (rows) => toTree(rows, list.replies, viewer),
      })
    },
  )

  api.post(
    '/discussions/:id/comments',
    {
      config: { oneTransaction: true, ...write, etag: commentTag, actingMember: 'body', errors: [locked] },
      schema: {
        tags,
        operationId: 'writeComment',
        summary: 'Write a comment',
        description:
          'The content is Markdown. `parent_id` makes the comment a reply. In a moderated category the first post of a member waits for a moderator; an approved comment comes last in its discussion.',
        params: ByDiscussion,
        body: NewComment,
        response: { 201: Type.Object({ success: Type.Literal(true), comment: WrittenComment }) },
      },
    },
    async (request, reply) => {
      const id = idFromPath(discussionId, request.params.id)
      const { body } = request
      const who = whoActs(request, { field: 'author_id', id: body.author_id })
      const rendered = await markdown.render(body.content, callerOf(request))
      const row = await request.inProject(async (ctx) => {
        const [thread, author] = await lockThread(ctx, id).and(actingMember(ctx, who))
        const viewer = viewerOf(ctx.actor, author)
        assertTakesComments(viewer, thread)
        return writeComment(ctx, thread, body, { viewer, author, rendered })
      })
      return reply
        .code(201)
        .send({ success: true as const, comment: taggedBy(tagSource(row), toWrittenComment(row)) })
    },
  )

  api.patch(
    '/comments/:id',
    {
      config: { ...write, etag: commentTag, errors: [locked] },
      schema: {
        tags,
        operationId: 'updateComment',
        summary: 'Change a comment',
        description:
          'The author can change the comment until the discussion is locked; moderators always can. Earlier versions are kept.',
        params: ByComment,
        body: CommentChanges,
        response: { 200: envelope(Comment) },
      },
    },
    async (request) => {
      const id = idFromPath(commentId, request.params.id)
      const { body } = request
      const who = whoReads(request)
      const rendered =
        body.content === undefined ? undefined : await markdown.render(body.content, callerOf(request))
      const { row, viewer } = await request.inProject(async (ctx) => {
        const viewer = viewerOf(ctx.actor, await actingMember(ctx, who))
        const row = await ifUnchanged(ctx, request, current(ctx, id), () =>
          updateComment(ctx, id, body, { viewer, rendered }),
        )
        return { viewer, row }
      })
      return ok(taggedBy(tagSource(row), toComment(row, viewer)))
    },
  )

  api.delete(
    '/comments/:id',
    {
      config: { ...write, etag: commentTag },
      schema: {
        tags,
        operationId: 'removeComment',
        summary: 'Remove a comment',
        description:
          'The author and moderators can remove a comment. An empty comment stays at its place. A removed comment cannot be restored.',
        params: ByComment,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(commentId, request.params.id)
      const who = whoReads(request)
      await request.inProject(async (ctx) => {
        const viewer = viewerOf(ctx.actor, await actingMember(ctx, who))
        await ifUnchanged(ctx, request, current(ctx, id), () => removeComment(ctx, id, viewer))
      })
      return deleted(request.params.id)
    },
  )

  for (const [method, liked] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const)
    api.route({
      method,
      url: '/comments/:id/like',
      config: { ...write, actingMember: 'header' },
      schema: {
        tags,
        operationId: liked ? 'likeComment' : 'unlikeComment',
        summary: liked ? 'Like a comment' : 'Remove a like from a comment',
        params: ByComment,
        response: { 200: envelope(Liked) },
      },
      handler: async (request) => {
        const id = idFromPath(commentId, (request as FastifyRequest<{ Params: { id: string } }>).params.id)
        const who = whoActs(request)
        return ok(
          await request.inProject(async (ctx) => {
            const [comment, member] = await getComment(ctx, id).and(actingMember(ctx, who))
            assertCommentThere(
              viewerOf(ctx.actor, member),
              await getThread(ctx, comment.discussion_id),
              comment,
            )
            return likeComment(ctx, { comment: id, member: member.id }, liked)
          }),
        )
      },
    })

  api.get(
    '/comments/:id/revisions',
    {
      config: { access: { secret: 'read:community', user: 'self' } },
      schema: {
        tags,
        operationId: 'listCommentRevisions',
        summary: 'List earlier versions of a comment',
        description: 'Only for moderators. The newest version comes first.',
        params: ByComment,
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(Revision) },
      },
    },
    async (request) => {
      const id = idFromPath(commentId, request.params.id)
      const who = whoReads(request)
      const { query } = request
      const page = await request.inProject(async (ctx) => {
        const viewer = viewerOf(ctx.actor, await actingMember(ctx, who))
        const { thread } = await readComment(ctx, id, viewer)
        assertModerates(viewer)
        return commentRevisions(ctx, { ...query, discussion: thread.id, comment: id })
      })
      return listed(page, toRevision)
    },
  )
}
