import type { Static } from 'typebox'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { billId, billLineId, creditId, refundId } from '../ids.ts'
import type { EntryRow } from './queries.ts'
import type { CreditEntry } from './schema.ts'

/** An entry as clients see it. */
export const toEntry = (row: EntryRow): Static<typeof CreditEntry> => ({
  id: toId(creditId, row.id),
  member_id: toId('member', row.member_id),
  currency: row.currency,
  amount: fromMinor(row.amount_minor, row.currency),
  kind: row.kind,
  bill_id: row.bill_id === null ? null : toId(billId, row.bill_id),
  bill_line_id: row.line_id === null ? null : toId(billLineId, row.line_id),
  refund_id: row.refund_id === null ? null : toId(refundId, row.refund_id),
  reason: row.reason,
  by: row.actor_kind,
  created_at: row.created_at,
})
