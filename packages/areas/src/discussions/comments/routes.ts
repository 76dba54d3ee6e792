import type { FastifyRequest } from 'fastify'
import { postRefused } from '#areas/moderation/errors.ts'
import { foldMuted } from '#areas/moderation/service.ts'
import { ADDED_TO_POSTS } from '#areas/profiles/schema.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import { answering, mapAnswer } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, envelopeOf, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag, taggedBy } from '#platform/http/etag.ts'
import { fieldsSender } from '#platform/http/fields.ts'
import { mapPage, type Pagination } from '#platform/http/page.ts'
import { viewerAs, viewerOf } from '#platform/http/viewer.ts'
import { idFromFilter, toId } from '#platform/ids.ts'
import {
  assertCommentThere,
  assertModerates,
  assertSeesComment,
  assertTakesComments,
} from '../access/access.ts'
import { locked } from '../errors.ts'
import { postLiked, postUnliked } from '../events.ts'
import { commentId } from '../ids.ts'
import { toPost } from '../moderation/closing.ts'
import { judgeChange } from '../moderation/posts.ts'
import { commentRevisions } from '../revisions/queries.ts'
import {
  AuthorCommentQuery,
  ByComment,
  ByDiscussion,
  Comment,
  CommentChanges,
  CommentQuery,
  CommentWithReplies,
  Liked,
  NewComment,
  RemovalQuery,
  Revision,
  RevisionQuery,
  WithIncludes,
  WrittenComment,
} from '../schema.ts'
import { markThreadRead } from '../threads/marks.ts'
import { getThread, lockThread, seeThread, threadOfComment } from '../threads/queries.ts'
import type { ThreadRow } from '../threads/rows.ts'
import { listCommentsBy } from './by-author.ts'
import { countComments, listComments, toPage } from './list.ts'
import { type Listing, sortOf } from './listing.ts'
import { findPlace } from './place.ts'
import { getComment, likeComment } from './queries.ts'
import { type CommentRow, toComment, toTree, toWrittenComment } from './rows.ts'
import { editComment, openComment, removeComment, writeComment } from './service.ts'

const tags = ['Discussions']
const read = { access: { secret: 'read:community', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:community', user: 'self' } } as const

const etag = defineTag('comments', CommentChanges)
const sendTree = fieldsSender(listEnvelope(CommentWithReplies), { added: ADDED_TO_POSTS, nested: 'replies' })
const sendList = fieldsSender(listEnvelope(Comment), { added: ADDED_TO_POSTS })

/** A listing with the page on which a comment is, if the request asks for it. @throws ApiError 404 for what the viewer does not see */
async function locate(request: FastifyRequest, listing: Listing) {
  const { discussion: id, viewer, filter } = listing
  if (filter.around === undefined) return { listing }
  const { thread, place } = await request.read({
    thread: seeThread({ id, viewer }),
    place: findPlace(listing),
  })
  return { thread, listing: { ...listing, place, filter: { ...filter, page: place.page } } }
}

/** Up to where a page was read, if that is further than before. */
function readBy(
  { parent, filter }: Listing,
  thread: ThreadRow,
  last: CommentRow | undefined,
  { page, next_cursor }: Pagination,
): string | undefined {
  const isOldest = sortOf(filter) === 'oldest'
  const isEnd = next_cursor === null && (isOldest || page === 1)
  if (parent !== undefined || thread.is_read === true) return undefined
  if (isEnd) return thread.active_at
  // Both are texts of one time zone, whose order is that of the times.
  if (!isOldest || last === undefined || last.written_at <= (thread.read_up_to ?? '')) return undefined
  return last.written_at
}

export function commentRoutes(api: Api, deps: AreaDeps): void {
  listCommentsRoute(api, deps)
  listCommentsOfMemberRoute(api, deps)
  getCommentRoute(api, deps)
  writeCommentRoute(api, deps)
  updateCommentRoute(api, deps)
  removeCommentRoute(api)
  likeCommentRoutes(api)
  listCommentRevisionsRoute(api, deps)
}

function listCommentsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/discussions/:id/comments',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listComments',
        summary: 'List comments of a discussion',
        description:
          'Comments are sorted oldest first, in two levels. `limit` counts the comments of the upper level; each has its first replies. `parent_id` lists the replies of one comment. `around` lists the page on which a comment is, such as the first unread one. A request with the token of a member marks what the page shows as read: with `sort=oldest` up to its end, otherwise only if the page has all comments. `POST /discussions/{id}/read` marks another position.',
        params: ByDiscussion,
        querystring: CommentQuery,
        response: { 200: listEnvelope(CommentWithReplies) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { query: asked } = request
      const parent =
        asked.parent_id === undefined ? undefined : idFromFilter(commentId, 'parent_id', asked.parent_id)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { listing, thread: seen } = await locate(request, {
        discussion: id,
        parent,
        viewer,
        filter: asked,
      })
      const { thread, rows, total } = await request.read({
        thread: seen === undefined ? seeThread({ id, viewer }) : answering(seen),
        rows: listComments(listing),
        total: countComments(listing),
      })
      const { upper, replies, pagination } = toPage(listing, rows, total)
      const read_up_to = readBy(listing, thread, upper.at(-1), pagination)
      if (viewer.memberId !== null && read_up_to !== undefined)
        await request.write(markThreadRead({ discussion_id: id, member_id: viewer.memberId, read_up_to }))
      const answer = await people.show(request, { rows: toTree(upper, replies, viewer), pagination })
      return sendTree(reply, asked, answer)
    },
  )
}

function listCommentsOfMemberRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/comments',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listCommentsOfMember',
        summary: 'List the comments of a member',
        description:
          'The newest comment comes first. The list has the comments in all discussions that the caller can see.',
        querystring: AuthorCommentQuery,
        response: { 200: listEnvelope(Comment) },
      },
    },
    async (request, reply) => {
      const { query: filter } = request
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { page } = await request.read({ page: listCommentsBy({ viewer, filter }) })
      const answer = await people.show(
        request,
        mapPage(page, (row) => foldMuted(toComment(row, viewer))),
      )
      return sendList(reply, filter, answer)
    },
  )
}

function getCommentRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

  api.get(
    '/comments/:id',
    {
      config: { ...read, etag },
      schema: {
        tags,
        operationId: 'getComment',
        summary: 'Get a comment',
        params: ByComment,
        querystring: WithIncludes,
        response: { 200: envelope(Comment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { thread, comment } = await request.read({
        thread: threadOfComment({ id }),
        comment: getComment({ id, member: viewer.memberId }),
      })
      assertSeesComment(viewer, thread, comment)
      return people.show(request, taggedBy(comment, toComment(comment, viewer)))
    },
  )
}

function writeCommentRoute(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPosts(config)

  api.post(
    '/discussions/:id/comments',
    {
      config: { oneTransaction: true, ...write, etag, actingMember: 'body', errors: [locked, postRefused] },
      schema: {
        tags,
        operationId: 'writeComment',
        summary: 'Write a comment',
        description:
          'The content is Markdown. `parent_id` makes the comment a reply. In a moderated category the first post of a member waits for a moderator; an approved comment comes last in its discussion.',
        params: ByDiscussion,
        querystring: WithIncludes,
        body: NewComment,
        response: { 201: envelopeOf({ comment: WrittenComment }) },
      },
    },
    async (request) => {
      const { id } = request.params
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
      return { comment }
    },
  )
}

function updateCommentRoute(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPosts(config)

  api.patch(
    '/comments/:id',
    {
      config: { ...write, etag, errors: [locked, postRefused] },
      schema: {
        tags,
        operationId: 'updateComment',
        summary: 'Change a comment',
        description:
          'The author can change the comment until the discussion is locked; moderators always can. Earlier versions are kept.',
        params: ByComment,
        querystring: WithIncludes,
        body: CommentChanges,
        response: { 200: envelope(Comment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { body } = request
      const rendered =
        body.content === undefined ? undefined : await markdown.render(body.content, callerOf(request))
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        const opened = await openComment(ctx, id, viewer)
        await assertUnchanged(ctx, request, { id }, getComment)
        await judgeChange(ctx, { viewer, ...opened, rendered })
        const row = await editComment(ctx, opened, body, { viewer, rendered })
        return people.showIn(ctx, request, taggedBy(row, toComment(row, viewer)))
      })
    },
  )
}

function removeCommentRoute(api: Api): void {
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
        querystring: RemovalQuery,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        const opened = await openComment(ctx, id, viewer)
        await assertUnchanged(ctx, request, { id }, getComment)
        await removeComment(ctx, opened, viewer, request.query.reason)
      })
      return deleted(commentId, id)
    },
  )
}

function likeCommentRoutes(api: Api): void {
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
        const { id } = request.params as { id: string }
        const who = whoActs(request)
        return request.write(async (ctx) => {
          const asked = getComment(ctx, { id })
          const acting = actingMember(ctx, who)
          const comment = await asked
          const member = await acting
          const thread = await getThread(ctx, { id: comment.discussion_id })
          assertCommentThere(viewerAs(ctx.actor, member), thread, comment)
          const of = { comment_id: id, member_id: member.id }
          const { likes, isChanged } = await likeComment(ctx, of, liked)
          const event = liked ? postLiked : postUnliked
          if (isChanged)
            emit(ctx, event, { ...toPost(thread, comment), member_id: toId('member', member.id) })
          return likes
        })
      },
    })
}

function listCommentRevisionsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)

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
      const { id } = request.params
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
      return people.show(request, revisions)
    },
  )
}
