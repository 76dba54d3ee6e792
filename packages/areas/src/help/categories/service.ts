import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { EDITOR } from '../articles/service.ts'
import { categoryCircle } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { slugOf } from '../slugs.ts'
import {
  type CategoryRow,
  deleteCategoryRow,
  getCategory,
  insertCategoryRow,
  isSlugTaken,
  listPath,
  lockTree,
  noParent,
  updateCategoryRow,
} from './queries.ts'
import type { HelpCategory, HelpCategoryChanges, HelpCategoryDetail, NewHelpCategory } from './schema.ts'

/** @throws ApiError 422 SLUG_TAKEN, or for a parent that does not exist */
export async function createCategory(ctx: Context, input: NewHelpCategory): Promise<HelpCategoryDetail> {
  const id = newUuid()
  await insertCategoryRow(ctx, {
    id,
    name: input.name,
    slug: input.slug ?? (await freeSlug(ctx, input.name, id)),
    description: input.description ?? '',
    icon: input.icon ?? '',
    parent_id: toParent(input.parent_id ?? null),
    position: input.position ?? 0,
  })
  return toDetail(await getCategory(ctx, id, EDITOR))
}

/** A slug that nobody asked for gives way to one that is there. */
async function freeSlug(ctx: Context, name: string, id: string): Promise<string> {
  const base = slugOf(name) ?? 'category'
  return base === 'category' || (await isSlugTaken(ctx, base))
    ? `${base.slice(0, 60)}-${id.slice(-12)}`
    : base
}

/**
 * Changes what is given and nothing else.
 * @throws ApiError 404; 422 SLUG_TAKEN, CATEGORY_CIRCLE, or for a parent that does not exist
 */
export async function updateCategory(
  ctx: Context,
  id: string,
  changes: HelpCategoryChanges,
): Promise<HelpCategoryDetail> {
  await lockTree(ctx)
  const before = await getCategory(ctx, id, EDITOR)
  if (Object.keys(changes).length === 0) return toDetail(before)
  const { parent_id, ...others } = changes
  const row: CategoryRow = {
    id,
    name: before.name,
    slug: before.slug,
    description: before.description,
    icon: before.icon,
    position: before.position,
    ...others,
    parent_id: parent_id === undefined ? before.parent_id : toParent(parent_id),
  }
  if (row.parent_id !== null && (await listPath(ctx, row.parent_id)).some((each) => each.id === id))
    throw categoryCircle()
  await updateCategoryRow(ctx, row)
  return toDetail(await getCategory(ctx, id, EDITOR))
}

/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export async function deleteCategory(ctx: Context, id: string): Promise<void> {
  await deleteCategoryRow(ctx, id)
  audit(ctx, { action: 'help_category.delete', target: toId(categoryId, id) })
}

/** An id of another kind is answered like another project’s category. */
function toParent(id: string | null): string | null {
  if (id === null) return null
  const uuid = parseId(categoryId, id)
  if (uuid === undefined) throw noParent()
  return uuid
}

type Row = CategoryRow & { article_count: number; created_at: string; updated_at: string }

/** A row as the list answers it. */
export const toCategory = (row: Row): HelpCategory => ({
  id: toId(categoryId, row.id),
  name: row.name,
  description: row.description,
  icon: row.icon,
  article_count: row.article_count,
})

/** A row as everything else answers it. */
export const toDetail = (row: Row): HelpCategoryDetail => ({
  ...toCategory(row),
  slug: row.slug,
  parent_id: row.parent_id === null ? null : toId(categoryId, row.parent_id),
  position: row.position,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
