import { sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { defineList } from '#platform/db/lists/list.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { categoryInUse, slugTaken } from '../errors.ts'

const CONSTRAINTS = { discussion_categories_slug_key: slugTaken }

const own = ['id', 'slug', 'name', 'description', 'position', 'required_plans', 'moderated'] as const
const columns = [...own, 'created_at', 'updated_at'] as const

/** A category as it is stored. */
export interface CategoryRow {
  id: string
  slug: string
  name: string
  description: string
  position: number
  required_plans: string[]
  moderated: boolean
}

const categories = () =>
  query
    .selectFrom('discussion_categories as c')
    .select(columns.map((column) => `c.${column}` as const))
    .select(publishedPlans(sql.ref('c.required_plans')).as('published_plans'))
    .select(
      sql<number>`(select coalesce(sum(n.discussions), 0)::int8 from discussion_counts n
        where n.category_id = c.id and n.status = 'visible')`.as('discussion_count'),
    )

/** One page of categories, in their order. */
export const listCategories = defineList({
  label: 'discussion_categories',
  rows: categories,
  key: 'c.id',
  sorts: { position: ['c.position', 'int8'] },
  order: 'asc',
})

const byId = lookup('discussion_category', (v: { id: string }) => categories().where('c.id', '=', v.id))
/** @throws ApiError 404 */
export const getCategory = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Category')

const bySlug = lookup('discussion_category_by_slug', (v: { slug: string }) =>
  query.selectFrom('discussion_categories').select(own).where('slug', '=', v.slug),
)
export const findCategory = (ctx: Context, slug: string) => ctx.tx.first(bySlug, { slug })

const insert = statement(
  'insert_discussion_category',
  (v: CategoryRow) =>
    query.insertInto('discussion_categories').values({
      id: v.id,
      slug: v.slug,
      name: v.name,
      description: v.description,
      position: v.position,
      required_plans: sql`${v.required_plans}::uuid[]`,
      moderated: v.moderated,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN */
export const insertCategoryRow = (ctx: Context, row: CategoryRow) => ctx.tx.run(insert, row)

const insertUnlessThere = statement(
  'insert_discussion_category_once',
  (v: { id: string; slug: string; name: string }) =>
    query
      .insertInto('discussion_categories')
      .values({ id: v.id, slug: v.slug, name: v.name, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing()),
)
/** Makes a category unless somebody else just did. */
export const insertCategoryRowOnce = (ctx: Context, row: { id: string; slug: string; name: string }) =>
  ctx.tx.run(insertUnlessThere, row)

const update = statement(
  'update_discussion_category',
  (v: CategoryRow) =>
    query
      .updateTable('discussion_categories')
      .set({
        slug: v.slug,
        name: v.name,
        description: v.description,
        position: v.position,
        required_plans: sql`${v.required_plans}::uuid[]`,
        moderated: v.moderated,
        updated_at: now,
      })
      .where('id', '=', v.id),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN */
export const updateCategoryRow = (ctx: Context, row: CategoryRow) => ctx.tx.run(update, row)

const remove = statement(
  'delete_discussion_category',
  (v: { id: string }) => query.deleteFrom('discussion_categories').where('id', '=', v.id).returning('id'),
  {
    discussions_category_fkey: categoryInUse,
  },
)
/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export const deleteCategoryRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Category')
