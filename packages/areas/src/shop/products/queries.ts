import { type InferResult, sql } from 'kysely'
import { courseId } from '#areas/lms/ids.ts'
import { publishedPlan } from '#areas/plans/service.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { definePatch, givenField } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, equals } from '#platform/lists/list-filters.ts'
import type { FindPage } from '#platform/lists/list-parts.ts'
import { fromMinor } from '#platform/values/money.ts'
import { slugTaken } from '../errors.ts'
import { productUpdated } from '../events.ts'
import { productId } from '../ids.ts'
import { fromMilli } from '../money/order-amounts.ts'
import {
  type FullProduct,
  type ListedProduct,
  type Product,
  ProductChanges,
  type ProductGrants,
} from './schema.ts'

const CONSTRAINTS = {
  products_slug_key: slugTaken,
  products_plan_fkey: (cause: unknown) => noGrant('plan_id', cause),
}

/** What something that cannot be granted means to a client. */
export const noGrant = (field: 'plan_id' | 'course_id', cause?: unknown) =>
  invalidField(`grants.${field}`, 'exists', `is not a ${field.slice(0, -3)} of this project`, cause)

const listedColumns = [
  ...(['id', 'name', 'description', 'category', 'currency', 'price_minor', 'is_active'] as const),
  'created_at',
] as const
/** What the list reads with `include`. */
const includedColumns = ['slug', 'images'] as const
const grantColumns = ['grant_plan_id', 'grant_features', 'grant_course_id', 'grant_days'] as const
const productColumns = [
  ...listedColumns,
  ...includedColumns,
  ...grantColumns,
  ...(['tax_milli', 'reserve_hours', 'updated_at'] as const),
] as const

const live = () => query.selectFrom('products').where('deleted_at', 'is', null)
const products = () => live().select(productColumns)
export type ProductRow = InferResult<ReturnType<typeof products>>[number]
/** What a product gives, as it is stored. */
export type GrantColumns = Pick<ProductRow, (typeof grantColumns)[number]>

