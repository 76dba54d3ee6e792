import { type InferResult, sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { goalId } from '../ids.ts'
import { pagePattern } from './path-pattern.ts'
import { type Goal, GoalChanges } from './schema.ts'

const columns = ['id', 'name', 'event', 'page', 'created_at', 'updated_at'] as const
const goals = () => query.selectFrom('analytics_goals').select(columns)

/** A row as clients see it. Goals from before patterns were kept decoded have them as they were sent. */
const toGoal = (row: InferResult<ReturnType<typeof goals>>[number]): Goal => ({
  ...row,
  id: toId(goalId, row.id),
  page: row.page === null ? null : pagePattern(row.page),
})

/** What every report needs of the goals. */
export const allGoals = defineQuery('all_goals', () =>
  query.selectFrom('analytics_goals').select(['id', 'event', 'page']).orderBy('id'),
)

/** The newest first. */
export const listGoals = defineList({ label: 'goals', rows: goals, map: toGoal, key: 'id' })

/** @throws ApiError 404 */
export const getGoal = defineLookup('goal_by_id', (v: { id: string }) => goals().where('id', '=', v.id))
  .map(toGoal)
  .one('Goal')

export const insertGoal = defineQuery(
  'insert_goal',
  (v: { id: string; name: string; event: string | null; page: string | null }) =>
    query
      .insertInto('analytics_goals')
      .values(pick(v, 'id', 'name', 'event', 'page'))
      .returning(columns),
)
  .map(toGoal)
  .single()

/** Changes what is sent of a goal; a page takes the place of an event, and the other way round. @throws ApiError 404; 412 */
export const patchGoal = definePatch('analytics_goals', {
  body: GoalChanges,
  current: getGoal,
  columns: ['name'],
  fields: {
    event: field(
      (event: string) => ({ event }),
      (v) => ({ event: v.event, page: null }),
    ),
    page: field(
      (page: string) => ({ page: pagePattern(page) }),
      (v) => ({ page: v.page, event: null }),
    ),
  },
  also: { updated_at: sql`now()` },
})

/** @throws ApiError 404 */
export const deleteGoal = defineQuery('delete_goal', (v: { id: string }) =>
  query.deleteFrom('analytics_goals').where('id', '=', v.id).returning('name'),
).one('Goal')
