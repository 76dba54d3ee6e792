import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { goalLimit, MOST_GOALS } from '../errors.ts'
import { goalId } from '../ids.ts'
import { countGoals, deleteGoalRow, type GoalRow, getGoal, insertGoalRow, updateGoalRow } from './queries.ts'
import type { Goal, GoalChanges, NewGoal } from './schema.ts'

/** @throws ApiError 422 unless it names an event or a page, and not both; GOAL_LIMIT where there are too many */
export async function createGoal(ctx: Context, { name, event, page }: NewGoal): Promise<Goal> {
  assertOne(event, page)
  if ((await countGoals(ctx)) >= MOST_GOALS) throw goalLimit()
  const row = { id: newUuid(), name: name ?? event ?? page ?? '', event: event ?? null, page: page ?? null }
  return toGoal(await insertGoalRow(ctx, row))
}

/** Changes what is given; a page takes the place of an event, and the other way round. @throws ApiError 404, 422 */
export async function updateGoal(ctx: Context, id: string, changes: GoalChanges): Promise<Goal> {
  const before = await getGoal(ctx, id)
  const { name = before.name, event, page } = changes
  if (event === undefined && page === undefined)
    return toGoal(await updateGoalRow(ctx, { id, name, event: before.event, page: before.page }))
  assertOne(event, page)
  return toGoal(await updateGoalRow(ctx, { id, name, event: event ?? null, page: page ?? null }))
}

function assertOne(event: string | undefined, page: string | undefined): void {
  if ((event === undefined) !== (page === undefined)) return
  const message = 'is required, unless page is given; only one of the two can be given'
  throw invalidBody([{ field: 'event', rule: 'required', message }])
}

/** A row as clients see it. */
export const toGoal = (row: GoalRow): Goal => ({ ...row, id: toId(goalId, row.id) })

/** @throws ApiError 404 */
export const deleteGoal = (ctx: Context, id: string) => deleteGoalRow(ctx, id)
