import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Written } from '../written.ts'
import { type CommentRow, comments } from './rows.ts'

const byId = lookup('comment', (v: { id: string; member: string | null }) =>
  comments(v.member).where('t.id', '=', v.id),
)
export const findComment = (ctx: Context, id: string, member: string | null = null) =>
  ctx.tx.first(byId, { id, member }).map((row): CommentRow | undefined => row)

/** @throws ApiError 404 */
export const getComment = (ctx: Context, id: string, member: string | null = null) =>
  ctx.tx.one(byId, { id, member }, 'Comment').map((row): CommentRow => row)

/** What is written of a comment. */
interface CommentText extends Written {
  readonly content: string
  readonly attachments: readonly string[]
}
interface NewCommentRow extends CommentText {
  readonly id: string
  readonly discussion: string
  readonly parent: string | null
  readonly author: string
  readonly status: string
}

const insert = statement('insert_comment', (v: NewCommentRow) =>
  query.insertInto('comments').values({
    id: v.id,
    discussion_id: v.discussion,
    parent_id: v.parent,
    author_id: v.author,
    content: v.content,
    content_html: v.html,
    excerpt: v.excerpt,
    mentions: sql`${v.mentions}::uuid[]`,
    attachments: sql`${v.attachments}::uuid[]`,
    status: v.status,
    // Of this moment, not of the transaction's beginning: whoever waited for the discussion comes later.
    created_at: thisMoment,
    updated_at: thisMoment,
    shown_at: sql`case when ${v.status}::text = 'visible' then ${thisMoment} end`,
  }),
)
export const insertCommentRow = (ctx: Context, row: NewCommentRow) => ctx.tx.run(insert, row)

const update = statement('update_comment', (v: CommentText & { id: string }) =>
  query
    .updateTable('comments')
    .set({
      content: v.content,
      content_html: v.html,
      excerpt: v.excerpt,
      mentions: sql`${v.mentions}::uuid[]`,
      attachments: sql`${v.attachments}::uuid[]`,
      updated_at: now,
      edited_at: now,
    })
    .where('id', '=', v.id),
)
export const updateCommentRow = (ctx: Context, row: CommentText & { id: string }) => ctx.tx.run(update, row)

const rendered = lookup('comment_text', (v: { id: string }) =>
  query.selectFrom('comments').select(['content_html', 'excerpt', 'mentions']).where('id', '=', v.id),
)
/** What was rendered when the comment was written. */
export const renderedComment = (ctx: Context, id: string) => ctx.tx.one(rendered, { id }, 'Comment')

const setStatus = statement('set_comment_status', (v: { id: string; status: string; isNews: boolean }) =>
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
/** @param isNews whether it is seen for the first time: it is dated so, and comes last */
export const setCommentStatus = (ctx: Context, id: string, status: string, isNews = false) =>
  ctx.tx.run(setStatus, { id, status, isNews })

interface Like {
  comment: string
  member: string
}
const like = statement('like_comment', (v: Like) =>
  query
    .insertInto('comment_likes')
    .values({ comment_id: v.comment, member_id: v.member, created_at: now })
    .onConflict((conflict) => conflict.doNothing()),
)
const unlike = statement('unlike_comment', (v: Like) =>
  query.deleteFrom('comment_likes').where('comment_id', '=', v.comment).where('member_id', '=', v.member),
)
const likesOf = statement('likes_of_comment', (v: { comment: string }) =>
  query.selectFrom('comments').select('likes').where('id', '=', v.comment),
)
/** Likes a comment or not, and answers how many do. */
export async function likeComment(ctx: Context, mark: Like, liked: boolean) {
  if (liked) ctx.tx.all(like, mark)
  else ctx.tx.all(unlike, mark)
  const { likes } = await ctx.tx.single(likesOf, { comment: mark.comment })
  return { liked, likes }
}
