import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { toId } from '#platform/ids.ts'
import type { Visitor } from '../access.ts'
import { commentId, feedbackId } from '../ids.ts'
import type { FeedbackComment } from './schema.ts'

const columns = [
  'id',
  'feedback_id',
  'content',
  'content_html',
  'author_id',
  'is_official',
  'visibility',
  'created_at',
] as const

interface CommentRow {
  id: string
  feedback_id: string
  content: string
  content_html: string
  author_id: string | null
  is_official: boolean
  visibility: string
  created_at: string
}

/** A row as clients see it. */
export const toComment = (row: CommentRow): FeedbackComment => ({
  id: toId(commentId, row.id),
  feedback_id: toId(feedbackId, row.feedback_id),
  content: row.content,
  content_html: row.content_html,
  author_id: row.author_id === null ? null : toId('member', row.author_id),
  official: row.is_official,
  visibility: row.visibility as FeedbackComment['visibility'],
  created_at: row.created_at,
})

const insert = statement(
  'insert_feedback_comment',
  (v: Omit<CommentRow, 'created_at'>) =>
    query
      .insertInto('feedback_comments')
      .values({
        id: v.id,
        feedback_id: v.feedback_id,
        content: v.content,
        content_html: v.content_html,
        author_id: v.author_id,
        is_official: v.is_official,
        visibility: v.visibility,
        created_at: now,
      })
      .returning(columns),
  { feedback_comments_author_fkey: (cause) => memberNotFound('author_id', cause) },
)
export const insertCommentRow = (ctx: Context, comment: Omit<CommentRow, 'created_at'>) =>
  ctx.tx.single(insert, comment)

const locked = statement('lock_feedback_comment', (v: { id: string }) =>
  query.selectFrom('feedback_comments').select(columns).where('id', '=', v.id).forUpdate(),
)
/** A comment that nobody else deletes until this transaction ends. @throws ApiError 404 */
export const lockComment = (ctx: Context, id: string) => ctx.tx.one(locked, { id }, 'Comment')

const remove = statement('delete_feedback_comment', (v: { id: string }) =>
  query.deleteFrom('feedback_comments').where('id', '=', v.id),
)
export const deleteCommentRow = (ctx: Context, id: string) => ctx.tx.run(remove, { id })

const list = defineList({
  label: 'feedback_comments',
  rows: () =>
    query.selectFrom('feedback_comments as c').select(columns.map((column) => `c.${column}` as const)),
  key: 'c.id',
  scope: { feedbackId: equals<string>('c.feedback_id') },
  filters: { visibility: equals<string>('c.visibility') },
  order: 'asc',
})
/** What this visitor may read on an item, the oldest first. */
export const listComments = (ctx: Context, feedbackId: string, visitor: Visitor, request: PageRequest) =>
  list(ctx, { ...request, feedbackId, visibility: visitor.isTeam ? undefined : 'public' })
