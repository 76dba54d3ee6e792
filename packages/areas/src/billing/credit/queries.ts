import { type InferResult, sql } from 'kysely'
import type { Static } from 'typebox'
import { defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { fromMinor } from '#platform/values/money.ts'
import { billId, billLineId, creditId, refundId } from '../ids.ts'
import type { EntryKind } from './ledger.ts'
import type { CreditEntry } from './schema.ts'

const entries = () =>
  query
    .selectFrom('credit_entries')
    .select(['id', 'member_id', 'currency', 'amount_minor', 'kind', 'bill_id', 'line_id'])
    .select(['refund_id', 'reason', 'actor_kind', 'created_at'])
    .$narrowType<{ kind: EntryKind }>()

/** An entry as clients see it. */
const toEntry = (row: InferResult<ReturnType<typeof entries>>[number]): Static<typeof CreditEntry> => ({
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

/** One page of the entries of a member, the newest first. */
export const listEntries = defineList({
  label: 'credit_entries',
  rows: entries,
  map: toEntry,
  key: 'id',
  scope: { member_id: equals<string>('member_id') },
  filters: { currency: equals<string>('currency') },
})

export const getEntry = defineQuery('credit_entry', (v: { id: string }) => entries().where('id', '=', v.id))
  .map(toEntry)
  .single()

/** @throws ApiError 404 for a member that does not exist, or no longer */
export const getMember = defineLookup('member_with_credit', (v: { id: string }) =>
  query.selectFrom('members').select('id').where('id', '=', v.id).where('deleted_at', 'is', null),
).one('Member')

/** What a member has in hand, by currency; below zero what is owed. */
export const listBalances = defineQuery('credit_balances', (v: { member_id: string }) =>
  query
    .selectFrom('credit_balances')
    .select(['currency', 'amount_minor'])
    .where('member_id', '=', v.member_id)
    .where('amount_minor', '<>', sql<number>`0`)
    .orderBy('currency'),
)
