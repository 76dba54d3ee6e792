import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { equals } from '#platform/db/lists/list-filters.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { EntryKind } from './ledger.ts'

/** An entry as it lies in the database. */
export interface EntryRow {
  id: string
  member_id: string
  currency: string
  amount_minor: number
  kind: EntryKind
  bill_id: string | null
  line_id: string | null
  refund_id: string | null
  reason: string | null
  actor_kind: string
  created_at: string
}

const rows = () =>
  query
    .selectFrom('credit_entries')
    .select([
      ...(['id', 'member_id', 'currency', 'amount_minor', 'kind', 'bill_id', 'line_id'] as const),
      ...(['refund_id', 'reason', 'actor_kind', 'created_at'] as const),
    ])

/** One page of the entries of a member, the newest first. */
export const listEntries = defineList({
  label: 'credit_entries',
  rows,
  key: 'id',
  scope: { member_id: equals<string>('member_id') },
  filters: { currency: equals<string>('currency') },
})

const byId = statement('credit_entry', (v: { id: string }) => rows().where('id', '=', v.id))
export const getEntry = (ctx: Context, id: string) =>
  ctx.tx.single(byId, { id }).map((row) => row as EntryRow)

const member = lookup('member_with_credit', (v: { id: string }) =>
  query.selectFrom('members').select('id').where('id', '=', v.id).where('deleted_at', 'is', null),
)
/** @throws ApiError 404 for a member that there is not, or not any more */
export const assertMember = (ctx: Context, id: string) => ctx.tx.one(member, { id }, 'Member')

const balances = statement('credit_balances', (v: { member_id: string }) =>
  query
    .selectFrom('credit_balances')
    .select(['currency', 'amount_minor'])
    .where('member_id', '=', v.member_id)
    .where('amount_minor', '<>', sql<number>`0`)
    .orderBy('currency'),
)
/** What a member has in hand, by currency; below zero what is owed. */
export const listBalances = (ctx: Context, member_id: string) => ctx.tx.all(balances, { member_id })
