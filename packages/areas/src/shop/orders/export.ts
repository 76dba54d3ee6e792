import { sql } from 'kysely'
import { amount, type ListExport, publicId, timestamp } from '#platform/csv/list-file.ts'
import { query } from '#platform/db/statement.ts'
import { filtersOf } from '#platform/http/page.ts'
import { orderId } from '../ids.ts'
import { listAll } from './queries.ts'
import { AllQuery } from './schema.ts'

const minor = (column: string) => amount(`o.${column}`, 'o.currency')

/** Everyone's orders as a file. */
export const orderExport: ListExport = {
  of: 'orders',
  title: 'Orders',
  permission: 'read:commerce',
  filters: filtersOf(AllQuery),
  id: { is: orderId, column: 'o.id' },
  columns: {
    number: sql.ref('o.number'),
    member_id: publicId('mem', 'o.member_id'),
    email: { guarded: sql`(select m.email from members m where m.id = o.member_id)` },
    status: sql.ref('o.status'),
    currency: sql.ref('o.currency'),
    subtotal: minor('subtotal_minor'),
    discount: minor('discount_minor'),
    tax: minor('tax_minor'),
    total: minor('total_minor'),
    paid: minor('paid_minor'),
    refunded: minor('refunded_minor'),
    discount_code: { guarded: sql.ref('o.discount_code') },
    items: {
      guarded: sql`(select string_agg(l.quantity || ' × ' || l.name || case when l.variant_name = '' then '' else ', ' || l.variant_name end,
        '; ' order by l.place) from order_lines l where l.order_id = o.id)`,
    },
    tracking_number: { guarded: sql.ref('o.tracking_number') },
    note: { guarded: sql.ref('o.note') },
    created_at: timestamp('o.created_at'),
    updated_at: timestamp('o.updated_at'),
  },
  rows: (filters) => listAll.narrow(filters, query.selectFrom('orders as o')),
}
