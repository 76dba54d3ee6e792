import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { Reader } from '../audience.ts'
import { categoryInUse, slugTaken } from '../errors.ts'

/** What a parent that does not exist means to a client. */
export const noParent = (cause?: unknown) =>
  invalidField('parent_id', 'exists', 'is not a category of this help center', cause)
const CONSTRAINTS = {
  help_categories_slug_key: slugTaken,
  help_categories_parent_fkey: noParent,
}

interface Seen {
  audiences: readonly string[] | null
}

const categories = (v: Seen) =>
  query
    .selectFrom('help_categories as c')
    .select(['c.id', 'c.name', 'c.description', 'c.icon', 'c.slug', 'c.parent_id', 'c.position'])
    .select(['c.created_at', 'c.updated_at'])
    .select(
      sql<number>`coalesce((select sum(n.articles) from help_article_counts n where n.category_id = c.id
        and n.status = 'published' and (${v.audiences}::text[] is null or n.audience && ${v.audiences}::text[])), 0)::int8`.as(
        'article_count',
      ),
    )

interface ListValues extends Seen {
  limit: number
  position: number
  id: string
  parent: string | null
}
interface Variant {
  readonly parent: 'any' | 'none' | 'one'
  readonly after: boolean
}
const page = statements(
  'help_categories_page',
  ({ parent, after }: Variant) =>
    (v: ListValues) =>
      categories(v)
        .$if(parent === 'none', (rows) => rows.where('c.parent_id', 'is', null))
        .$if(parent === 'one', (rows) => rows.where('c.parent_id', '=', v.parent))
        .$if(after, (rows) =>
          rows.where(sql<boolean>`(c.position, c.id) > (${v.position}::int4, ${v.id}::uuid)`),
        )
        .orderBy('c.position')
        .orderBy('c.id')
        .limit(v.limit),
)

/** Where a list goes on. */
export interface After {
  readonly position: number
  readonly id: string
}

/** So many categories in their order. @param parent of one category, or null of those at the top */
export function listCategories(
  ctx: Context,
  reader: Reader,
  { limit, after, parent }: { limit: number; after?: After | undefined; parent?: string | null | undefined },
) {
  const which = parent === undefined ? 'any' : parent === null ? 'none' : 'one'
  return ctx.tx.all(page({ parent: which, after: after !== undefined }), {
    limit,
    audiences: reader.audiences,
    position: after?.position ?? 0,
    id: after?.id ?? '',
    parent: parent ?? null,
  })
}

const byId = statement('help_category', (v: Seen & { id: string }) => categories(v).where('c.id', '=', v.id))
/** @throws ApiError 404 */
export const getCategory = (ctx: Context, id: string, reader: Reader) =>
  ctx.tx.one(byId, { id, audiences: reader.audiences }, 'Category')

const above = statement('help_categories_above', (v: { id: string }) => ({
  compile: () =>
    sql<{ id: string; name: string; slug: string }>`
      with recursive up as (
        select c.id, c.parent_id, c.name, c.slug, 0 as height from help_categories c where c.id = ${v.id}::uuid
        union all
        select c.id, c.parent_id, c.name, c.slug, up.height + 1 from up join help_categories c on c.id = up.parent_id
      )
      select id, name, slug from up order by height desc`.compile(query),
}))
/** A category and those that it is in, from the top. */
export const listPath = (ctx: Context, id: string) => ctx.tx.all(above, { id })

const lock = statement('lock_help_categories', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('help categories ' || app.current_project(), 0))`.as('locked'),
  ),
)
/** From here to its end, this transaction alone moves categories of the project. */
export const lockTree = (ctx: Context) => ctx.tx.run(lock, {})

export interface CategoryRow {
  id: string
  name: string
  slug: string
  description: string
  icon: string
  parent_id: string | null
  position: number
}
const insert = statement(
  'insert_help_category',
  (v: CategoryRow) =>
    query.insertInto('help_categories').values({
      id: v.id,
      name: v.name,
      slug: v.slug,
      description: v.description,
      icon: v.icon,
      parent_id: v.parent_id,
      position: v.position,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN, or for a parent that does not exist */
export const insertCategoryRow = (ctx: Context, category: CategoryRow) => ctx.tx.run(insert, category)

const update = statement(
  'update_help_category',
  (v: CategoryRow) =>
    query
      .updateTable('help_categories')
      .set({
        name: v.name,
        slug: v.slug,
        description: v.description,
        icon: v.icon,
        parent_id: v.parent_id,
        position: v.position,
        updated_at: now,
      })
      .where('id', '=', v.id),
  CONSTRAINTS,
)
/** @throws ApiError 422 SLUG_TAKEN, or for a parent that does not exist */
export const updateCategoryRow = (ctx: Context, category: CategoryRow) => ctx.tx.run(update, category)

const slug = statement('help_category_slug', (v: { slug: string }) =>
  query.selectFrom('help_categories').select('id').where('slug', '=', v.slug),
)
/** Whether a category has this slug. */
export const isSlugTaken = (ctx: Context, text: string) =>
  ctx.tx.first(slug, { slug: text }).map((row) => row !== undefined)

const remove = statement(
  'delete_help_category',
  (v: { id: string }) => query.deleteFrom('help_categories').where('id', '=', v.id).returning('id'),
  { help_categories_parent_fkey: categoryInUse, help_articles_category_fkey: categoryInUse },
)
/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export const deleteCategoryRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Category')
