import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { MOST_VARIANTS, skuTaken } from '../errors.ts'
import { type VariantRow, variantColumns } from './rows.ts'

const CONSTRAINTS = { variants_sku_key: skuTaken }

const live = () =>
  query
    .selectFrom('product_variants as v')
    .innerJoin('products as p', 'p.id', 'v.product_id')
    .select(variantColumns)
    .select('p.currency')
    .where('v.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)

const ofProduct = lookup('variants_of_product', (v: { product: string }) =>
  live().where('v.product_id', '=', v.product).orderBy('v.id').limit(MOST_VARIANTS),
)

/** The variants of a product, the oldest first. */
export const listVariants = (ctx: Context, product: string) => ctx.tx.all(ofProduct, { product })

const byId = lookup('variant_by_id', (v: { id: string }) => live().where('v.id', '=', v.id))

/** @throws ApiError 404 */
export const getVariant = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Variant')

const lock = statement('lock_variant', (v: { id: string }) => live().where('v.id', '=', v.id).forUpdate('v'))

/** Changes of one variant wait for each other. @throws ApiError 404 */
export const lockVariant = (ctx: Context, id: string) => ctx.tx.one(lock, { id }, 'Variant')

export interface VariantValues {
  id: string
  product_id: string
  name: string
  sku: string | null
  options: string
  price_minor: number | null
  is_active: boolean
  low_stock: number
}

const columns = (v: VariantValues) => ({
  name: v.name,
  sku: v.sku,
  options: sql<string>`${v.options}::jsonb`,
  price_minor: v.price_minor,
  is_active: v.is_active,
  low_stock: v.low_stock,
})

const insert = statement(
  'insert_variant',
  (v: VariantValues & { stock: number | null }) =>
    query.insertInto('product_variants').values({
      ...columns(v),
      id: v.id,
      product_id: v.product_id,
      stock: v.stock,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)

/** @throws ApiError 422 SKU_TAKEN */
export const insertVariantRow = (ctx: Context, variant: VariantValues & { stock: number | null }) =>
  ctx.tx.run(insert, variant)

const update = statement(
  'update_variant',
  (v: VariantValues) =>
    query
      .updateTable('product_variants')
      .set({ ...columns(v), updated_at: now })
      .where('id', '=', v.id),
  CONSTRAINTS,
)

/** @throws ApiError 422 SKU_TAKEN */
export const updateVariantRow = (ctx: Context, variant: VariantValues) => ctx.tx.run(update, variant)

const remove = statement('delete_variant', (v: { id: string }) =>
  query
    .updateTable('product_variants')
    .set({ deleted_at: now, is_active: false })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning('id'),
)

/** What orders have reserved of it stays theirs. @throws ApiError 404 */
export const deleteVariantRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Variant')

export type { VariantRow }
