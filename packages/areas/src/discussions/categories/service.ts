import { readPlanIds } from '#areas/plans/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { KEY } from '#platform/http/viewer.ts'
import { newUuid } from '#platform/ids.ts'
import {
  type CategoryRow,
  changeCategory,
  findCategory,
  getCategory,
  insertCategory,
  insertCategoryOnce,
  slugFor,
  slugOf,
} from './queries.ts'
import type { Category, CategoryChanges, NewCategory } from './schema.ts'

/** @throws ApiError 422 SLUG_TAKEN, or for a slug or plans that are none */
export async function createCategory(ctx: Context, input: NewCategory): Promise<Category> {
  const id = newUuid()
  const { name, slug, description = '', position = 0, moderated = false } = input
  insertCategory(ctx, {
    ...{ id, name, description, position, moderated },
    slug: slug === undefined ? slugFor('name', name) : slugFor('slug', slug),
    required_plans: await readPlanIds(ctx, 'required_plans', input.required_plans ?? []),
  })
  return getCategory(ctx, { id, viewer: KEY })
}

/** @throws ApiError 404; 412; 422 SLUG_TAKEN, or for a slug or plans that are none */
export async function updateCategory(
  ctx: Context,
  { id, changes, ifMatch }: PatchValues<CategoryChanges> & { id: string },
): Promise<Category> {
  const patch = { id, viewer: KEY, ifMatch }
  if (changes.required_plans === undefined) return changeCategory(ctx, { ...patch, changes })
  await getCategory(ctx, patch)
  const required_plans = await readPlanIds(ctx, 'required_plans', changes.required_plans)
  return changeCategory(ctx, { ...patch, changes: { ...changes, required_plans } })
}

/** What says that a category was made on the way. */
export interface WithCategory {
  readonly category_created?: true
}
export const categoryFlag = ({ category_created }: WithCategory): WithCategory =>
  category_created ? { category_created } : {}

/**
 * The category that somebody writes in.
 * @param mayMake whether one that is missing is made; the answer then says so
 * @throws ApiError 422 where there is none, or where its name is of symbols alone
 */
export async function categoryFor(
  ctx: Context,
  named: string,
  mayMake: boolean,
): Promise<CategoryRow & WithCategory> {
  const slug = slugOf(named)
  const found = slug === '' ? undefined : await findCategory(ctx, { slug })
  if (found) return found
  if (!mayMake) throw invalidField('category', 'exists', 'is not the slug of a category')
  const made = insertCategoryOnce(ctx, {
    ...{ id: newUuid(), slug: slugFor('category', named), name: named.trim() },
  })
  const row = await findCategory(ctx, { slug })
  if (row === undefined) throw new Error('the category that was just made is not there')
  return (await made) ? { ...row, category_created: true } : row
}
