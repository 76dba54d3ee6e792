import { sql } from 'kysely'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import { offsetOf, type PageRequest } from '#platform/http/page.ts'
import { toId } from '#platform/ids.ts'
import type { Visitor } from '../access.ts'
import { commentId, feedbackId, memberId } from '../ids.ts'
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
  author_id: row.author_id === null ? null : toId(memberId, row.author_id),
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
      })
      .returning(columns),
  { feedback_comments_author_fkey: (cause) => memberNotFound('author_id', cause) },
)
export const insertComment = (ctx: Context, comment: Omit<CommentRow, 'created_at'>) =>
  ctx.tx.single(insert, comment)

interface Shown {
  /** Whether private ones are shown too. */
  readonly all: boolean
}
const commentsOf = ({ all }: Shown, v: { id: string }) =>
  query
    .selectFrom('feedback_comments')
    .where('feedback_id', '=', v.id)
    .$if(!all, (rows) => rows.where('visibility', '=', 'public'))

const page = statements(
  'feedback_comments_page',
  (shown: Shown) => (v: { id: string; limit: number; offset: number }) =>
    commentsOf(shown, v).select(columns).orderBy('id').limit(v.limit).offset(v.offset),
)
const total = statements(
  'feedback_comments_total',
  (shown: Shown) => (v: { id: string }) => commentsOf(shown, v).select(sql<number>`count(*)`.as('total')),
)
/** One page of what this visitor may read on an item, the oldest first, and how much there is. */
export function listComments(ctx: Context, id: string, visitor: Visitor, request: PageRequest) {
  const shown = { all: visitor.isTeam }
  return ctx.tx
    .all(page(shown), { id, limit: request.limit, offset: offsetOf(request) })
    .and(ctx.tx.single(total(shown), { id }))
    .map(([comments, { total }]) => ({ comments, total }))
}
