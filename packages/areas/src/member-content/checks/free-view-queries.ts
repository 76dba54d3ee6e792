import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { newUuid } from '#platform/ids.ts'

interface View {
  id: string
  memberId: string
  ruleId: string
  path: string
  limit: number
}

/** Under the lock of one row, so that the last free view goes to one. A path that was seen this month is free again. */
const take = defineQuery('take_free_view', (v: View) =>
  query
    .insertInto('content_free_views')
    .values({
      id: v.id,
      member_id: v.memberId,
      rule_id: v.ruleId,
      month: sql`date_trunc('month', ${now} at time zone 'UTC')::date`,
      paths: sql`array[${v.path}::text]`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'member_id', 'rule_id', 'month'])
        .doUpdateSet({
          paths: sql`case when ${v.path}::text = any (content_free_views.paths) then content_free_views.paths else content_free_views.paths || ${v.path}::text end`,
        })
        .where(
          sql<boolean>`${v.path}::text = any (content_free_views.paths) or cardinality(content_free_views.paths) < ${v.limit}::int`,
        ),
    )
    .returning('id'),
).first()

/** Counts a page among a member's free views of this month. @returns false where they are used up */
export const takeFreeView = deriveQuery((view: Omit<View, 'id'>) =>
  mapAnswer(take({ id: newUuid(), ...view }), (row) => row !== undefined),
)
