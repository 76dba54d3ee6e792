import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type ThreadRow, threads } from './rows.ts'

const byId = lookup('discussion', (v: { id: string; member: string | null }) =>
  threads(v.member).where('d.id', '=', v.id),
)
/** A discussion, whoever may see it. @param member what this member has to do with it @throws ApiError 404 */
export const getThread = (ctx: Context, id: string, member: string | null = null) =>
  ctx.tx.one(byId, { id, member }, 'Discussion').map((row): ThreadRow => row)

const locked = statement('lock_discussion', (v: { id: string; member: string | null }) =>
  threads(v.member).where('d.id', '=', v.id).forNoKeyUpdate('d'),
)
/** The same, held until the transaction ends: whoever writes in a discussion takes turns. @throws ApiError 404 */
export const lockThread = (ctx: Context, id: string, member: string | null = null) =>
  ctx.tx.one(locked, { id, member }, 'Discussion').map((row): ThreadRow => row)

/** The same, or undefined. */
export const findThread = (ctx: Context, id: string) =>
  ctx.tx.first(locked, { id, member: null }).map((row): ThreadRow | undefined => row)

/** What is written of a discussion. */
export interface ThreadText {
  title: string
  content: string
  html: string
  excerpt: string
  mentions: readonly string[]
  attachments: readonly string[]
}

const insert = statement(
  'insert_discussion',
  (v: ThreadText & { id: string; category: string; author: string; status: string }) =>
    query.insertInto('discussions').values({
      id: v.id,
      category_id: v.category,
      author_id: v.author,
      title: v.title,
      content: v.content,
      content_html: v.html,
      excerpt: v.excerpt,
      mentions: sql`${v.mentions}::uuid[]`,
      attachments: sql`${v.attachments}::uuid[]`,
      status: v.status,
      shown_at: now,
      last_activity_at: now,
      created_at: now,
      updated_at: now,
    }),
)
export const insertThreadRow = (
  ctx: Context,
  row: ThreadText & { id: string; category: string; author: string; status: string },
) => ctx.tx.run(insert, row)

const update = statement('update_discussion', (v: ThreadText & { id: string; category: string }) =>
  query
    .updateTable('discussions')
    .set({
      category_id: v.category,
      title: v.title,
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
export const updateThreadRow = (ctx: Context, row: ThreadText & { id: string; category: string }) =>
  ctx.tx.run(update, row)

const html = lookup('discussion_text', (v: { id: string }) =>
  query.selectFrom('discussions').select(['content_html', 'excerpt', 'mentions']).where('id', '=', v.id),
)
/** What was rendered when the discussion was written. */
export const renderedThread = (ctx: Context, id: string) => ctx.tx.one(html, { id }, 'Discussion')

const setStatus = statement('set_discussion_status', (v: { id: string; status: string; isNews: boolean }) =>
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
/** @param isNews whether it is seen for the first time: it is dated so, and comes first */
export const setThreadStatus = (ctx: Context, id: string, status: string, isNews = false) =>
  ctx.tx.run(setStatus, { id, status, isNews })

const setPinned = statement('pin_discussion', (v: { id: string; to: boolean }) =>
  query.updateTable('discussions').set({ is_pinned: v.to, updated_at: now }).where('id', '=', v.id),
)
export const setThreadPinned = (ctx: Context, id: string, to: boolean) => ctx.tx.run(setPinned, { id, to })

const setLocked = statement('lock_discussion_for_good', (v: { id: string; to: boolean }) =>
  query.updateTable('discussions').set({ is_locked: v.to, updated_at: now }).where('id', '=', v.id),
)
export const setThreadLocked = (ctx: Context, id: string, to: boolean) => ctx.tx.run(setLocked, { id, to })

const setAnswer = statement('answer_discussion', (v: { id: string; comment: string | null }) =>
  query.updateTable('discussions').set({ answer_id: v.comment, updated_at: now }).where('id', '=', v.id),
)
export const setThreadAnswer = (ctx: Context, id: string, comment: string | null) =>
  ctx.tx.run(setAnswer, { id, comment })

const hasPosted = statement('member_has_posted', (v: { member: string; category: string }) =>
  query.selectNoFrom(
    sql<boolean>`exists (select from discussions d where d.author_id = ${v.member}::uuid
        and d.category_id = ${v.category}::uuid and d.status = 'visible')
      or exists (select from comments t join discussions d on d.id = t.discussion_id
        where t.author_id = ${v.member}::uuid and d.category_id = ${v.category}::uuid and t.status = 'visible')`.as(
      'has_posted',
    ),
  ),
)
/** Whether something of this member stands in a category already. */
export const hasPostedIn = (ctx: Context, member: string, category: string) =>
  ctx.tx.single(hasPosted, { member, category }).map(({ has_posted }) => has_posted)
