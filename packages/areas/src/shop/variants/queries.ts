import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, field, jsonField } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { MOST_VARIANTS, skuTaken } from '../errors.ts'
import { productId, variantId } from '../ids.ts'
import { type Variant, VariantChanges } from './schema.ts'

const CONSTRAINTS = { variants_sku_key: skuTaken }

const variants = () =>
  query
    .selectFrom('product_variants as v')
    .innerJoin('products as p', 'p.id', 'v.product_id')
    .select(['v.id', 'v.product_id', 'v.name', 'v.sku', 'v.options', 'v.price_minor', 'v.is_active'])
    .select(['v.stock', 'v.reserved', 'v.sold', 'v.low_stock', 'v.created_at', 'v.updated_at', 'p.currency'])
    .where('v.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
/** A variant as it is stored, with the currency of its product. Stock that is null is not counted. */
export type VariantRow = InferResult<ReturnType<typeof variants>>[number]

/** What can be bought now; Infinity where stock is not counted. */
export const freeOf = ({ stock, reserved, sold }: Pick<VariantRow, 'stock' | 'reserved' | 'sold'>): number =>
  stock === null ? Number.POSITIVE_INFINITY : stock - reserved - sold

/** A variant without its stock, for those who may not see the stock. */
export const toPublicVariant = (row: VariantRow): Variant => ({
  ...pick(row, 'name', 'sku', 'is_active', 'created_at', 'updated_at'),
  id: toId(variantId, row.id),
  product_id: toId(productId, row.product_id),
  options: row.options as Record<string, string>,
  price: row.price_minor === null ? null : fromMinor(row.price_minor, row.currency),
  available: row.is_active && freeOf(row) > 0,
})

/** A variant as secret keys see it. */
export const toVariant = (row: VariantRow): Variant => ({
  ...toPublicVariant(row),
  ...pick(row, 'reserved', 'sold', 'low_stock'),
  on_hand: row.stock === null ? null : row.stock - row.sold,
})

/** The variants of a product, the oldest first. */
export const listVariants = defineLookup('variants_of_product', (v: { product: string | null }) =>
  variants().where('v.product_id', '=', v.product).orderBy('v.id').limit(MOST_VARIANTS),
)

/** @throws ApiError 404 */
export const getVariant = defineLookup('variant_by_id', (v: { id: string }) =>
  variants().where('v.id', '=', v.id),
)
  .map(toVariant)
  .one('Variant')

/** A variant of a product that has its own price. */
export const findPricedVariant = defineQuery('priced_variant', (v: { product: string }) =>
  variants().where('v.product_id', '=', v.product).where('v.price_minor', 'is not', null).limit(1),
).first()

/** The product of a variant, locked, so that its currency stays. @throws ApiError 404 */
export const lockProductOf = defineQuery('lock_product_of_variant', (v: { id: string }) =>
  query
    .selectFrom('products')
    .select('currency')
    .where('id', '=', (of) =>
      of
        .selectFrom('product_variants')
        .select('product_id')
        .where('id', '=', v.id)
        .where('deleted_at', 'is', null),
    )
    .where('deleted_at', 'is', null)
    .forUpdate(),
).one('Variant')

/** Changes of one variant wait for each other. @throws ApiError 404 */
export const lockVariant = defineQuery('lock_variant', (v: { id: string }) =>
  variants().where('v.id', '=', v.id).forUpdate('v'),
).one('Variant')

/** @throws ApiError 422 SKU_TAKEN */
export const insertVariant = defineQuery(
  'insert_variant',
  (
    v: Pick<VariantRow, 'id' | 'product_id' | 'name' | 'sku' | 'price_minor' | 'is_active'> &
      Pick<VariantRow, 'stock' | 'low_stock'> & { options: string },
  ) =>
    query.insertInto('product_variants').values({
      ...pick(v, 'id', 'product_id', 'name', 'sku', 'price_minor', 'is_active', 'stock', 'low_stock'),
      options: sql`${v.options}::jsonb`,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)

/** Changes what is sent; the price is in the smallest unit. @throws ApiError 404; 412; 422 SKU_TAKEN */
export const patchVariant = definePatch('product_variants', {
  body: VariantChanges,
  current: getVariant,
  columns: ['name', 'sku', 'is_active', 'low_stock'],
  fields: {
    options: jsonField('options'),
    price: field(
      (price_minor: number | null) => ({ price_minor }),
      (v) => pick(v, 'price_minor'),
    ),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
})

/** Orders keep the stock that they reserved. @throws ApiError 404 */
export const removeVariant = defineQuery('delete_variant', (v: { id: string }) =>
  query
    .updateTable('product_variants')
    .set({ deleted_at: now, is_active: false })
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null)
    .returning(['name', 'sku']),
).one('Variant')
