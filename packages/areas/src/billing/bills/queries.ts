import { sql } from 'kysely'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

/** A bill as it lies in the database, with its lines. */
export interface BillRow {
  id: string
  number: number
  subscription_id: string
  member_id: string
  account_id: string | null
  reason: 'first' | 'renewal' | 'change'
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  currency: string
  total_minor: number
  due_at: string
  paid_at: string | null
  created_at: string
  lines: BillLineRow[]
}

export interface BillLineRow {
  kind: 'period' | 'proration' | 'credit'
  description: string
  plan_id: string | null
  period_start: string | null
  period_end: string | null
  amount_minor: number
}

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const rows = () =>
  query
    .selectFrom('bills as b')
    .select([
      ...(['b.id', 'b.number', 'b.subscription_id', 'b.member_id', 'b.account_id', 'b.reason', 'b.status'] as const),
      ...(['b.currency', 'b.total_minor', 'b.due_at', 'b.paid_at', 'b.created_at'] as const),
    ])
    .select(
      sql<BillLineRow[]>`(select coalesce(json_agg(json_build_object('kind', l.kind, 'description', l.description,
          'plan_id', l.plan_id, 'period_start', ${iso('l.period_start')}, 'period_end', ${iso('l.period_end')},
          'amount_minor', l.amount_minor) order by l.position), '[]')
        from bill_lines l where l.bill_id = b.id)`.as('lines'),
    )

const byId = statement('bill_by_id', (v: { id: string }) => rows().where('b.id', '=', v.id))
/** @throws ApiError 404 */
export const getBill = (ctx: Context, id: string) =>
  ctx.tx.one(byId, { id }, 'Bill').map((row) => row as BillRow)

const byIds = statement('bills_by_ids', (v: { ids: readonly string[] }) =>
  rows()
    .where('b.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('b.number'),
)
export const listBillsById = (ctx: Context, ids: readonly string[]) =>
  ctx.tx.all(byIds, { ids }).map((found) => found as BillRow[])

interface Filter {
  member: boolean
  status: boolean
}
interface Values {
  member_id: string
  status: string
  limit: number
  offset: number
}
const page = statements('bills_page', ({ member, status }: Filter) => (v: Values) => {
  let found = rows().orderBy('b.number', 'desc').limit(v.limit).offset(v.offset)
  if (member) found = found.where('b.member_id', '=', v.member_id)
  if (status) found = found.where('b.status', '=', v.status)
  return found
})
const total = statements('bills_total', ({ member, status }: Filter) => (v: Values) => {
  let found = query.selectFrom('bills').select(sql<number>`count(*)`.as('total'))
  if (member) found = found.where('member_id', '=', v.member_id)
  if (status) found = found.where('status', '=', v.status)
  return found
})

export interface BillFilter {
  memberId: string | undefined
  status: string | undefined
  limit: number
  offset: number
}
/** One page of bills, the newest first, and how many there are in all. */
export function listBills(ctx: Context, { memberId, status, limit, offset }: BillFilter) {
  const variant = { member: memberId !== undefined, status: status !== undefined }
  const values = { member_id: memberId ?? '', status: status ?? '', limit, offset }
  return ctx.tx
    .all(page(variant), values)
    .and(ctx.tx.single(total(variant), values))
    .map(([found, { total }]) => ({ bills: found as BillRow[], total }))
}

const locked = statement('lock_bill', (v: { id: string }) =>
  query.selectFrom('bills').select(['id', 'subscription_id', 'status']).where('id', '=', v.id),
)
/** Where a bill belongs. @throws ApiError 404 */
export const getBillPlace = (ctx: Context, id: string) => ctx.tx.one(locked, { id }, 'Bill')
