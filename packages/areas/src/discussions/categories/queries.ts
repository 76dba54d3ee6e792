import { type InferResult, sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { mayEnter } from '../access/access.ts'
import { categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { type Category, CategoryChanges } from './schema.ts'

const LONGEST = 80

/** A name as a slug, in any script: `Q&A für alle` becomes `q-a-für-alle`; one of symbols alone becomes nothing. */
export function slugOf(name: string): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...words.join('-')].slice(0, LONGEST).join('').replace(/-$/, '')
}

/** The same of a field. @throws ApiError 422 for symbols alone */
export function slugFor(field: string, text: string): string {
  const slug = slugOf(text)
  if (slug === '') throw invalidField(field, 'slug', 'must have at least one letter or digit')
  return slug
}

const CONSTRAINTS = { discussion_categories_slug_key: slugTaken }

const own = ['id', 'slug', 'name', 'description', 'position', 'required_plans', 'moderated'] as const
const columns = [...own, 'created_at', 'updated_at'] as const

const categories = () =>
  query
    .selectFrom('discussion_categories as c')
    .select(columns.map((column) => `c.${column}` as const))
    .select(publishedPlans(sql.ref('c.required_plans')).as('published_plans'))
    .select(
      sql<number>`(select coalesce(sum(n.discussions), 0)::int8 from discussion_counts n
        where n.category_id = c.id and n.status = 'visible')`.as('discussion_count'),
    )

/**
 * A row as a client sees it: how much there is in a gated category is shown to those alone who may enter it, and plans that
 * are not public to keys alone.
 */
export const toCategory = (
  { published_plans, ...row }: InferResult<ReturnType<typeof categories>>[number],
  viewer: Viewer,
): Category => ({
  ...row,
  id: toId(categoryId, row.id),
  requires_plan: row.required_plans.length > 0,
  required_plans: (viewer.isKey ? row.required_plans : published_plans).map((plan) => toId('plan', plan)),
  discussion_count: mayEnter(viewer, row) ? row.discussion_count : 0,
})

/** One page of categories, in their order. */
export const listCategories = defineList({
  label: 'discussion_categories',
  rows: categories,
  key: 'c.id',
  sorts: { position: ['c.position', 'int8'] },
  order: 'asc',
})

/** @throws ApiError 404 */
export const getCategory = defineLookup('discussion_category', (v: { id: string; viewer: Viewer }) =>
  categories().where('c.id', '=', v.id),
)
  .map((row, { viewer }) => toCategory(row, viewer))
  .one('Category')

const bySlug = (v: { slug: string }) =>
  query.selectFrom('discussion_categories').select(own).where('slug', '=', v.slug)
/** A category as it is stored. */
export type CategoryRow = InferResult<ReturnType<typeof bySlug>>[number]
export const findCategory = defineLookup('discussion_category_by_slug', bySlug).first()

/** @throws ApiError 422 SLUG_TAKEN */
export const insertCategory = defineQuery(
  'insert_discussion_category',
  (v: CategoryRow) =>
    query.insertInto('discussion_categories').values({
      ...pick(v, 'id', 'slug', 'name', 'description', 'position', 'moderated'),
      required_plans: sql`${v.required_plans}::uuid[]`,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)

/** Makes a category unless somebody else just did. Answers undefined where somebody did. */
export const insertCategoryOnce = defineQuery(
  'insert_discussion_category_once',
  (v: { id: string; slug: string; name: string }) =>
    query
      .insertInto('discussion_categories')
      .values({ ...pick(v, 'id', 'slug', 'name'), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
      .returning('id'),
).first()

/** Changes what is sent. `required_plans` are stored ids here. @throws ApiError 404; 422 SLUG_TAKEN */
export const changeCategory = definePatch('discussion_categories', {
  body: CategoryChanges,
  current: getCategory,
  columns: ['name', 'description', 'position', 'moderated'],
  fields: {
    slug: field(
      (slug: string) => ({ slug: slugFor('slug', slug) }),
      (v) => ({ slug: v.slug }),
    ),
    required_plans: field(
      (required_plans: string[]) => ({ required_plans }),
      (v) => ({ required_plans: sql`${v.required_plans}::uuid[]` }),
    ),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
})

/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export const deleteCategory = defineQuery(
  'delete_discussion_category',
  (v: { id: string }) => query.deleteFrom('discussion_categories').where('id', '=', v.id).returning('name'),
  { discussions_category_fkey: categoryInUse },
).one('Category')
