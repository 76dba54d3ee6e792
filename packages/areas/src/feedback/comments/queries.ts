import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { memberNotFound } from '#platform/http/acting-member.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { bytesOfNames, type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import { defineList } from '#platform/lists/list.ts'
import { choice, condition, equals } from '#platform/lists/list-filters.ts'
import { commentId, feedbackId } from '../ids.ts'
import { moderationOf } from '../rows.ts'
import type { FeedbackComment } from './schema.ts'

const texts = ['content', 'content_html', 'author_id', 'is_official', 'visibility', 'shown_as'] as const
const columns = ['id', 'feedback_id', ...texts, 'attachments', 'created_at'] as const

export const commentRows = () => query.selectFrom('feedback_comments').select(columns)
export type CommentRow = InferResult<ReturnType<typeof commentRows>>[number]

/** A row as clients see it. */
export const toComment = ({
  is_official,
  truncated,
  shown_as,
  ...row
}: CommentRow & MaybeTruncated): FeedbackComment => ({
  ...row,
  ...shownTruncated({ truncated }),
  id: toId(commentId, row.id),
  feedback_id: toId(feedbackId, row.feedback_id),
  author_id: row.author_id === null ? null : toId('member', row.author_id),
  official: is_official,
  visibility: (shown_as ?? row.visibility) as FeedbackComment['visibility'],
  ...moderationOf({ visibility: row.visibility, shown_as }),
  attachments: row.attachments.map((file) => toId('file', file)),
})

/** A comment as it is written, with its content as HTML. */
export type NewComment = Omit<CommentRow, 'id' | 'created_at' | 'shown_as'>

/** @throws ApiError 422 for an unknown author */
export const insertComment = defineQuery(
  'insert_feedback_comment',
  (v: Omit<CommentRow, 'created_at'>) =>
    query
      .insertInto('feedback_comments')
      .values({
        ...pick(v, 'id', 'feedback_id', ...texts),
        attachments: sql`${v.attachments}::uuid[]`,
        created_at: now,
      })
      .returning(columns),
  { feedback_comments_author_fkey: (cause) => memberNotFound('author_id', cause) },
).single()

/** A comment that nobody else deletes until this transaction ends. @throws ApiError 404 */
const lockById = defineQuery('lock_feedback_comment', (v: { id: string }) =>
  commentRows().where('id', '=', v.id).forUpdate(),
)
export const lockComment = lockById.one('Comment')
/** The same; undefined where there is none. */
export const findComment = lockById.first()

/** From now on its author and the team alone see it. */
export const hideComment = defineQuery('hide_feedback_comment', (v: { id: string }) =>
  query
    .updateTable('feedback_comments')
    .set({ visibility: 'private', shown_as: sql`coalesce(shown_as, visibility)` })
    .where('id', '=', v.id),
)
/** From now on the team alone sees it. */
export const takeCommentDown = defineQuery('remove_feedback_comment', (v: { id: string }) =>
  query
    .updateTable('feedback_comments')
    .set({ visibility: 'removed', shown_as: sql`coalesce(shown_as, visibility)` })
    .where('id', '=', v.id),
)
/** From now on others see it, as it allows. */
export const showComment = defineQuery('show_feedback_comment', (v: { id: string }) =>
  query
    .updateTable('feedback_comments')
    .set({ visibility: sql`coalesce(shown_as, visibility)`, shown_as: null })
    .where('id', '=', v.id),
)

/** What the files of comments are referred to from. */
export const FEEDBACK_COMMENT = 'feedback_comment'

export const commentsWithFiles = defineQuery('feedback_comments_with_files', (v: { feedbackId: string }) =>
  query
    .selectFrom('feedback_comments')
    .select('id')
    .where('feedback_id', '=', v.feedbackId)
    .where(sql<boolean>`attachments <> '{}'`),
)

export const removeComment = defineQuery('delete_feedback_comment', (v: { id: string }) =>
  query.deleteFrom('feedback_comments').where('id', '=', v.id),
)

/** JSON bytes of a comment beside its texts, with its author; and of a file. */
const [BYTES_OF_COMMENT, BYTES_OF_FILE] = [sql.lit(4_300), sql.lit(2_250)]

/** A visitor. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

const list = defineList({
  label: 'feedback_comments',
  rows: commentRows,
  map: toComment,
  key: 'id',
  scope: { feedbackId: equals<string>('feedback_id') },
  filters: {
    // Public ones, and those of a member that wait.
    seen_by: condition<string | null>(
      (member) =>
        sql`(visibility = 'public' or visibility = 'private' and shown_as is not null and author_id = ${member}::uuid)`,
    ),
    there: choice<true>(() => sql`visibility <> 'removed'`),
  },
  order: 'asc',
  long: {
    texts: ['content'],
    html: { content_html: 'content' },
    besides: sql`(${BYTES_OF_COMMENT} + ${BYTES_OF_FILE} * cardinality(attachments) + ${bytesOfNames('content')})`,
  },
})
/** What this viewer may read on an item, the oldest first. */
export const listComments = deriveQuery((v: PageRequest & { feedbackId: string; viewer: Viewer }) =>
  list(isStaff(v.viewer) ? { ...v, there: true } : { ...v, seen_by: v.viewer.memberId ?? NOBODY }),
)
