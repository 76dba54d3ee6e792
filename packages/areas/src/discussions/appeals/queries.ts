import { sql } from 'kysely'
import type { ModeratedTarget } from '#platform/catalogue/moderated.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { appealRefused } from '../errors.ts'

/** What is appealed: a case, or a post, whose newest case is meant. */
interface Appealed extends ModeratedTarget {
  readonly case_id: string | null
}
/** @throws ApiError 404 */
export const caseToAppeal = defineQuery('case_to_appeal', (v: Appealed) =>
  query
    .selectFrom('moderation_cases')
    .select('id')
    .where(
      // Each by its index.
      sql<boolean>`id in (
        select ${v.case_id}::uuid
        union all (select id from moderation_cases where comment_id = ${v.comment_id}::uuid order by id desc limit 1)
        union all (select id from moderation_cases
          where discussion_id = ${v.discussion_id}::uuid and ${v.comment_id}::uuid is null and comment_id is null
          order by id desc limit 1)
        union all (select id from moderation_cases
          where feedback_comment_id = ${v.feedback_comment_id}::uuid order by id desc limit 1)
        union all (select id from moderation_cases
          where feedback_id = ${v.feedback_id}::uuid and ${v.feedback_comment_id}::uuid is null
            and feedback_comment_id is null order by id desc limit 1))`,
    ),
).one('Moderation case')

interface NewAppeal {
  readonly id: string
  readonly case_id: string
  readonly member_id: string
  readonly text: string
}
/** @throws ApiError 422 APPEAL_REFUSED for a case that was appealed before */
export const insertAppeal = defineQuery(
  'insert_appeal',
  (v: NewAppeal) =>
    query
      .insertInto('appeals')
      .values({ ...pick(v, 'id', 'case_id', 'member_id', 'text'), created_at: now })
      .returning(['id', 'created_at']),
  { appeals_once_key: (cause) => appealRefused(cause, { reason: 'appealed' }) },
).single()

interface Decided {
  readonly cases: readonly string[]
  readonly decision: 'upheld' | 'overturned'
  readonly reason: string | null
  readonly decided_by: string | null
}
/** Decides the appeals of cases that wait for it. @returns which they are */
export const decideAppeals = defineQuery('decide_appeals', (v: Decided) =>
  query
    .updateTable('appeals')
    .set({ ...pick(v, 'decision', 'reason', 'decided_by'), decided_at: now })
    .where('case_id', '=', sql<string>`any (${v.cases}::uuid[])`)
    .where('decision', 'is', null)
    .returning(['id', 'case_id', 'member_id']),
)
