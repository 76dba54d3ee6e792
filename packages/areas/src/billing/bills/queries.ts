import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { hasId, word } from '#platform/db/lists/list-filters.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import type { RefundPart } from './refunds/split.ts'

/** A bill as it lies in the database, with its lines. */
export interface BillRow {
  id: string
  number: number
  subscription_id: string
  member_id: string
  account_id: string | null
  /** The payment that paid it. */
  payment_id: string | null
  reason: 'first' | 'renewal' | 'change'
  status: 'open' | 'paid' | 'void' | 'uncollectible'
  currency: string
  total_minor: number
  due_at: string
  paid_at: string | null
  created_at: string
  lines: BillLineRow[]
  refunds: BillRefundRow[]
}

export interface BillLineRow {
  id: string
  kind: 'period' | 'proration' | 'credit'
  description: string
  plan_id: string | null
  period_start: string | null
  period_end: string | null
  amount_minor: number
  /** What was credited, refunded or lost of it. */
  given_back_minor: number
}

/** A refund, split over the lines. */
export interface BillRefundRow {
  id: string
  amount_minor: number
  destination: 'payment' | 'credit'
  cause: 'request' | 'provider' | 'dispute'
  status: 'pending' | 'succeeded' | 'failed'
  reason: string | null
  created_at: string
  parts: RefundPart[]
}

const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const rows = () =>
  query
    .selectFrom('bills as b')
    .select([
      ...([
        'b.id',
        'b.number',
        'b.subscription_id',
        'b.member_id',
        'b.account_id',
        'b.payment_id',
        'b.reason',
        'b.status',
      ] as const),
      ...(['b.currency', 'b.total_minor', 'b.due_at', 'b.paid_at', 'b.created_at'] as const),
    ])
    .select(
      sql<
        BillLineRow[]
      >`(select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'description', l.description,
          'plan_id', l.plan_id, 'period_start', ${iso('l.period_start')}, 'period_end', ${iso('l.period_end')},
          'amount_minor', l.amount_minor, 'given_back_minor', l.given_back_minor) order by l.position), '[]')
        from bill_lines l where l.bill_id = b.id)`.as('lines'),
    )
    .select(
      sql<BillRefundRow[]>`(
        select coalesce(json_agg(json_build_object('id', r.id, 'amount_minor', r.amount_minor,
          'destination', r.destination, 'cause', r.cause, 'status', r.status, 'reason', r.reason,
          'created_at', ${iso('r.created_at')}, 'parts', (
            select coalesce(json_agg(json_build_object('line_id', p.line_id, 'amount', p.amount_minor) order by p.id), '[]')
            from bill_refund_lines p where p.refund_id = r.id)) order by r.created_at, r.id), '[]')
        from bill_refunds r where r.bill_id = b.id)`.as('refunds'),
    )

const byId = lookup('bill_by_id', (v: { id: string }) => rows().where('b.id', '=', v.id))
/** @throws ApiError 404 */
export const getBill = (ctx: Context, id: string) =>
  ctx.tx.one(byId, { id }, 'Bill').map((row) => row as BillRow)

const byIds = statement('bills_by_ids', (v: { ids: readonly string[] }) =>
  rows().where('b.id', '=', sql<string>`any (${v.ids}::uuid[])`).orderBy('b.number'),
)
export const listBillsById = (ctx: Context, ids: readonly string[]) =>
  ctx.tx.all(byIds, { ids }).map((found) => found as BillRow[])

/** One page of bills, the newest first. */
export const listBills = defineList({
  label: 'bills',
  rows,
  key: 'b.id',
  filters: {
    member_id: hasId('b.member_id', (text) => parseId('member', text)),
    status: word<string>('b.status'),
  },
})

const place = statement('bill_place', (v: { id: string }) =>
  query.selectFrom('bills').select(['id', 'subscription_id', 'status']).where('id', '=', v.id),
)
/** Where a bill belongs. @throws ApiError 404 */
export const getBillPlace = (ctx: Context, id: string) => ctx.tx.one(place, { id }, 'Bill')
