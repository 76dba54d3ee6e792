import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { discountId, productId } from '../ids.ts'
import { fromMilli } from '../money/percent.ts'
import type { Discount } from './schema.ts'

/** What every query for discounts reads. */
export const discountColumns = [
  'd.id',
  'd.code',
  'd.percent_milli',
  'd.amount_minor',
  'd.currency',
  'd.starts_at',
  'd.ends_at',
  'd.max_uses',
  'd.max_uses_per_member',
  'd.product_ids',
  'd.used',
  'd.is_active',
  'd.created_at',
  'd.updated_at',
] as const

export interface DiscountRow {
  id: string
  code: string
  percent_milli: number | null
  amount_minor: number | null
  currency: string | null
  starts_at: string | null
  ends_at: string | null
  max_uses: number | null
  max_uses_per_member: number | null
  product_ids: string[]
  used: number
  is_active: boolean
  created_at: string
  updated_at: string
}

export const toDiscount = ({ percent_milli, amount_minor, ...row }: DiscountRow): Discount => ({
  ...row,
  id: toId(discountId, row.id),
  percent: percent_milli === null ? null : fromMilli(percent_milli),
  amount: amount_minor === null ? null : fromMinor(amount_minor, row.currency ?? 'usd'),
  product_ids: row.product_ids.map((id) => toId(productId, id)),
})
