import { type InferResult, sql } from 'kysely'
import { hasMuted } from '#areas/moderation/service.ts'
import { withFiles } from '#areas/storage/service.ts'
import { query } from '#platform/db/statement.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { type MaybeTruncated, shownTruncated } from '#platform/lists/fit-page.ts'
import type { Status } from '../access/access.ts'
import { categoryFlag, type WithCategory } from '../categories/service.ts'
import { commentId, discussionId } from '../ids.ts'
import type { Discussion, StartedDiscussion } from '../schema.ts'
import { textsOf } from '../written.ts'

const columns = [
  ...(['id', 'title', 'excerpt', 'author_id', 'category_id'] as const),
  ...(['attachments', 'mentions', 'status', 'is_pinned', 'is_locked', 'likes', 'comment_count'] as const),
  ...(['last_activity_at', 'created_at', 'updated_at', 'edited_at'] as const),
] as const

/** The first comment that a member has not read. */
const firstUnread = (member: string | null | undefined) =>
  sql<string | null>`case when ${member}::uuid is not null then (
    select u.id from comments u where u.discussion_id = d.id and u.status = 'visible'
      and u.created_at > coalesce(m.read_up_to, '-infinity') order by u.created_at, u.id limit 1) end`

/**
 * Discussions, their categories, and what a member has to do with them.
 * @param member a stored id, or null
 * @param isShort leaves the long texts unread
 */
export const threads = (member: string | null | undefined, { isShort = false } = {}) =>
  query
    .selectFrom('discussions as d')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .leftJoin('discussion_members as m', (on) =>
      on.onRef('m.discussion_id', '=', 'd.id').on('m.member_id', '=', sql<string>`${member}::uuid`),
    )
    .select(columns.map((column) => `d.${column}` as const))
    .select(textsOf('d', isShort))
    .select(['c.slug as category', 'c.required_plans', 'c.moderated', 'm.liked', 'm.subscription'])
    .select(hasMuted(member, 'd.author_id').as('muted'))
    // One that was reported and is hidden answers nothing until a moderator has decided.
    .select(
      sql<string | null>`(select a.id from comments a where a.id = d.answer_id and a.status = 'visible')`.as(
        'answer_id',
      ),
    )
    // To the microsecond, as a member has read up to it.
    .select(sql<string>`d.last_activity_at::text`.as('active_at'))
    .select(sql<string | null>`m.read_up_to::text`.as('read_up_to'))
    .select(firstUnread(member).as('first_unread_id'))
    .select(sql<boolean | null>`m.read_up_to >= d.last_activity_at`.as('is_read'))

export type ThreadRow = InferResult<ReturnType<typeof threads>>[number] & MaybeTruncated

/** What the reference's endpoint answers. A post that waits for a moderator shows it. */
export const toStarted = (row: ThreadRow & WithCategory): StartedDiscussion =>
  withFiles(row.attachments, {
    ...shared(row),
    ...categoryFlag(row),
    ...(row.status === 'pending' && { status: 'pending' as const }),
  })

const shared = (row: ThreadRow) => ({
  id: toId(discussionId, row.id),
  title: row.title,
  content: row.content,
  author_id: toId('member', row.author_id),
  category: row.category,
  likes: row.likes,
  created_at: row.created_at,
})

/** What the member for whom the row was read has still to read. */
export const toReadState = (row: ThreadRow) => ({
  unread: row.is_read !== true,
  first_unread_id: row.first_unread_id === null ? null : toId(commentId, row.first_unread_id),
})

/** A row as a client sees it; members also see what they have to do with it. */
export const toDiscussion = (row: ThreadRow, viewer?: Viewer): Discussion => ({
  ...shared(row),
  content_html: row.content_html,
  excerpt: row.excerpt,
  comment_count: row.comment_count,
  last_activity_at: row.last_activity_at,
  is_pinned: row.is_pinned,
  is_locked: row.is_locked,
  status: row.status as Status,
  answer_id: row.answer_id === null ? null : toId(commentId, row.answer_id),
  attachments: row.attachments.map((file) => toId('file', file)),
  updated_at: row.updated_at,
  edited_at: row.edited_at,
  ...shownTruncated(row),
  ...(viewer?.memberId != null && {
    viewer: {
      liked: row.liked === true,
      subscribed: row.subscription === 'on',
      ...toReadState(row),
      muted: row.muted,
    },
  }),
})
