import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { stockLow } from '../events.ts'
import { variantId } from '../ids.ts'
import { moveStock, type StockChanges, type StockNumbers } from './stock-queries.ts'

/** How many of each variant, in the order of their ids: whoever changes several locks them in this order. */
export function byVariant(
  lines: readonly {
    readonly variant_id: string | null
    readonly quantity: number
    readonly is_tracked: boolean
  }[],
): [variantId: string, quantity: number][] {
  const sums = new Map<string, number>()
  for (const { variant_id, quantity, is_tracked } of lines)
    if (is_tracked && variant_id !== null) sums.set(variant_id, (sums.get(variant_id) ?? 0) + quantity)
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * Moves the stock of an order's lines. Lines that draw on the same variant are one move.
 * @throws ApiError 422 OUT_OF_STOCK
 */
export async function moveLines(
  ctx: Context,
  kind: StockChanges['kind'],
  order: string,
  lines: Parameters<typeof byVariant>[0],
): Promise<void> {
  for (const [variant, quantity] of byVariant(lines)) {
    const now = await moveStock(ctx, { kind, variantId: variant, quantity, orderId: order })
    if (kind === 'sell') announceLow(ctx, now, quantity)
  }
}

/** Announces once that little is left: when what is there falls to the variant's mark. */
export function announceLow(ctx: Context, now: StockNumbers, gone: number): void {
  if (now.stock === null) return
  const left = now.stock - now.sold
  if (left > now.low_stock || left + gone <= now.low_stock) return
  emit(ctx, stockLow, { id: toId(variantId, now.id), on_hand: left, low_stock: now.low_stock })
}
