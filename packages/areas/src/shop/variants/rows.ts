import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { moveId, orderId, productId, variantId } from '../ids.ts'
import type { StockMove, Variant } from './schema.ts'

/** What every query for variants reads. */
export const variantColumns = [
  'v.id',
  'v.product_id',
  'v.name',
  'v.sku',
  'v.options',
  'v.price_minor',
  'v.is_active',
  'v.stock',
  'v.reserved',
  'v.sold',
  'v.low_stock',
  'v.created_at',
  'v.updated_at',
] as const

export interface VariantRow {
  id: string
  product_id: string
  name: string
  sku: string | null
  options: unknown
  price_minor: number | null
  is_active: boolean
  /** Null: not counted. */
  stock: number | null
  reserved: number
  sold: number
  low_stock: number
  created_at: string
  updated_at: string
  /** The product's. */
  currency: string
}

/** What can be bought now; Infinity where stock is not counted. */
export const freeOf = ({ stock, reserved, sold }: Pick<VariantRow, 'stock' | 'reserved' | 'sold'>): number =>
  stock === null ? Number.POSITIVE_INFINITY : stock - reserved - sold

/** @param isTeam whether whoever asks may know how many there are */
export const toVariant = (row: VariantRow, isTeam: boolean): Variant => ({
  id: toId(variantId, row.id),
  product_id: toId(productId, row.product_id),
  name: row.name,
  sku: row.sku,
  options: row.options as Record<string, string>,
  price: row.price_minor === null ? null : fromMinor(row.price_minor, row.currency),
  is_active: row.is_active,
  available: row.is_active && freeOf(row) > 0,
  ...(isTeam && {
    on_hand: row.stock === null ? null : row.stock - row.sold,
    reserved: row.reserved,
    sold: row.sold,
    low_stock: row.low_stock,
  }),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

export interface MoveRow {
  id: string
  kind: string
  quantity: number
  order_id: string | null
  reason: string | null
  created_at: string
}

export const toMove = (row: MoveRow): StockMove => ({
  ...row,
  id: toId(moveId, row.id),
  kind: row.kind as StockMove['kind'],
  order_id: row.order_id === null ? null : toId(orderId, row.order_id),
})