// Each field by its name: a page has fifty of them, and rest and spread take several times as long.
const toProduct = (row: Pick<ProductRow, (typeof listedColumns)[number]>): Product => ({
  id: toId(productId, row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  price: fromMinor(row.price_minor, row.currency),
  currency: row.currency,
  is_active: row.is_active,
  created_at: row.created_at,
})

const toImages = ({ images }: Pick<ProductRow, 'images'>) => images.map((file) => toId('file', file))

export function toFullProduct(row: ProductRow): FullProduct {
  return {
    ...toProduct(pick(row, ...listedColumns)),
    slug: row.slug,
    images: toImages(row),
    tax_percent: row.tax_milli === null ? null : fromMilli(row.tax_milli),
    grants: toGrants(row),
    reserve_hours: row.reserve_hours,
    updated_at: row.updated_at,
  }
}

/** Null where it gives nothing. */
export function toGrants(row: GrantColumns): ProductGrants | null {
  const { grant_plan_id, grant_features, grant_course_id, grant_days } = row
  if (grant_plan_id === null && grant_features.length === 0 && grant_course_id === null) return null
  return {
    ...(grant_plan_id !== null && { plan_id: toId('plan', grant_plan_id) }),
    ...(grant_features.length > 0 && { features: grant_features }),
    ...(grant_course_id !== null && { course_id: toId(courseId, grant_course_id) }),
    ...(grant_days !== null && { days: grant_days }),
  }
}

const productById = defineLookup('product_by_id', (v: { id: string | null }) =>
  products().where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getProduct = productById.map(toFullProduct).one('Product')
export const findProduct = productById.first()

/** A product as callers without a secret key see it: a plan that is not public is not named. @throws ApiError 404 */
export const getShownProduct = defineLookup('product_by_id_shown', (v: { id: string }) =>
  live()
    .select(productColumns.filter((column) => column !== 'grant_plan_id'))
    .select(publishedPlan(sql.ref('products.grant_plan_id')).as('grant_plan_id'))
    .where('id', '=', v.id),
)
  .map(toFullProduct)
  .one('Product')

/** Changes of one product wait for each other. @throws ApiError 404 */
export const lockProduct = defineQuery('lock_product', (v: { id: string }) =>
  products().where('id', '=', v.id).forUpdate(),
).one('Product')

/** Asks the index of names, which only a function reaches (decision 0018). */
const searchProducts: FindPage = (sought) => sql`app.search_products(
  lower(${sought.pattern}::text), ${sought.filter('is_active')}::boolean, ${sought.filter('category')}::text,
  ${sought.filter('slug')}::text, ${sought.filter('start_date')}::timestamptz, ${sought.filter('end_date')}::timestamptz,
  ${sql.lit(sought.sort)}, ${sql.lit(sought.order === 'desc')}, ${sought.afterValue}::text, ${sought.afterKey}::uuid,
  ${sought.limit}::int, ${sought.offset}::int8)`

const listed = {
  key: 'id',
  filters: {
    is_active: equals<boolean>('is_active'),
    category: equals<string>('category'),
    slug: equals<string>('slug'),
    ...between('created_at'),
  },
  search: { page: searchProducts },
  sorts: {
    created_at: ['created_at', 'timestamptz'],
    name: ['name', 'text'],
    price: ['price_minor', 'int8'],
  },
  indexed: ['is_active', 'category'],
  counts: false,
} as const

/** The newest first. */
export const listProducts = defineList({
  ...listed,
  label: 'products',
  rows: () => live().select(listedColumns),
  map: toProduct,
})

/** The same, with what `include` can ask for. */
export const listProductsWithMore = defineList({
  ...listed,
  label: 'products_with_more',
  rows: () => live().select([...listedColumns, ...includedColumns]),
  map: ({ slug, images, ...row }): Required<ListedProduct> => ({
    ...toProduct(row),
    slug,
    images: toImages({ images }),
  }),
})

export type ProductValues = Omit<ProductRow, 'created_at' | 'updated_at'>

const columns = (v: ProductValues) => ({
  ...pick(v, 'name', 'slug', 'description', 'category', 'currency', 'price_minor', 'tax_milli', 'images'),
  ...pick(v, ...grantColumns),
  ...pick(v, 'reserve_hours', 'is_active'),
})

const insertion = (v: ProductValues) =>
  query
    .insertInto('products')
    .values({ ...columns(v), id: v.id, created_at: now, updated_at: now })
    .returning(productColumns)

/** @throws ApiError 422 SLUG_TAKEN, or for a plan that does not exist */
export const insertProduct = defineQuery('insert_product', insertion, CONSTRAINTS).map(toFullProduct).single()

/** Undefined where another product has the slug. @throws ApiError 422 for a plan that does not exist */
export const insertWhereSlugIsFree = defineQuery(
  'insert_product_where_slug_is_free',
  (v: ProductValues) =>
    insertion(v).onConflict((conflict) =>
      conflict.columns(['project_id', 'slug']).where('deleted_at', 'is', null).doNothing(),
    ),
  CONSTRAINTS,
)
  .map(toFullProduct)
  .first()

const current = deriveQuery(({ id }: ProductValues) => getProduct({ id }))
/**
 * Changes what is sent of a product that is locked, to the values that were judged.
 * @throws ApiError 422 SLUG_TAKEN, or for a plan that there is not
 */
export const patchProduct = definePatch('products', {
  body: ProductChanges,
  current,
  columns: ['name', 'slug', 'description', 'category', 'currency', 'reserve_hours', 'is_active'],
  fields: {
    price: givenField('price_minor'),
    tax_percent: givenField('tax_milli'),
    images: givenField('images'),
    grants: givenField(...grantColumns),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
  announce: (ctx, product) => emit(ctx, productUpdated, product),
})

/** What orders refer to stays. @throws ApiError 404 */
export const removeProduct = defineQuery('delete_product', (v: { id: string }) =>
  query
    .updateTable('products')
    .set({ deleted_at: now, is_active: false, images: [] })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('name'),
).one('Product')

/** Those of these files whose bytes have come. */
export const readyFiles = defineQuery('ready_files', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('files')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('status', '=', 'ready'),
).map(({ id }) => id)
