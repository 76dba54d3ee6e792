/** What every query for orders reads. */
export const orderColumns = [
  ...([
    'id',
    'number',
    'member_id',
    'cart_id',
    'cart_version',
    'status',
    'cancel_reason',
    'currency',
  ] as const),
  ...([
    'subtotal_minor',
    'discount_minor',
    'tax_minor',
    'total_minor',
    'paid_minor',
    'refunded_minor',
  ] as const),
  ...(['discount_id', 'discount_code', 'addresses', 'note', 'tracking_number', 'tracking_url'] as const),
  ...(['payment_id', 'payment_account_id', 'by_hand', 'reserved_until', 'created_at', 'updated_at'] as const),
] as const

export const lineColumns = [
  ...(['id', 'product_id', 'variant_id', 'name', 'variant_name', 'sku', 'quantity', 'unit_minor'] as const),
  ...(['discount_minor', 'tax_milli', 'tax_minor', 'total_minor', 'is_tracked', 'grant_plan_id'] as const),
  ...(['grant_features', 'grant_course_id', 'grant_days', 'granted_at', 'taken_back_at'] as const),
  ...(['refunded_quantity', 'restocked_quantity'] as const),
] as const

/** What was bought, as lists read it. */
export interface ListedItem {
  product_id: string
  quantity: number
  unit_minor: number
}
