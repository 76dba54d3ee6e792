import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { newUuid } from '#platform/ids.ts'

/** A change that voters are to be notified of; undefined where its item is gone. */
export const findChange = defineLookup('feedback_status_change_to_tell', (v: { id: string }) =>
  query
    .selectFrom('feedback_status_changes as c')
    .select(['c.id', 'c.feedback_id', 'c.status', 'c.note'])
    .select(sql<string | null>`(select p.feedback_url from projects p where p.id = c.project_id)`.as('url'))
    .where('c.id', '=', v.id),
).first()

/**
 * Voters who have not been notified yet, each with the words of the item that they voted for first: this one or one merged
 * into it. So nobody reads of an item that they were never shown.
 */
export const listUnnotified = defineQuery(
  'voters_to_tell',
  (v: { feedbackId: string; changeId: string; limit: number }) =>
    query
      .selectFrom('feedback_votes as v')
      .innerJoin('members as m', 'm.id', 'v.member_id')
      .innerJoin('feedback as f', 'f.id', 'v.feedback_id')
      .distinctOn('m.id')
      .select([
        'm.id',
        'm.email',
        'm.full_name',
        sql<string>`coalesce(f.title, f.message)`.as('words'),
        'v.feedback_id',
      ])
      .where('v.feedback_id', 'in', sql<string>`(select app.feedback_downwards(${v.feedbackId}::uuid))`)
      .where('v.is_mailed', '=', true)
      .where('m.status', '=', 'active')
      .where('m.deleted_at', 'is', null)
      .where(
        sql<boolean>`not exists (select from feedback_notices n where n.change_id = ${v.changeId} and n.member_id = m.id)`,
      )
      .orderBy('m.id')
      .orderBy('v.id')
      .limit(v.limit),
)
const insertNotices = defineQuery(
  'insert_feedback_notices',
  (v: { ids: string[]; members: string[]; changeId: string }) =>
    query
      .insertInto('feedback_notices')
      .columns(['id', 'change_id', 'member_id', 'created_at'])
      .expression(
        sql`select notified.id, ${v.changeId}::uuid, notified.member_id, ${now}
        from unnest(${v.ids}::uuid[], ${v.members}::uuid[]) as notified (id, member_id)`,
      )
      .onConflict((conflict) => conflict.columns(['project_id', 'change_id', 'member_id']).doNothing())
      .returning('member_id'),
).map(({ member_id }) => member_id)
/** Notes that members are notified of a change. It answers those who were not notified before. */
export const markNotified = deriveQuery((v: { changeId: string; members: string[] }) =>
  insertNotices({ ...v, ids: v.members.map(() => newUuid()) }),
)
