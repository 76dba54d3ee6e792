import { sql } from 'kysely'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidField } from '#platform/errors.ts'
import { listedColumns, type ProductRow, productColumns } from './rows.ts'
import type { ListQuery } from './schema.ts'

const CONSTRAINTS = {
  products_slug_key: (cause: unknown) =>
    new ApiError(422, 'SLUG_TAKEN', 'Another product has this slug', {
      details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
      cause,
    }),
  products_plan_fkey: (cause: unknown) => noGrant('plan_id', cause),
}

/** What something that cannot be granted means to a client. */
export const noGrant = (field: 'plan_id' | 'course_id', cause?: unknown) =>
  invalidField(`grants.${field}`, 'exists', `is not a ${field.slice(0, -3)} of this project`, cause)

const live = () => query.selectFrom('products').where('deleted_at', 'is', null)

const byId = lookup('product_by_id', (v: { id: string }) =>
  live().select(productColumns).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const getProduct = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Product')

/** A product, or undefined. */
export const findProduct = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

const lock = statement('lock_product', (v: { id: string }) =>
  live().select(productColumns).where('id', '=', v.id).forUpdate(),
)

/** The same; changes of one product wait for each other. @throws ApiError 404 */
export const lockProduct = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Product')

type Variant = Pick<ListQuery, 'is_active'> & { category: boolean; slug: boolean; after: boolean }
interface Values {
  limit: number
  category: string
  slug: string
  after: string
}

const page = statements(
  'products_page',
  ({ is_active, category, slug, after }: Variant) =>
    (v: Values) =>
      live()
        .select(listedColumns)
        .$if(is_active !== undefined, (rows) => rows.where('is_active', '=', is_active as boolean))
        .$if(category, (rows) => rows.where('category', '=', v.category))
        .$if(slug, (rows) => rows.where('slug', '=', v.slug))
        .$if(after, (rows) => rows.where('id', '<', v.after))
        .orderBy('id', 'desc')
        .limit(v.limit),
)

/** Products, the newest first. @param after the stored id of the last one that the caller has */
export function listProducts(ctx: Context, query: Omit<ListQuery, 'cursor'>, after: string | undefined) {
  const { category, slug, limit, is_active } = query
  const variant = {
    ...(is_active !== undefined && { is_active }),
    category: category !== undefined,
    slug: slug !== undefined,
    after: after !== undefined,
  }
  return ctx.tx.all(page(variant), { limit, category: category ?? '', slug: slug ?? '', after: after ?? '' })
}

export type ProductValues = Omit<ProductRow, 'created_at' | 'updated_at'>

const columns = (v: ProductValues) => ({
  name: v.name,
  slug: v.slug,
  description: v.description,
  category: v.category,
  currency: v.currency,
  price_minor: v.price_minor,
  tax_milli: v.tax_milli,
  images: v.images,
  grant_plan_id: v.grant_plan_id,
  grant_features: v.grant_features,
  grant_course_id: v.grant_course_id,
  grant_days: v.grant_days,
  is_active: v.is_active,
})

const insert = statement(
  'insert_product',
  (v: ProductValues) =>
    query
      .insertInto('products')
      .values({ ...columns(v), id: v.id })
      .returning(productColumns),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN, or for a plan that there is not */
export const insertProduct = (ctx: Context, product: ProductValues) => ctx.tx.single(insert, product)

const update = statement(
  'update_product',
  (v: ProductValues) =>
    query
      .updateTable('products')
      .set({ ...columns(v), updated_at: sql`now()` })
      .where('id', '=', v.id)
      .returning(productColumns),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN, or for a plan that there is not */
export const updateProduct = (ctx: Context, product: ProductValues) => ctx.tx.single(update, product)

const remove = statement('delete_product', (v: { id: string }) =>
  query
    .updateTable('products')
    .set({ deleted_at: sql`now()`, is_active: false, images: [] })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** What orders refer to stays. @throws ApiError 404 */
export const deleteProduct = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Product')

const ready = statement('ready_files', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('files')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('status', '=', 'ready'),
)

/** Those of these files whose bytes have come. */
export const readyFiles = (ctx: Context, ids: readonly string[]) =>
  ctx.tx.all(ready, { ids }).map((rows) => new Set(rows.map(({ id }) => id)))
