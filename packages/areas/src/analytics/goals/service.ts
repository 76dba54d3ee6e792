import type { Context } from '#platform/db/tenant.ts'
import { invalidBody } from '#platform/errors.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { newUuid } from '#platform/ids.ts'
import { pagePattern } from './path-pattern.ts'
import { getGoal, insertGoal, patchGoal } from './queries.ts'
import type { Goal, GoalChanges, NewGoal } from './schema.ts'

/** @throws ApiError 422 unless it names an event or a page, and not both */
export async function createGoal(ctx: Context, { name, event, page: sent }: NewGoal): Promise<Goal> {
  assertOne(event, sent)
  const page = sent === undefined ? undefined : pagePattern(sent)
  return insertGoal(ctx, {
    id: newUuid(),
    name: name ?? event ?? page ?? '',
    event: event ?? null,
    page: page ?? null,
  })
}

/** Changes what is sent; a page takes the place of an event, and the other way round. @throws ApiError 404, 412, 422 */
export async function updateGoal(
  ctx: Context,
  patch: PatchValues<GoalChanges> & { readonly id: string },
): Promise<Goal> {
  const { event, page } = patch.changes
  if (event !== undefined && page !== undefined) {
    await getGoal(ctx, { id: patch.id })
    assertOne(event, page)
  }
  return patchGoal(ctx, patch)
}

function assertOne(event: string | undefined, page: string | undefined): void {
  if ((event === undefined) !== (page === undefined)) return
  const message = 'is required, unless page is given; only one of the two can be given'
  throw invalidBody([{ field: 'event', rule: 'required', message }])
}
