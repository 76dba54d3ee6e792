import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { refundTooLarge } from '../errors.ts'

const take = statement('take_bill_numbers', (v: { count: number }) =>
  query
    .insertInto('bill_numbers')
    .values({ last: v.count })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({ last: sql`bill_numbers.last + ${v.count}::int` }),
    )
    .returning('last'),
)
/** So many numbers of the project, without gaps. @returns the first one */
export const takeNumbers = (ctx: Context, count: number) =>
  ctx.tx.single(take, { count }).map(({ last }) => last - count + 1)

/** A bill as it is written. */
export interface NewBill {
  id: string
  number: number
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

const bills = statement('insert_bills', (v: { rows: string }) =>
  query
    .insertInto('bills')
    .columns([
      ...([
        'id',
        'number',
        'subscription_id',
        'member_id',
        'account_id',
        'reason',
        'status',
        'currency',
      ] as const),
      ...([
        'total_minor',
        'change_plan_id',
        'change_plan_version',
        'due_at',
        'paid_at',
        'created_at',
      ] as const),
    ])
    .expression(
      sql`select r.id, r.number, r.subscription_id, r.member_id, r.account_id, r.reason, r.status, r.currency,
          r.total_minor, r.change_plan_id, r.change_plan_version, r.due_at, r.paid_at, r.created_at
        from json_to_recordset(${v.rows}::json) as r (id uuid, number int, subscription_id uuid, member_id uuid,
          account_id uuid, reason text, status text, currency text, total_minor bigint, change_plan_id uuid,
          change_plan_version int, due_at timestamptz, paid_at timestamptz, created_at timestamptz)`,
    ),
)
const lines = statement('insert_bill_lines', (v: { rows: string }) =>
  query
    .insertInto('bill_lines')
    .columns([
      ...([
        'id',
        'bill_id',
        'position',
        'kind',
        'description',
        'plan_id',
        'period_start',
        'period_end',
      ] as const),
      ...(['amount_minor', 'source_line_id'] as const),
    ])
    .expression(
      sql`select r.id, r.bill_id, r.position, r.kind, r.description, r.plan_id, r.period_start, r.period_end, r.amount_minor,
          r.source_line_id
        from json_to_recordset(${v.rows}::json) as r (id uuid, bill_id uuid, position int, kind text, description text,
          plan_id uuid, period_start timestamptz, period_end timestamptz, amount_minor bigint, source_line_id uuid)`,
    ),
)
/** Writes bills. What their lines give up of paid lines is given back of those. */
export async function insertBillRows(ctx: Context, rows: readonly NewBill[], all: readonly NewLine[]) {
  ctx.tx.run(bills, { rows: JSON.stringify(rows) })
  await ctx.tx.run(lines, { rows: JSON.stringify(all) })
  const given = all.flatMap(({ source_line_id: line_id, amount_minor }) =>
    line_id === null ? [] : [{ line_id, amount: -amount_minor }],
  )
  await giveBack(ctx, given)
}

const give = statement(
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
export async function giveBack(ctx: Context, given: readonly GivenBack[]): Promise<void> {
  if (given.length > 0) await ctx.tx.run(give, { rows: JSON.stringify(given) })
}

const given = statement('given_up_by_bills', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('bill_lines')
    .select(['source_line_id as line_id', 'amount_minor as amount'])
    .where('bill_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('source_line_id', 'is not', null),
)

/** What bills give up of paid lines, which end unpaid, is of those lines again. */
export async function takeUpAgain(ctx: Context, ids: readonly string[]): Promise<void> {
  await giveBack(ctx, (await ctx.tx.all(given, { ids })) as GivenBack[])
}

const close = statement('close_bill', (v: { id: string; status: string }) =>
  query
    .updateTable('bills')
    .set({ status: v.status })
    .where('id', '=', v.id)
    .where('status', '=', 'open')
    .returning('id'),
)
/** Undefined where it is not open any more. */
export const closeBill = (ctx: Context, id: string, status: 'void' | 'uncollectible') =>
  ctx.tx.first(close, { id, status })

const pay = statement('pay_bill', (v: { id: string; payment: string }) =>
  query
    .updateTable('bills')
    .set({ status: 'paid', payment_id: v.payment, paid_at: sql`(select app.project_now())` })
    .where('id', '=', v.id)
    .where('status', 'in', ['open', 'uncollectible'])
    .returning('id'),
)
/** Undefined where it is paid or void. */
export const payBill = (ctx: Context, id: string, payment: string) => ctx.tx.first(pay, { id, payment })

const sources = statement('sources_of_bill', (v: { id: string }) =>
  query
    .selectFrom('bill_lines as l')
    .innerJoin('bill_lines as s', 's.id', 'l.source_line_id')
    .select(['s.id', 's.kind', 's.amount_minor', 's.given_back_minor'])
    .select(sql<number>`-l.amount_minor`.as('amount'))
    .where('l.bill_id', '=', v.id),
)
/** The paid lines whose time a bill gives up, and how much of each. */
export const findSources = (ctx: Context, id: string) => ctx.tx.all(sources, { id })

const reduceLines = statement('reduce_bill_lines', (v: { rows: string }) =>
  query
    .with('before', (cte) =>
      cte
        .selectFrom('bill_lines as l')
        .innerJoin(
          sql<{
            id: string
            amount_minor: number
            period_end: string | null
          }>`json_to_recordset(${v.rows}::json)`.as<'r'>(
            sql`r (id uuid, amount_minor bigint, period_end timestamptz)`,
          ),
          (on) => on.onRef('r.id', '=', 'l.id'),
        )
        .select([
          'l.id',
          'l.source_line_id',
          'l.amount_minor as was',
          'r.amount_minor as is_now',
          'r.period_end',
        ]),
    )
    .updateTable('bill_lines as l')
    .from('before as b')
    .set({ amount_minor: sql`b.is_now`, period_end: sql`coalesce(b.period_end, l.period_end)` })
    .whereRef('l.id', '=', 'b.id')
    .returning(['b.source_line_id as line_id', sql<number>`b.was - b.is_now`.as('amount')]),
)
const reduceTotal = statement('reduce_bill', (v: { id: string; total: number }) =>
  query
    .updateTable('bills')
    .set({
      total_minor: v.total,
      status: sql`case when ${v.total}::bigint = 0 then 'paid' else status end`,
      paid_at: sql`case when ${v.total}::bigint = 0 then (select app.project_now()) end`,
    })
    .where('id', '=', v.id),
)

/** Writes what an open bill is reduced to. @returns what it gives up less of paid lines */
export async function storeReduced(
  ctx: Context,
  { id, total, lines: rows }: { id: string; total: number; lines: readonly object[] },
): Promise<GivenBack[]> {
  ctx.tx.run(reduceTotal, { id, total })
  const reduced = await ctx.tx.all(reduceLines, { rows: JSON.stringify(rows) })
  return reduced.flatMap(({ line_id, amount }) => (line_id === null ? [] : [{ line_id, amount }]))
}
