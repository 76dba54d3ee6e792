import { type InferResult, sql } from 'kysely'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, insertRows } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, hasId, ofMemberFound, word } from '#platform/lists/list-filters.ts'
import { refundTooLarge } from '../errors.ts'
import type { RefundPart } from './refunds/split.ts'

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
interface BillRefundRow {
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

const bills = () =>
  query
    .selectFrom('bills as b')
    .select(['b.id', 'b.number', 'b.subscription_id', 'b.member_id', 'b.account_id', 'b.payment_id'])
    .select(['b.reason', 'b.status', 'b.currency', 'b.total_minor', 'b.due_at', 'b.paid_at', 'b.created_at'])
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
    .$narrowType<{
      reason: 'first' | 'renewal' | 'change'
      status: 'open' | 'paid' | 'void' | 'uncollectible'
    }>()

/** A bill as it is stored, with its lines and refunds. `payment_id` is the payment that paid it. */
export type BillRow = InferResult<ReturnType<typeof bills>>[number]

/** @throws ApiError 404 */
export const getBill = defineLookup('bill_by_id', (v: { id: string }) =>
  bills().where('b.id', '=', v.id),
).one('Bill')

export const listBillsById = defineQuery('bills_by_ids', (v: { ids: readonly string[] }) =>
  bills().where('b.id', '=', sql<string>`any (${v.ids}::uuid[])`).orderBy('b.number'),
)

/** One page of bills, the newest first. */
export const listBills = defineList({
  label: 'bills',
  rows: bills,
  key: 'b.id',
  filters: {
    member_id: hasId('b.member_id', (text) => parseId('member', text)),
    subscription_id: hasId('b.subscription_id', (text) => parseId(subscriptionId, text)),
    status: word<string>('b.status'),
    ...between('b.created_at'),
  },
  search: ofMemberFound('b.member_id'),
  sorts: { created_at: ['b.created_at', 'timestamptz'], number: ['b.number', 'int8'] },
})

/** Where a bill belongs. @throws ApiError 404 */
export const getBillPlace = defineQuery('bill_place', (v: { id: string }) =>
  query.selectFrom('bills').select(['id', 'subscription_id', 'status']).where('id', '=', v.id),
).one('Bill')

/** A bill as it is written. It is numbered then. */
export interface NewBill {
  id: string
  subscription_id: string
  member_id: string
  account_id: string | null
  reason: string
  status: 'open' | 'paid'
  currency: string
  total_minor: number
  change_plan_id: string | null
  change_plan_version: number | null
  due_at: string
  paid_at: string | null
  created_at: string
}

export interface NewLine {
  id: string
  bill_id: string
  position: number
  kind: string
  description: string
  plan_id: string | null
  period_start: string | null
  period_end: string | null
  amount_minor: number
  /** Of a line that gives time up: the paid line that it comes from. */
  source_line_id: string | null
}

const billColumns = sql.join(
  [
    ...['id', 'subscription_id', 'member_id', 'account_id', 'reason', 'status', 'currency'],
    ...['total_minor', 'change_plan_id', 'change_plan_version', 'due_at', 'paid_at', 'created_at'],
  ].map((name) => sql.ref(name)),
)
/**
 * Numbers follow one another without a gap: all bills of a project wait here for the transaction that numbered the last ones.
 * `number` of a row is how far it lies from the last of them.
 */
const insertBillRows = defineQuery(
  'insert_bills',
  (v: { rows: string; count: number }) => sql`
    with numbers as (
      insert into bill_numbers (last) values (${v.count}::int)
      on conflict (project_id, id) do update set last = bill_numbers.last + excluded.last
      returning last)
    insert into bills (${billColumns}, number)
    select ${billColumns}, number + (select last from numbers)
    from json_populate_recordset(null::bills, ${v.rows}::json)`,
)
const insertLineRows = defineQuery('insert_bill_lines', (v: { rows: string }) =>
  insertRows(
    'bill_lines',
    [
      ...(['id', 'bill_id', 'position', 'kind', 'description', 'plan_id', 'period_start'] as const),
      ...(['period_end', 'amount_minor', 'source_line_id'] as const),
    ],
    v.rows,
  ),
)
/** Writes bills, numbered in their order. What their lines give up of paid lines is given back of those. */
export function insertBills(ctx: Context, bills: readonly NewBill[], lines: readonly NewLine[]): void {
  const count = bills.length
  const rows = bills.map((bill, index) => ({ ...bill, number: index + 1 - count }))
  insertBillRows(ctx, { rows: JSON.stringify(rows), count })
  insertLineRows(ctx, { rows: JSON.stringify(lines) })
  const given = lines.flatMap(({ source_line_id: line_id, amount_minor }) =>
    line_id === null ? [] : [{ line_id, amount: -amount_minor }],
  )
  giveBack(ctx, given)
}

const addGivenBack = defineQuery(
  'give_back',
  (v: { rows: string }) =>
    query
      .updateTable('bill_lines as l')
      .from(
        sql<{ line_id: string; amount: number }>`(
          select line_id, sum(amount)::bigint as amount
          from json_to_recordset(${v.rows}::json) as t (line_id uuid, amount bigint) group by line_id)`.as(
          'r',
        ),
      )
      .set({ given_back_minor: sql`l.given_back_minor + r.amount` })
      .whereRef('l.id', '=', 'r.line_id'),
  { bill_lines_given_back: refundTooLarge },
)

/** What is given back of a paid line: credited, refunded, or lost in a dispute. */
export interface GivenBack {
  readonly line_id: string
  /** Below zero: it is the line's again. */
  readonly amount: number
}

/** Notes what is given back of lines. @throws ApiError 422 REFUND_EXCEEDS_PAID where a line has less */
export function giveBack(ctx: Context, given: readonly GivenBack[]): void {
  if (given.length > 0) addGivenBack(ctx, { rows: JSON.stringify(given) })
}

const givenUpBy = defineQuery('given_up_by_bills', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('bill_lines')
    .select(['source_line_id as line_id', 'amount_minor as amount'])
    .where('bill_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('source_line_id', 'is not', null)
    .$narrowType<{ line_id: string }>(),
)

/** What bills give up of paid lines, which end unpaid, is of those lines again. */
export async function takeUpAgain(ctx: Context, ids: readonly string[]): Promise<void> {
  giveBack(ctx, await givenUpBy(ctx, { ids }))
}

/** Undefined where it is not open any more. */
export const closeBill = defineQuery('close_bill', (v: { id: string; status: 'void' | 'uncollectible' }) =>
  query
    .updateTable('bills')
    .set({ status: v.status })
    .where('id', '=', v.id)
    .where('status', '=', 'open')
    .returning('id'),
).first()

/** Undefined where it is paid or void. */
export const payBill = defineQuery('pay_bill', (v: { id: string; payment: string }) =>
  query
    .updateTable('bills')
    .set({ status: 'paid', payment_id: v.payment, paid_at: now })
    .where('id', '=', v.id)
    .where('status', 'in', ['open', 'uncollectible'])
    .returning('id'),
).first()

/** Closes an open bill with a line of credit that owes all of it. Undefined where it is not open any more. */
export const owe = defineQuery('owe_bill', (v: { id: string; line: string; description: string }) =>
  query
    .with('owed', (cte) =>
      cte
        .updateTable('bills as b')
        .from('bills as before')
        .set({ status: 'paid', total_minor: 0, paid_at: now })
        .whereRef('before.project_id', '=', 'b.project_id')
        .whereRef('before.id', '=', 'b.id')
        .where('b.id', '=', v.id)
        .where('b.status', '=', 'open')
        .returning(['b.id', 'before.total_minor as total']),
    )
    .insertInto('bill_lines')
    .columns(['id', 'bill_id', 'position', 'kind', 'description', 'amount_minor'])
    .expression(
      sql`select ${v.line}::uuid, id, (select count(*) from bill_lines l where l.bill_id = owed.id), 'credit',
        ${v.description}::text, -total from owed`,
    )
    .returning('amount_minor'),
).first()

/** The paid lines whose time a bill gives up, and how much of each. */
export const findSources = defineQuery('sources_of_bill', (v: { id: string }) =>
  query
    .selectFrom('bill_lines as l')
    .innerJoin('bill_lines as s', 's.id', 'l.source_line_id')
    .select(['s.id', 's.kind', 's.amount_minor', 's.given_back_minor'])
    .select(sql<number>`-l.amount_minor`.as('amount'))
    .where('l.bill_id', '=', v.id),
)

const reduceLines = defineQuery(
  'reduce_bill_lines',
  (v: { rows: string }) => sql<{ line_id: string | null; amount: number }>`
    with before as (
      select l.id, l.source_line_id, l.amount_minor as was, r.amount_minor as is_now, r.period_end
      from bill_lines l
      join json_to_recordset(${v.rows}::json) as r (id uuid, amount_minor bigint, period_end timestamptz) on r.id = l.id)
    update bill_lines l set amount_minor = b.is_now, period_end = coalesce(b.period_end, l.period_end)
    from before b where l.id = b.id
    returning b.source_line_id as line_id, b.was - b.is_now as amount`,
)
const reduceTotal = defineQuery('reduce_bill', (v: { id: string; total: number }) =>
  query
    .updateTable('bills')
    .set({
      total_minor: v.total,
      status: sql`case when ${v.total}::bigint = 0 then 'paid' else status end`,
      paid_at: sql`case when ${v.total}::bigint = 0 then ${now} end`,
    })
    .where('id', '=', v.id),
)

/** Writes what an open bill is reduced to. @returns what it gives up less of paid lines */
export async function storeReduced(
  ctx: Context,
  { id, total, lines }: { id: string; total: number; lines: readonly object[] },
): Promise<GivenBack[]> {
  reduceTotal(ctx, { id, total })
  const reduced = await reduceLines(ctx, { rows: JSON.stringify(lines) })
  return reduced.flatMap(({ line_id, amount }) => (line_id === null ? [] : [{ line_id, amount }]))
}
