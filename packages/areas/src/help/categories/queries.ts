import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { choice, hasId, shown } from '#platform/lists/list-filters.ts'
import { categoryInUse, slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { type HelpCategory, HelpCategoryChanges, type HelpCategoryDetail } from './schema.ts'

/** What a parent that does not exist means to a client. */
const noParent = (cause?: unknown) =>
  invalidField('parent_id', 'exists', 'is not a category of this help center', cause)
const CONSTRAINTS = {
  help_categories_slug_key: slugTaken,
  help_categories_parent_fkey: noParent,
}

/** The stored id of a parent; an id of another kind is answered like another project's category. @throws ApiError 422 */
export function toParent(id: string | null): string | null {
  if (id === null) return null
  const uuid = parseId(categoryId, id)
  if (uuid === undefined) throw noParent()
  return uuid
}

interface Seen {
  readonly id: string
  readonly audiences: readonly string[] | null
}

const own = ['id', 'name', 'slug', 'description', 'icon', 'parent_id', 'position'] as const

const categories = ({ audiences }: { audiences: unknown }) =>
  query
    .selectFrom('help_categories as c')
    .select(own.map((column) => `c.${column}` as const))
    .select(['c.created_at', 'c.updated_at'])
    .select(
      sql<number>`coalesce((select sum(n.articles) from help_article_counts n where n.category_id = c.id
        and n.status = 'published' and (${audiences}::text[] is null or n.audience && ${audiences}::text[])), 0)::int8`.as(
        'article_count',
      ),
    )
type Row = InferResult<ReturnType<typeof categories>>[number]

/** A row as lists answer it. */
const toCategory = ({ id, name, description, icon, article_count }: Row): HelpCategory => ({
  ...{ id: toId(categoryId, id), name, description, icon, article_count },
})

/** A row as everything else answers it. */
const toDetail = (row: Row): HelpCategoryDetail => ({
  ...row,
  id: toId(categoryId, row.id),
  parent_id: row.parent_id === null ? null : toId(categoryId, row.parent_id),
})

/** One page of categories in their order. `top`: those in no other. */
export const listCategories = defineList({
  label: 'help_categories',
  rows: ({ audiences }) => categories({ audiences }),
  map: toDetail,
  key: 'c.id',
  scope: { audiences: shown<readonly string[] | null>() },
  filters: {
    parent_id: hasId('c.parent_id', (text) => parseId(categoryId, text)),
    top: choice<true>(() => sql`c.parent_id is null`),
  },
  sorts: { position: ['c.position', 'int8'] },
  order: 'asc',
  counts: false,
})

/** Categories in a category are shown together. */
const MOST_CHILDREN = 200
/** Those in a category, in their order. */
export const listChildren = defineQuery('help_categories_in', (v: Seen) =>
  categories(v)
    .where('c.parent_id', '=', v.id)
    .orderBy('c.position')
    .orderBy('c.id')
    .limit(sql.lit(MOST_CHILDREN)),
).map(toCategory)

/** @throws ApiError 404 */
export const getCategory = defineQuery('help_category', (v: Seen) => categories(v).where('c.id', '=', v.id))
  .map(toDetail)
  .one('Category')
/** The same as a key sees it. @throws ApiError 404 */
export const getEdited = deriveQuery(({ id }: { id: string }) => getCategory({ id, audiences: null }))

/** A category and those that it is in, from the top. */
export const listPath = defineQuery(
  'help_categories_above',
  (v: { id: string }) =>
    sql<{ id: string; name: string; slug: string }>`
      with recursive up as (
        select c.id, c.parent_id, c.name, c.slug, 0 as height from help_categories c where c.id = ${v.id}::uuid
        union all
        select c.id, c.parent_id, c.name, c.slug, up.height + 1 from up join help_categories c on c.id = up.parent_id
      )
      select id, name, slug from up order by height desc`,
)

/** From here to its end, this transaction alone moves categories of the project. */
export const lockTree = defineQuery('lock_help_categories', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('help categories ' || app.current_project(), 0))`.as('locked'),
  ),
)

/** @throws ApiError 422 SLUG_TAKEN, or for a parent that does not exist */
export const insertCategory = defineQuery(
  'insert_help_category',
  (v: Pick<Row, (typeof own)[number]>) =>
    query.insertInto('help_categories').values({ ...pick(v, ...own), created_at: now, updated_at: now }),
  CONSTRAINTS,
)

/** Changes what is sent. @throws ApiError 404; 422 SLUG_TAKEN, or for a parent that does not exist */
export const changeCategory = definePatch('help_categories', {
  body: HelpCategoryChanges,
  current: getEdited,
  columns: ['name', 'slug', 'description', 'icon', 'position'],
  fields: {
    parent_id: field(
      (id: string | null) => ({ parent_id: toParent(id) }),
      (v) => ({ parent_id: v.parent_id }),
    ),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
})

/** Whether a category has this slug. */
export const isSlugTaken = defineQuery('help_category_slug', (v: { slug: string }) =>
  query.selectNoFrom((select) =>
    select
      .exists(select.selectFrom('help_categories').select('id').where('slug', '=', v.slug))
      .as('is_taken'),
  ),
)
  .map(({ is_taken }) => is_taken === true)
  .single()

/** @throws ApiError 404; 422 CATEGORY_IN_USE */
export const removeCategory = defineQuery(
  'delete_help_category',
  (v: { id: string }) => query.deleteFrom('help_categories').where('id', '=', v.id).returning('name'),
  { help_categories_parent_fkey: categoryInUse, help_articles_category_fkey: categoryInUse },
).one('Category')
