import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { toMinor } from '#platform/values/money.ts'
import { variantId } from '../ids.ts'
import { lockProduct } from '../products/queries.ts'
import {
  getVariant,
  insertVariant,
  lockProductOf,
  lockVariant,
  patchVariant,
  removeVariant,
} from './queries.ts'
import type { NewVariant, StockChange, Variant, VariantChanges } from './schema.ts'
import { adjustStock } from './stock.ts'

/** @throws ApiError 404; 422 SKU_TAKEN, LIMIT_REACHED, or for a price with too many decimals */
export async function createVariant(ctx: Context, product: string, input: NewVariant): Promise<Variant> {
  const { currency } = await lockProduct(ctx, { id: product })
  const id = newUuid()
  const { stock = null, price = null } = input
  insertVariant(ctx, {
    id,
    product_id: product,
    name: input.name ?? '',
    sku: input.sku ?? null,
    options: JSON.stringify(input.options ?? {}),
    price_minor: price === null ? null : minorOf(price, currency),
    is_active: input.is_active ?? true,
    low_stock: input.low_stock ?? 0,
    stock: stock === null ? null : 0,
  })
  if (stock !== null && stock > 0) await adjustStock(ctx, id, stock, 'initial stock')
  return getVariant(ctx, { id })
}

/** Changes what is sent. @throws ApiError 404; 412; 422 SKU_TAKEN, or for a price with too many decimals */
export async function updateVariant(
  ctx: Context,
  { id, changes, ifMatch }: { readonly id: string } & PatchValues<VariantChanges>,
): Promise<Variant> {
  const { price } = changes
  if (price === undefined || price === null) return patchVariant(ctx, { id, changes, ifMatch })
  const { currency } = await lockProductOf(ctx, { id })
  return patchVariant(ctx, { id, changes: { ...changes, price: minorOf(price, currency) }, ifMatch })
}

/** @throws ApiError 404 */
export async function deleteVariant(ctx: Context, id: string): Promise<void> {
  const before = await removeVariant(ctx, { id })
  audit(ctx, { action: 'variant.delete', target: toId(variantId, id), before })
}

/** Says that stock came or went; a variant whose stock was not counted is counted from now on. @throws ApiError 404; 422 OUT_OF_STOCK */
export async function changeStock(
  ctx: Context,
  id: string,
  { delta, reason }: StockChange,
): Promise<Variant> {
  await lockVariant(ctx, { id })
  await adjustStock(ctx, id, delta, reason)
  return getVariant(ctx, { id })
}

function minorOf(price: number, currency: string): number {
  const minor = toMinor(price, currency)
  if (minor === undefined) throw invalidField('price', 'decimals', `has more decimals than ${currency} has`)
  return minor
}
