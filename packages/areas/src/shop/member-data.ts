import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { cartId, discountId, orderId } from './ids.ts'

const forget = defineQuery('forget_buyers', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('orders')
    .set({ addresses: null, note: null })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`),
)

/** Carts go with their members. Orders stay, without addresses and notes, and point at a member who is forgotten. */
export const memberData = [
  personalData({
    table: 'carts',
    member: 'member_id',
    columns: ['id', 'discount_id', 'updated_at'],
    ids: { id: cartId, discount_id: discountId },
  }),
  personalData({
    table: 'orders',
    member: 'member_id',
    columns: [
      ...(['id', 'number', 'status', 'currency', 'total_minor', 'paid_minor', 'refunded_minor'] as const),
      ...(['discount_code', 'addresses', 'note', 'tracking_number', 'created_at'] as const),
    ],
    ids: { id: orderId },
    erase: forget,
  }),
]
