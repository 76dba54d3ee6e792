import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

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
      'amount_minor',
    ])
    .expression(
      sql`select r.id, r.bill_id, r.position, r.kind, r.description, r.plan_id, r.period_start, r.period_end, r.amount_minor
        from json_to_recordset(${v.rows}::json) as r (id uuid, bill_id uuid, position int, kind text, description text,
          plan_id uuid, period_start timestamptz, period_end timestamptz, amount_minor bigint)`,
    ),
)
export function insertBillRows(ctx: Context, rows: readonly NewBill[], all: readonly NewLine[]) {
  return ctx.tx
    .run(bills, { rows: JSON.stringify(rows) })
    .and(ctx.tx.run(lines, { rows: JSON.stringify(all) }))
}

const close = statement('close_bill', (v: { id: string; status: string }) =>
  query
    .updateTable('bills')
    .set({
      status: v.status,
      paid_at: sql`case when ${v.status}::text = 'paid' then (select app.project_now()) end`,
    })
    .where('id', '=', v.id)
    .where('status', '=', 'open')
    .returning('id'),
)
/** Undefined where it is not open any more. */
export const closeBill = (ctx: Context, id: string, status: 'paid' | 'void' | 'uncollectible') =>
  ctx.tx.first(close, { id, status })

const balances = statement('lock_balances', (v: { member_ids: readonly string[] }) =>
  query
    .selectFrom('credit_balances')
    .select(['member_id', 'currency', 'amount_minor'])
    .where('member_id', '=', sql<string>`any (${v.member_ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)
/** What members have in hand; theirs alone until the transaction ends. */
export const lockBalances = (ctx: Context, member_ids: readonly string[]) =>
  ctx.tx.all(balances, { member_ids })

const credit = statement(
  'add_credit',
  (v: { id: string; member_id: string; currency: string; amount: number }) =>
    query
      .insertInto('credit_balances')
      .values({ id: v.id, member_id: v.member_id, currency: v.currency, amount_minor: v.amount })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'member_id', 'currency'])
          .doUpdateSet({ amount_minor: sql`credit_balances.amount_minor + ${v.amount}::bigint` }),
      ),
)
const use = statement('use_credit', (v: { member_id: string; currency: string; amount: number }) =>
  query
    .updateTable('credit_balances')
    .set({ amount_minor: sql`amount_minor + ${v.amount}::bigint` })
    .where('member_id', '=', v.member_id)
    .where('currency', '=', v.currency),
)
/** Adds to a balance, or takes from it where the amount is below zero. */
export const changeBalance = (
  ctx: Context,
  change: { id: string; member_id: string; currency: string; amount: number },
) => ctx.tx.run(change.amount < 0 ? use : credit, change)
