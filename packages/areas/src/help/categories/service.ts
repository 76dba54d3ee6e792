import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { categoryCircle } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { slugOf } from '../schema.ts'
import {
  changeCategory,
  getEdited,
  insertCategory,
  isSlugTaken,
  listPath,
  lockTree,
  removeCategory,
  toParent,
} from './queries.ts'
import type { HelpCategoryChanges, HelpCategoryDetail, NewHelpCategory } from './schema.ts'

/** @throws ApiError 422 SLUG_TAKEN, or for a parent that does not exist */
export async function createCategory(ctx: Context, input: NewHelpCategory): Promise<HelpCategoryDetail> {
  const id = newUuid()
  insertCategory(ctx, {
    id,
    name: input.name,
    slug: input.slug ?? (await freeSlug(ctx, input.name, id)),
    description: input.description ?? '',
    icon: input.icon ?? '',
    parent_id: toParent(input.parent_id ?? null),
    position: input.position ?? 0,
  })
  return getEdited(ctx, { id })
}

/** A slug that nobody asked for gives way to one that is there. */
async function freeSlug(ctx: Context, name: string, id: string): Promise<string> {
  const slug = slugOf(name)
  const isFree = slug !== undefined && slug !== 'category' && !(await isSlugTaken(ctx, { slug }))
  return isFree ? slug : `${(slug ?? 'category').slice(0, 60)}-${id.slice(-12)}`
}

/**
 * Changes what is given and nothing else.
 * @throws ApiError 404; 412; 422 SLUG_TAKEN, CATEGORY_CIRCLE, or for a parent that does not exist
 */
export async function updateCategory(
  ctx: Context,
  patch: PatchValues<HelpCategoryChanges> & { id: string },
): Promise<HelpCategoryDetail> {
  const { id, changes } = patch
  lockTree(ctx)
  const parent = toParent(changes.parent_id ?? null)
  if (parent !== null) {
    await getEdited(ctx, { id })
    if ((await listPath(ctx, { id: parent })).some((each) => each.id === id)) throw categoryCircle()
  }
  return changeCategory(ctx, patch)
}

/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export async function deleteCategory(ctx: Context, id: string): Promise<void> {
  const before = await removeCategory(ctx, { id })
  audit(ctx, { action: 'help_category.delete', target: toId(categoryId, id), before })
}
