import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { definePatch, givenField } from '#platform/http/define-patch.ts'
import { CommentChanges } from '../schema.ts'
import { WRITTEN, type WrittenRow } from '../written.ts'
import { comments } from './rows.ts'

/** A comment, and what which member has to do with it. */
interface Which {
  readonly id: string
  readonly member?: string | null | undefined
}
const byId = defineLookup('comment', (v: Which) => comments(v.member).where('t.id', '=', v.id))
/** A comment, whoever may see it. */
export const findComment = byId.first()
/** The same. @throws ApiError 404 */
export const getComment = byId.one('Comment')

const TEXT = ['content', 'content_html', 'excerpt'] as const

interface NewCommentRow extends WrittenRow {
  readonly id: string
  readonly discussion_id: string
  readonly parent_id: string | null
  readonly author_id: string
  readonly status: string
}

export const insertComment = defineQuery('insert_comment', (v: NewCommentRow) =>
  query.insertInto('comments').values({
    ...pick(v, 'id', 'discussion_id', 'parent_id', 'author_id', 'status', ...TEXT),
    mentions: sql`${v.mentions}::uuid[]`,
    attachments: sql`${v.attachments}::uuid[]`,
    // Of this moment, not of the transaction's beginning: whoever waited for the discussion comes later.
    created_at: thisMoment,
    updated_at: thisMoment,
    shown_at: sql`case when ${v.status}::text = 'visible' then ${thisMoment} end`,
  }),
)

/** Changes what is sent of a comment whose discussion is locked; what was written comes as it is stored. */
export const patchComment = definePatch('comments', {
  body: CommentChanges,
  current: deriveQuery(({ id, member }: Which & Partial<WrittenRow>) => getComment({ id, member })),
  columns: [],
  fields: { content: givenField(...WRITTEN), attachments: givenField('attachments') },
  also: { updated_at: now, edited_at: now },
})

/** `isNews`: whether it is seen for the first time: it is dated so, and comes last. */
export const setCommentStatus = defineQuery(
  'set_comment_status',
  (v: { id: string; status: string; isNews?: boolean }) =>
    query
      .updateTable('comments')
      .set({
        status: v.status,
        shown_at: sql`case when ${v.isNews}::bool then ${thisMoment} else shown_at end`,
        created_at: sql`case when ${v.isNews}::bool then ${thisMoment} else created_at end`,
        updated_at: now,
      })
      .where('id', '=', v.id),
)

interface Like {
  readonly comment_id: string
  readonly member_id: string
}
const like = defineQuery('like_comment', (v: Like) =>
  query
    .insertInto('comment_likes')
    .values({ ...pick(v, 'comment_id', 'member_id'), created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('comment_id'),
).first()
const unlike = defineQuery('unlike_comment', (v: Like) =>
  query
    .deleteFrom('comment_likes')
    .where('comment_id', '=', v.comment_id)
    .where('member_id', '=', v.member_id)
    .returning('comment_id'),
).first()
const likesOf = defineQuery('likes_of_comment', (v: { comment_id: string }) =>
  query.selectFrom('comments').select('likes').where('id', '=', v.comment_id),
).single()
/** Likes a comment or not. @returns how many do, and whether that has changed */
export async function likeComment(ctx: Context, mark: Like, liked: boolean) {
  const changed = (liked ? like : unlike)(ctx, mark)
  const { likes } = await likesOf(ctx, mark)
  return { likes: { liked, likes }, isChanged: (await changed) !== undefined }
}
