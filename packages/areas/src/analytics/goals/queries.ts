import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Goal } from './goal.ts'

const columns = ['id', 'name', 'event', 'page', 'created_at', 'updated_at'] as const

/** A goal as it is stored. */
export interface GoalRow extends Goal {
  readonly name: string
  readonly created_at: string
  readonly updated_at: string
}

const all = statement('all_goals', () =>
  query.selectFrom('analytics_goals').select(['id', 'event', 'page']).orderBy('id'),
)

/** What every report needs of the goals. */
export const allGoals = (ctx: Context) => ctx.tx.all(all, {})

/** The newest first. */
export const listGoals = defineList({
  label: 'goals',
  rows: () => query.selectFrom('analytics_goals').select(columns),
  key: 'id',
})

const count = statement('goals_count', () =>
  query.selectFrom('analytics_goals').select(sql<number>`count(*)`.as('total')),
)

const byId = lookup('goal_by_id', (v: { id: string }) =>
  query.selectFrom('analytics_goals').select(columns).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const getGoal = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Goal')
/** Undefined where there is none. */
export const findGoal = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

type Written = Pick<GoalRow, 'id' | 'name' | 'event' | 'page'>

const insert = statement('insert_goal', (v: Written) =>
  query
    .insertInto('analytics_goals')
    .values({ id: v.id, name: v.name, event: v.event, page: v.page })
    .returning(columns),
)
export const insertGoalRow = (ctx: Context, goal: Written) => ctx.tx.single(insert, goal)

const update = statement('update_goal', (v: Written) =>
  query
    .updateTable('analytics_goals')
    .set({ name: v.name, event: v.event, page: v.page, updated_at: sql`now()` })
    .where('id', '=', v.id)
    .returning(columns),
)
/** @throws ApiError 404 */
export const updateGoalRow = (ctx: Context, goal: Written) => ctx.tx.one(update, goal, 'Goal')

const remove = statement('delete_goal', (v: { id: string }) =>
  query.deleteFrom('analytics_goals').where('id', '=', v.id).returning('id'),
)
/** @throws ApiError 404 */
export const deleteGoalRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Goal')

const lockAll = statement('lock_goals', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('goals ' || app.current_project(), 0))`.as('locked'),
  ),
)
/** How many goals there are, while nobody else can add one. */
export function countGoals(ctx: Context) {
  ctx.tx.run(lockAll, {})
  return ctx.tx.single(count, {}).map(({ total }) => total)
}
