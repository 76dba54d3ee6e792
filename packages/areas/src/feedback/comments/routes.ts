import { postRefused } from '#areas/moderation/errors.ts'
import { foldMuted, mutedBy } from '#areas/moderation/service.ts'
import { includeOfPosts } from '#areas/profiles/schema.ts'
import { showingPosts } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { actingMember, whoActs, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { mapPage, pageParameters } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { commentId } from '../ids.ts'
import { getItem } from '../queries.ts'
import { ById, WithIncludes } from '../schema.ts'
import { listComments } from './queries.ts'
import { ByComment, type FeedbackComment as Comment, FeedbackComment, NewFeedbackComment } from './schema.ts'
import { createComment, deleteComment } from './service.ts'

export function commentRoutes(api: Api, deps: AreaDeps): void {
  listFeedbackCommentsRoute(api, deps)
  commentOnFeedbackRoute(api, deps)
  deleteFeedbackCommentRoute(api)
}

function listFeedbackCommentsRoute(api: Api, { config }: AreaDeps): void {
  const people = showingPosts(config)
  api.get(
    '/feedback/:id/comments',
    {
      config: { access: { secret: 'read:community', public: 'catalog', user: 'self' } },
      schema: {
        operationId: 'listFeedbackComments',
        summary: 'List the comments on an item',
        description:
          'Comments are sorted oldest first. Private notes are listed and counted only for secret keys and moderators.',
        params: ById,
        querystring: strict({ ...pageParameters, include: includeOfPosts }),
        response: { 200: listEnvelope(FeedbackComment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { comments } = await request.read({
        item: getItem({ id, viewer }),
        comments: listComments({ ...request.query, feedbackId: id, viewer }),
      })
      const authorOf = ({ author_id }: Comment) =>
        author_id === null ? null : (parseId('member', author_id) ?? null)
      const { muted } = await request.read({
        muted: mutedBy({ viewer, authors: comments.rows.map(authorOf) }),
      })
      const shown = mapPage(comments, (comment) =>
        viewer.memberId === null
          ? comment
          : foldMuted({ ...comment, viewer: { muted: muted.includes(authorOf(comment) ?? '') } }),
      )
      return people.show(request, shown)
    },
  )
}

function commentOnFeedbackRoute(api: Api, { markdown, config }: AreaDeps): void {
  const people = showingPosts(config)
  api.post(
    '/feedback/:id/comments',
    {
      config: {
        oneTransaction: true,
        access: { secret: 'write:community', user: 'self' },
        actingMember: 'body',
        errors: [postRefused],
      },
      schema: {
        operationId: 'commentOnFeedback',
        summary: 'Comment on an item',
        description:
          'Only secret keys and moderators can write official comments and private notes. A comment that a moderation rule holds has the `moderation_status` `pending`: its author and the team see it.',
        params: ById,
        querystring: WithIncludes,
        body: NewFeedbackComment,
        response: { 201: envelope(FeedbackComment) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { content, author_id, official = false, visibility = 'public' } = request.body
      const named = { field: 'author_id', id: author_id }
      const who = official ? whoMayAct(request, named) : whoActs(request, named)
      const { source, html, text } = await markdown.render(content, callerOf(request))
      return request.write(async (ctx) => {
        const viewer = await viewerOf(ctx, request)
        const item = getItem(ctx, { id, viewer })
        const acting = actingMember(ctx, who)
        await item
        const author = await acting
        const input = {
          feedback_id: id,
          content: source,
          content_html: html,
          author_id: author?.id ?? null,
          is_official: official,
          visibility,
          attachments: request.body.attachments ?? [],
        }
        const created = await createComment(ctx, viewer, input, { author, text })
        return people.showIn(ctx, request, created)
      })
    },
  )
}

function deleteFeedbackCommentRoute(api: Api): void {
  api.delete(
    '/feedback-comments/:id',
    {
      config: { access: { secret: 'write:community', user: 'self' } },
      schema: {
        operationId: 'deleteFeedbackComment',
        sdk: 'feedback.comments.delete',
        summary: 'Delete a comment on feedback',
        description:
          'The author, moderators and secret keys can delete a comment. A deleted comment cannot be restored.',
        params: ByComment,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => deleteComment(ctx, id, await viewerOf(ctx, request)))
      return deleted(commentId, id)
    },
  )
}
