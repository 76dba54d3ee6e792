import { readPlanIds } from '#areas/plans/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { mayEnter, type Viewer } from '../access/access.ts'
import { categoryId } from '../ids.ts'
import { slugOf } from '../slug.ts'
import {
  type CategoryRow,
  deleteCategoryRow,
  findCategory,
  getCategory,
  insertCategoryRow,
  insertCategoryRowOnce,
  updateCategoryRow,
} from './queries.ts'
import type { Category, CategoryChanges, NewCategory } from './schema.ts'

interface FullRow extends CategoryRow {
  published_plans: string[]
  discussion_count: number
  created_at: string
  updated_at: string
}

/**
 * A row as a client sees it: how much there is in a gated category is told to those alone who may enter it, and plans that
 * are not public to keys alone.
 */
export const toCategory = ({ published_plans, ...row }: FullRow, viewer: Viewer): Category => ({
  ...row,
  id: toId(categoryId, row.id),
  requires_plan: row.required_plans.length > 0,
  required_plans: (viewer.kind === 'key' ? row.required_plans : published_plans).map((plan) =>
    toId('plan', plan),
  ),
  discussion_count: mayEnter(viewer, row) ? row.discussion_count : 0,
})

/** Who works on categories: a secret key. */
const KEY: Viewer = { kind: 'key' }

/** @throws ApiError 422 SLUG_TAKEN, or for a slug or plans that are none */
export async function createCategory(ctx: Context, input: NewCategory): Promise<Category> {
  const row = {
    id: newUuid(),
    slug: input.slug === undefined ? slugFor('name', input.name) : slugFor('slug', input.slug),
    name: input.name,
    description: input.description ?? '',
    position: input.position ?? 0,
    required_plans: await readPlanIds(ctx, 'required_plans', input.required_plans ?? []),
    moderated: input.moderated ?? false,
  }
  await insertCategoryRow(ctx, row)
  return toCategory(await getCategory(ctx, row.id), KEY)
}

/** @throws ApiError 404; 422 SLUG_TAKEN, or for a slug or plans that are none */
export async function updateCategory(ctx: Context, id: string, changes: CategoryChanges): Promise<Category> {
  const before = await getCategory(ctx, id)
  if (Object.keys(changes).length === 0) return toCategory(before, KEY)
  await updateCategoryRow(ctx, {
    id,
    slug: changes.slug === undefined ? before.slug : slugFor('slug', changes.slug),
    name: changes.name ?? before.name,
    description: changes.description ?? before.description,
    position: changes.position ?? before.position,
    required_plans:
      changes.required_plans === undefined
        ? before.required_plans
        : await readPlanIds(ctx, 'required_plans', changes.required_plans),
    moderated: changes.moderated ?? before.moderated,
  })
  return toCategory(await getCategory(ctx, id), KEY)
}

/**
 * The category that somebody writes in.
 * @param mayMake whether one that is missing is made
 * @throws ApiError 422 where there is none, or where its name is of symbols alone
 */
export async function categoryFor(ctx: Context, named: string, mayMake: boolean): Promise<CategoryRow> {
  const slug = slugOf(named)
  const found = slug === '' ? undefined : await findCategory(ctx, slug)
  if (found) return found
  if (!mayMake) throw invalidField('category', 'exists', 'is not the slug of a category')
  await insertCategoryRowOnce(ctx, { id: newUuid(), slug: slugFor('category', named), name: named.trim() })
  const made = await findCategory(ctx, slug)
  if (made === undefined) throw new Error('the category that was just made is not there')
  return made
}

function slugFor(field: string, text: string): string {
  const slug = slugOf(text)
  if (slug === '') throw invalidField(field, 'slug', 'must have at least one letter or digit')
  return slug
}

/** @throws ApiError 404; 422 while it has discussions */
export const deleteCategory = (ctx: Context, id: string) => deleteCategoryRow(ctx, id)
