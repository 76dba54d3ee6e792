import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { showingPeople } from '#areas/profiles/service.ts'
import { mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag, taggedBy } from '#platform/http/etag.ts'
import { listed } from '#platform/http/page.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { viewerAs, viewerOf } from '#platform/http/viewer.ts'
import { idFromFilter, idFromPath, toId } from '#platform/ids.ts'
import {
  assertCommentThere,
  assertModerates,
  assertSeesComment,
  assertTakesComments,
} from '../access/access.ts'
import { locked } from '../errors.ts'
import { postLiked } from '../events.ts'
import { commentId, discussionId } from '../ids.ts'
import { toPost } from '../moderation/closing.ts'
import { commentRevisions } from '../revisions/queries.ts'
import {
  ByComment,
  ByDiscussion,
  Comment,
  CommentChanges,
  CommentQuery,
  CommentWithReplies,
  Liked,
  NewComment,
  Revision,
  RevisionQuery,
  WrittenComment,
} from '../schema.ts'
import { markThreadRead } from '../threads/marks.ts'
import { getThread, lockThread, seeThread } from '../threads/queries.ts'
import { countComments, listComments, toPage } from './list.ts'
import { getComment, likeComment } from './queries.ts'
import { toComment, toTree, toWrittenComment } from './rows.ts'
import { editComment, openComment, removeComment, writeComment } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

const etag = defineTag('comments', CommentChanges)

export function commentRoutes(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPeople(config)
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
        querystring: CommentQuery,
        response: { 200: listEnvelope(CommentWithReplies) },
      },
    },
    async (request) => {
      const id = idFromPath(discussionId, request.params.id)
      const { query: filter } = request
      const parent =
        filter.parent_id === undefined ? undefined : idFromFilter(commentId, 'parent_id', filter.parent_id)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const listing = { discussion: id, parent, viewer, filter }
      const { thread, rows, total } = await request.read({
        thread: seeThread({ id, viewer }),
        rows: listComments(listing),
        total: countComments(listing),
      })
      if (viewer.memberId !== null && thread.is_read !== true) {
        const mark = { discussion_id: id, member_id: viewer.memberId }
        await request.write(markThreadRead({ ...mark, read_up_to: thread.active_at }))
      }
      const { upper, replies, pagination } = toPage(listing, rows, total)
      return people.show(request, {
        success: true as const,
        data: toTree(upper, replies, viewer),
        pagination,
      })
    },
  )

  api.post(
    '/discussions/:id/comments',
    {
      config: { oneTransaction: true, ...write, etag, actingMember: 'body', errors: [locked] },
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
      const comment = await request.write(async (ctx) => {
        const locking = lockThread(ctx, { id })
        const acting = actingMember(ctx, who)
        const thread = await locking
        const author = await acting
        const viewer = viewerAs(ctx.actor, author)
        assertTakesComments(viewer, thread)
        const row = await writeComment(ctx, thread, body, { viewer, author, rendered })
        return people.showIn(ctx, request, taggedBy(row, toWrittenComment(row)))
      })
      return reply.code(201).send({ success: true as const, comment })
    },
  )

  api.patch(
    '/comments/:id',
    {
      config: { ...write, etag, errors: [locked] },
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
      const rendered =
        body.content === undefined ? undefined : await markdown.render(body.content, callerOf(request))
      const comment = await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        const opened = await openComment(ctx, id, viewer)
        await assertUnchanged(ctx, request, { id }, getComment)
        const row = await editComment(ctx, opened, body, { viewer, rendered })
        return people.showIn(ctx, request, taggedBy(row, toComment(row, viewer)))
      })
      return ok(comment)
    },
  )

  api.delete(
    '/comments/:id',
    {
      config: { ...write, etag },
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
      await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        const opened = await openComment(ctx, id, viewer)
        await assertUnchanged(ctx, request, { id }, getComment)
        await removeComment(ctx, opened, viewer)
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
        const likes = await request.write(async (ctx) => {
          const asked = getComment(ctx, { id })
          const acting = actingMember(ctx, who)
          const comment = await asked
          const member = await acting
          const thread = await getThread(ctx, { id: comment.discussion_id })
          assertCommentThere(viewerAs(ctx.actor, member), thread, comment)
          const of = { comment_id: id, member_id: member.id }
          const { likes, isNew } = await likeComment(ctx, of, liked)
          if (isNew)
            emit(ctx, postLiked, { ...toPost(thread, comment), member_id: toId('member', member.id) })
          return likes
        })
        return ok(likes)
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
        querystring: RevisionQuery,
        response: { 200: listEnvelope(Revision) },
      },
    },
    async (request) => {
      const id = idFromPath(commentId, request.params.id)
      const { viewer, comment } = await request.read({
        viewer: viewerOf(request),
        comment: getComment({ id }),
      })
      const discussion = comment.discussion_id
      const { revisions } = await request.read({
        thread: mapAnswer(getThread({ id: discussion }), (thread) => {
          assertSeesComment(viewer, thread, comment)
          assertModerates(viewer)
        }),
        revisions: commentRevisions({ ...request.query, discussion, comment: id }),
      })
      return people.show(request, listed(revisions))
    },
  )
}
