import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { toMinor } from '#platform/values/money.ts'
import { MOST_VARIANTS, variantLimit } from '../errors.ts'
import { variantId } from '../ids.ts'
import { lockProduct } from '../products/queries.ts'
import {
  deleteVariantRow,
  insertVariantRow,
  listVariants,
  lockVariant,
  updateVariantRow,
  type VariantRow,
} from './queries.ts'
import type { NewVariant, StockChange, VariantChanges } from './schema.ts'
import { announceLow } from './stock.ts'
import { moveStock } from './stock-queries.ts'

/** @throws ApiError 404; 422 SKU_TAKEN, VARIANT_LIMIT, or for a price with too many decimals */
export async function createVariant(ctx: Context, product: string, input: NewVariant): Promise<VariantRow> {
  const { currency } = await lockProduct(ctx, product)
  if ((await listVariants(ctx, product)).length >= MOST_VARIANTS) throw variantLimit()
  const id = newUuid()
  const { stock = null } = input
  const values = {
    id,
    product_id: product,
    name: input.name ?? '',
    sku: input.sku ?? null,
    options: JSON.stringify(input.options ?? {}),
    price_minor: priceOf(input.price ?? null, currency),
    is_active: input.is_active ?? true,
    low_stock: input.low_stock ?? 0,
  }
  await insertVariantRow(ctx, { ...values, stock: stock === null ? null : 0 })
  if (stock !== null && stock > 0)
    await moveStock(ctx, { kind: 'adjust', variantId: id, quantity: stock, reason: 'initial stock' })
  return lockVariant(ctx, id)
}

/** Changes what is given and nothing else. @throws ApiError 404; 422 SKU_TAKEN, or for a price with too many decimals */
export async function updateVariant(ctx: Context, id: string, changes: VariantChanges): Promise<VariantRow> {
  const before = await lockVariant(ctx, id)
  if (Object.keys(changes).length === 0) return before
  await updateVariantRow(ctx, {
    id,
    product_id: before.product_id,
    name: changes.name ?? before.name,
    sku: changes.sku === undefined ? before.sku : changes.sku,
    options: JSON.stringify(changes.options ?? before.options),
    price_minor: changes.price === undefined ? before.price_minor : priceOf(changes.price, before.currency),
    is_active: changes.is_active ?? before.is_active,
    low_stock: changes.low_stock ?? before.low_stock,
  })
  return lockVariant(ctx, id)
}

/** @throws ApiError 404 */
export async function deleteVariant(ctx: Context, id: string): Promise<void> {
  await deleteVariantRow(ctx, id)
  audit(ctx, { action: 'variant.delete', target: toId(variantId, id) })
}

/** Says that stock came or went; a variant whose stock was not counted is counted from now on. @throws ApiError 404; 422 OUT_OF_STOCK */
export async function changeStock(
  ctx: Context,
  id: string,
  { delta, reason }: StockChange,
): Promise<VariantRow> {
  await lockVariant(ctx, id)
  const now = await moveStock(ctx, { kind: 'adjust', variantId: id, quantity: delta, reason })
  if (delta < 0) announceLow(ctx, now, -delta)
  return lockVariant(ctx, id)
}

function priceOf(price: number | null, currency: string): number | null {
  if (price === null) return null
  const minor = toMinor(price, currency)
  if (minor === undefined) throw invalidField('price', 'decimals', `has more decimals than ${currency} has`)
  return minor
}
