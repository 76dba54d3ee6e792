import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, mapAnswer, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { definePatch, givenField } from '#platform/http/define-patch.ts'
import { KEY, type Viewer } from '#platform/http/viewer.ts'
import { assertSees } from '../access/access.ts'
import { DiscussionChanges } from '../schema.ts'
import { WRITTEN, type WrittenRow } from '../written.ts'
import { threads, toDiscussion } from './rows.ts'

/** A discussion, and what which member has to do with it. */
interface Which {
  readonly id: string
  readonly member?: string | null
}
const byId = defineLookup('discussion', (v: Which & { viewer?: Viewer }) =>
  threads(v.member).where('d.id', '=', v.id),
)
/** A discussion, whoever may see it. @throws ApiError 404 */
export const getThread = byId.one('Discussion')

/** The discussion of a comment, whoever may see it. @throws ApiError 404 for the comment */
export const threadOfComment = defineLookup('discussion_of_comment', (v: { id: string }) =>
  threads(null).where(sql<boolean>`d.id = (select t.discussion_id from comments t where t.id = ${v.id})`),
).one('Comment')

const seen = byId
  .map((row, { viewer = KEY }) => {
    assertSees(viewer, row)
    return row
  })
  .one('Discussion')
/** A discussion that this viewer may see. @throws ApiError 404, the same for one that is not for them */
export const seeThread = deriveQuery((v: { id: string; viewer: Viewer }) =>
  seen({ ...v, member: v.viewer.memberId }),
)
/** The same as this viewer sees it. @throws ApiError 404 */
export const getDiscussion = deriveQuery((v: { id: string; viewer: Viewer }) =>
  mapAnswer(seeThread(v), (row) => toDiscussion(row, v.viewer)),
)

const lock = defineQuery('lock_discussion', (v: { id: string }) =>
  query.selectFrom('discussions').select('id').where('id', '=', v.id).forNoKeyUpdate(),
)
/**
 * A discussion that is locked until the transaction ends: whoever writes in it takes turns. It is read behind its lock: a join
 * that waited for the lock would still look for the category of before, and find nothing.
 * @throws ApiError 404
 */
export const lockThread = (ctx: Context, which: Which) => {
  lock(ctx, which)
  return getThread(ctx, which)
}
/** The same, or undefined. */
export const findThread = (ctx: Context, which: Which) => {
  lock(ctx, which)
  return foundThread(ctx, which)
}
const foundThread = byId.first()

/** What is written of a discussion. */
interface ThreadText extends WrittenRow {
  readonly id: string
  readonly category_id: string
  readonly title: string
}
const TEXT = ['category_id', 'title', 'content', 'content_html', 'excerpt'] as const

export const insertThread = defineQuery(
  'insert_discussion',
  (v: ThreadText & { author_id: string; status: string }) =>
    query.insertInto('discussions').values({
      ...pick(v, 'id', 'author_id', 'status', ...TEXT),
      mentions: sql`${v.mentions}::uuid[]`,
      attachments: sql`${v.attachments}::uuid[]`,
      shown_at: now,
      last_activity_at: now,
      created_at: now,
      updated_at: now,
    }),
)

/** Changes what is sent of a discussion that is locked; what was written comes as it is stored. */
export const patchThread = definePatch('discussions', {
  body: DiscussionChanges,
  current: deriveQuery(({ id, member }: Which & Partial<WrittenRow & { category_id: string }>) =>
    getThread({ id, ...(member !== undefined && { member }) }),
  ),
  columns: ['title'],
  fields: {
    content: givenField(...WRITTEN),
    category: givenField('category_id'),
    attachments: givenField('attachments'),
  },
  also: { updated_at: now, edited_at: now },
})
export const discussionTag = patchThread.tag

/** `isNews`: whether it is seen for the first time: it is dated so, and comes first. */
export const setThreadStatus = defineQuery(
  'set_discussion_status',
  (v: { id: string; status: string; isNews?: boolean }) =>
    query
      .updateTable('discussions')
      .set({
        status: v.status,
        shown_at: sql`case when ${v.isNews}::bool then ${now} else shown_at end`,
        created_at: sql`case when ${v.isNews}::bool then ${now} else created_at end`,
        last_activity_at: sql`case when ${v.isNews}::bool then ${now} else last_activity_at end`,
        updated_at: now,
      })
      .where('id', '=', v.id),
)

export const setThreadPinned = defineQuery('pin_discussion', (v: { id: string; is_pinned: boolean }) =>
  query
    .updateTable('discussions')
    .set({ ...pick(v, 'is_pinned'), updated_at: now })
    .where('id', '=', v.id),
)

export const setThreadLocked = defineQuery(
  'lock_discussion_for_good',
  (v: { id: string; is_locked: boolean }) =>
    query
      .updateTable('discussions')
      .set({ ...pick(v, 'is_locked'), updated_at: now })
      .where('id', '=', v.id),
)

export const setThreadAnswer = defineQuery(
  'answer_discussion',
  (v: { id: string; answer_id: string | null }) =>
    query
      .updateTable('discussions')
      .set({ ...pick(v, 'answer_id'), updated_at: now })
      .where('id', '=', v.id),
)

/** Whether something of this member stands in a category already. */
export const hasPostedIn = defineQuery('member_has_posted', (v: { member: string; category: string }) =>
  query.selectNoFrom(
    sql<boolean>`exists (select from discussions d where d.author_id = ${v.member}::uuid
        and d.category_id = ${v.category}::uuid and d.status = 'visible')
      or exists (select from comments t join discussions d on d.id = t.discussion_id
        where t.author_id = ${v.member}::uuid and d.category_id = ${v.category}::uuid and t.status = 'visible')`.as(
      'has_posted',
    ),
  ),
)
  .map(({ has_posted }) => has_posted)
  .single()
