import { sql } from 'kysely'
import { publishedPlan } from '#areas/plans/service.ts'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { slugTaken } from '../errors.ts'
import { includedColumns, listedColumns, type ProductRow, productColumns } from './rows.ts'

const CONSTRAINTS = {
  products_slug_key: slugTaken,
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

const shown = lookup('product_by_id_shown', (v: { id: string }) =>
  live()
    .select(productColumns.filter((column) => column !== 'grant_plan_id'))
    .select(publishedPlan(sql.ref('products.grant_plan_id')).as('grant_plan_id'))
    .where('id', '=', v.id),
)

/** A product as callers without a secret key see it: a plan that is not public is not named. @throws ApiError 404 */
export const getShownProduct = (ctx: Context, id: string) => ctx.tx.one(shown, { id }, 'Product')

/** A product, or undefined. */
export const findProduct = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

const lock = statement('lock_product', (v: { id: string }) =>
  live().select(productColumns).where('id', '=', v.id).forUpdate(),
)

/** The same; changes of one product wait for each other. @throws ApiError 404 */
export const lockProduct = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Product')

const listed = {
  key: 'id',
  filters: {
    is_active: equals<boolean>('is_active'),
    category: equals<string>('category'),
    slug: equals<string>('slug'),
  },
  indexed: ['is_active', 'category'],
  counts: false,
} as const

/** The newest first. */
export const listProducts = defineList({
  ...listed,
  label: 'products',
  rows: () => live().select(listedColumns),
})

/** The same, with what `include` can ask for. */
export const listProductsWithMore = defineList({
  ...listed,
  label: 'products_with_more',
  rows: () => live().select([...listedColumns, ...includedColumns]),
})

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
  reserve_hours: v.reserve_hours,
  is_active: v.is_active,
})

const insert = statement(
  'insert_product',
  (v: ProductValues) =>
    query
      .insertInto('products')
      .values({ ...columns(v), id: v.id, created_at: now, updated_at: now })
      .returning(productColumns),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN, or for a plan that there is not */
export const insertProductRow = (ctx: Context, product: ProductValues) => ctx.tx.single(insert, product)

const insertWhereFree = statement(
  'insert_product_where_slug_is_free',
  (v: ProductValues) =>
    query
      .insertInto('products')
      .values({ ...columns(v), id: v.id, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'slug']).where('deleted_at', 'is', null).doNothing(),
      )
      .returning(productColumns),
  CONSTRAINTS,
)

/** Undefined where another product has the slug. @throws ApiError 422 for a plan that there is not */
export const insertWhereSlugIsFree = (ctx: Context, product: ProductValues) =>
  ctx.tx.first(insertWhereFree, product)

const update = statement(
  'update_product',
  (v: ProductValues) =>
    query
      .updateTable('products')
      .set({ ...columns(v), updated_at: now })
      .where('id', '=', v.id)
      .returning(productColumns),
  CONSTRAINTS,
)

/** @throws ApiError 422 SLUG_TAKEN, or for a plan that there is not */
export const updateProductRow = (ctx: Context, product: ProductValues) => ctx.tx.single(update, product)

const remove = statement('delete_product', (v: { id: string }) =>
  query
    .updateTable('products')
    .set({ deleted_at: now, is_active: false, images: [] })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** What orders refer to stays. @throws ApiError 404 */
export const deleteProductRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Product')

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
