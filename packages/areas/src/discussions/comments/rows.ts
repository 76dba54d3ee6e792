import { type InferResult, sql } from 'kysely'
import { foldMuted, hasMuted } from '#areas/moderation/service.ts'
import { withFiles } from '#areas/storage/service.ts'
import { query } from '#platform/db/statement.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import { isAuthor, type Status } from '../access/access.ts'
import { commentId, discussionId } from '../ids.ts'
import type { Comment, CommentWithReplies, WrittenComment } from '../schema.ts'
import { textsOf } from '../written.ts'

const columns = [
  ...(['id', 'discussion_id', 'parent_id', 'author_id', 'excerpt'] as const),
  ...(['attachments', 'mentions', 'status', 'likes', 'reply_count', 'created_at', 'updated_at'] as const),
  'edited_at',
] as const

/**
 * Comments, and whether a member likes them.
 * @param member a stored id, or null
 * @param isShort leaves the long texts unread
 */
export const comments = (member: string | null | undefined, { isShort = false } = {}) =>
  query
    .selectFrom('comments as t')
    .select(columns.map((column) => `t.${column}` as const))
    .select(textsOf('t', isShort))
    // To the microsecond, for cursors.
    .select(sql<string>`t.created_at::text`.as('written_at'))
    .select(hasMuted(member, 't.author_id').as('muted'))
    .select(
      sql<boolean>`exists (select from comment_likes l where l.comment_id = t.id
        and l.member_id = ${member}::uuid)`.as('liked'),
    )

/** The columns of `comments`, by name. */
export const commentColumns = [...columns, 'content', 'content_html', 'written_at', 'liked', 'muted'] as const

export type CommentRow = InferResult<ReturnType<typeof comments>>[number] & MaybeTruncated

/** What the reference's endpoint answers. */
export const toWrittenComment = (row: CommentRow): WrittenComment =>
  withFiles(row.attachments, {
    id: toId(commentId, row.id),
    discussion_id: toId(discussionId, row.discussion_id),
    content: row.content,
    author_id: toId('member', row.author_id),
    created_at: row.created_at,
    ...(row.status === 'pending' && { status: 'pending' as const }),
  })

/** A row as a client sees it. A removed or hidden comment keeps its place without its text, which staff see. */
export function toComment(row: CommentRow, viewer?: Viewer): Comment {
  const isEmpty = row.status !== 'visible' && !(viewer && seesHidden(viewer, row))
  return {
    id: toId(commentId, row.id),
    discussion_id: toId(discussionId, row.discussion_id),
    parent_id: row.parent_id === null ? null : toId(commentId, row.parent_id),
    content: isEmpty ? '' : row.content,
    content_html: isEmpty ? '' : row.content_html,
    excerpt: isEmpty ? '' : row.excerpt,
    author_id: isEmpty ? null : toId('member', row.author_id),
    status: row.status as Status,
    likes: row.likes,
    reply_count: row.reply_count,
    attachments: isEmpty ? [] : row.attachments.map((file) => toId('file', file)),
    created_at: row.created_at,
    updated_at: row.updated_at,
    edited_at: row.edited_at,
    ...shownTruncated(row),
    ...(viewer?.memberId != null && { viewer: { liked: row.liked, muted: row.muted } }),
  }
}

const seesHidden = (viewer: Viewer, row: CommentRow): boolean =>
  isStaff(viewer) || (row.status === 'pending' && isAuthor(viewer, row))

/** A comment of a page, with the comment of the upper level under which it stands. */
export type Placed = CommentRow & { readonly root: string }

/** Comments of the upper level, each with its first replies. @param rows both levels, in any order of the upper one */
export function toTree(
  upper: readonly CommentRow[],
  rows: readonly Placed[],
  viewer: Viewer,
): CommentWithReplies[] {
  const replies = Map.groupBy(rows, ({ root }) => root)
  return upper.map((row) => ({
    ...foldMuted(toComment(row, viewer)),
    replies: (replies.get(row.id) ?? []).map((reply) => foldMuted(toComment(reply, viewer))),
  }))
}
