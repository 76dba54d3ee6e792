import { sql } from 'kysely'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { amount, type ListExport, publicId, timestamp } from '#platform/csv/list-file.ts'
import { query } from '#platform/db/statement.ts'
import { filtersOf } from '#platform/http/page.ts'
import { prefixOf } from '#platform/ids.ts'
import { billId } from '../ids.ts'
import { listBills } from './queries.ts'
import { BillsQuery } from './schema.ts'

/** Bills as a file. */
export const billExport: ListExport = {
  of: 'bills',
  title: 'Bills',
  permission: 'read:plans',
  filters: filtersOf(BillsQuery),
  id: { is: billId, column: 'b.id' },
  columns: {
    number: sql`b.number::text`,
    subscription_id: publicId(prefixOf(subscriptionId), 'b.subscription_id'),
    member_id: publicId('mem', 'b.member_id'),
    email: { guarded: sql`(select m.email from members m where m.id = b.member_id)` },
    reason: sql.ref('b.reason'),
    status: sql.ref('b.status'),
    currency: sql.ref('b.currency'),
    total: amount('b.total_minor', 'b.currency'),
    due_at: timestamp('b.due_at'),
    paid_at: timestamp('b.paid_at'),
    created_at: timestamp('b.created_at'),
  },
  rows: (filters) => listBills.narrow(filters, query.selectFrom('bills as b')),
}
