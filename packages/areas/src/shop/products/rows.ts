import { courseId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { productId } from '../ids.ts'
import { fromMilli } from '../money/percent.ts'
import type { FullProduct, ListedProduct, Product, ProductGrants } from './schema.ts'

/** What the list reads. */
export const listedColumns = [
  'id',
  'name',
  'description',
  'category',
  'currency',
  'price_minor',
  'is_active',
  'created_at',
] as const

/** What the list reads with `include`. */
export const includedColumns = ['slug', 'images'] as const

/** What every query for a product reads. */
export const productColumns = [
  ...listedColumns,
  ...includedColumns,
  'tax_milli',
  'grant_plan_id',
  'grant_features',
  'grant_course_id',
  'grant_days',
  'reserve_hours',
  'updated_at',
] as const

export interface ListedRow {
  id: string
  name: string
  description: string
  category: string
  currency: string
  price_minor: number
  is_active: boolean
  created_at: string
}

/** What a product gives, as it is stored. */
export interface GrantColumns {
  grant_plan_id: string | null
  grant_features: string[]
  grant_course_id: string | null
  grant_days: number | null
}

/** What a list reads with `include`. */
export interface IncludedRow extends ListedRow {
  slug: string
  images: string[]
}

export interface ProductRow extends IncludedRow, GrantColumns {
  tax_milli: number | null
  reserve_hours: number | null
  updated_at: string
}

export const toProduct = (row: ListedRow): Product => ({
  id: toId(productId, row.id),
  name: row.name,
  description: row.description,
  category: row.category,
  currency: row.currency,
  price: fromMinor(row.price_minor, row.currency),
  is_active: row.is_active,
  created_at: row.created_at,
})

/** A product in a list. @param fields what was asked for beyond the usual */
export const toListedProduct =
  (fields: ReadonlySet<string>) =>
  (row: IncludedRow): ListedProduct => ({
    ...toProduct(row),
    ...(fields.has('slug') && { slug: row.slug }),
    ...(fields.has('images') && { images: toImages(row) }),
  })

const toImages = ({ images }: IncludedRow) => images.map((file) => toId('file', file))

export function toFullProduct(row: ProductRow): FullProduct {
  return {
    ...toProduct(row),
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
