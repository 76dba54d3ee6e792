import { sql } from 'kysely'
import { publicIdOf } from '#platform/actor.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'

// The ledger of credit of a member in a currency: entries are added and never changed. The balance, which is their sum, is
// kept beside them so that it can be locked. Below zero is what the member owes.

/**
 * What an entry is. `operator`: somebody's word, with a reason; `carried_over`: what there was before the ledger; `line`:
 * time that was paid for and given up; `refund`: of a bill, to credit; `used`: by a bill; `owed`: too small to be charged;
 * `billed`: what was owed, on a bill; `returned`: what a bill had used, which ended unpaid or was reduced; `taken_back`: the
 * money behind a credit has gone back to its payer.
 */
export const ENTRY_KINDS = [
  ...(['operator', 'carried_over', 'line', 'refund', 'used', 'owed', 'billed', 'returned'] as const),
  'taken_back',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** An entry to be written. All ids are stored ones. */
export interface NewEntry {
  /** A new one where omitted. */
  readonly id?: string | undefined
  readonly memberId: string
  readonly currency: string
  /** Above zero: the member has more; below zero: less. Never zero. */
  readonly amountMinor: number
  readonly kind: EntryKind
  /** The bill that made or used it. */
  readonly billId?: string | undefined
  /** The paid line that it comes from. */
  readonly lineId?: string | undefined
  /** The refund of a bill that it comes from. */
  readonly refundId?: string | undefined
  readonly reason?: string | undefined
}

const names = sql.join(
  [
    ...['id', 'member_id', 'currency', 'amount_minor', 'kind', 'bill_id', 'line_id', 'refund_id', 'reason'],
    ...['actor_kind', 'actor_id'],
  ].map((name) => sql.ref(name)),
)
const insertEntries = defineQuery(
  'insert_credit_entries',
  (v: { rows: string }) => sql`
    with entries as (
      insert into credit_entries (${names}, created_at)
      select ${names}, ${now} from json_populate_recordset(null::credit_entries, ${v.rows}::json)
      returning id, member_id, currency, amount_minor)
    insert into credit_balances (id, member_id, currency, amount_minor)
    select (array_agg(id order by id))[1], member_id, currency, sum(amount_minor)
    from entries group by member_id, currency order by member_id, currency
    on conflict (project_id, member_id, currency)
    do update set amount_minor = credit_balances.amount_minor + excluded.amount_minor`,
)

/** Writes entries, and the balances with them. */
export function writeEntries(ctx: Context, entries: readonly NewEntry[]): void {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({
    id: entry.id ?? newUuid(),
    member_id: entry.memberId,
    currency: entry.currency,
    amount_minor: entry.amountMinor,
    kind: entry.kind,
    bill_id: entry.billId ?? null,
    line_id: entry.lineId ?? null,
    refund_id: entry.refundId ?? null,
    reason: entry.reason ?? null,
    actor_kind: ctx.actor.kind,
    actor_id: publicIdOf(ctx.actor),
  }))
  insertEntries(ctx, { rows: JSON.stringify(rows) })
}

const lockBalances = defineQuery('lock_balances', (v: { member_ids: readonly string[] }) =>
  query
    .selectFrom('credit_balances')
    .select(['member_id', 'currency', 'amount_minor'])
    .where('member_id', '=', sql<string>`any (${v.member_ids}::uuid[])`)
    .orderBy('id')
    .forUpdate(),
)

/** What a member has in hand in a currency, in its smallest unit; below zero what is owed. */
export type BalanceOf = (memberId: string, currency: string) => number

/** What members have in hand. Nobody else uses it until the transaction ends. */
export async function readBalances(ctx: Context, memberIds: readonly string[]): Promise<BalanceOf> {
  const rows = await lockBalances(ctx, { member_ids: memberIds })
  const found = new Map(rows.map((row) => [`${row.member_id} ${row.currency}`, row.amount_minor]))
  return (memberId, currency) => found.get(`${memberId} ${currency}`) ?? 0
}

const creditOf = defineQuery('credit_of_bills', (v: { bill_ids: readonly string[] }) =>
  query
    .selectFrom('credit_entries')
    .select(['member_id', 'currency', 'bill_id', sql<number>`sum(amount_minor)::int8`.as('amount_minor')])
    .where('bill_id', '=', sql<string>`any (${v.bill_ids}::uuid[])`)
    .where('kind', 'in', ['used', 'owed', 'billed', 'returned'])
    .groupBy(['member_id', 'currency', 'bill_id'])
    .having(sql<boolean>`sum(amount_minor) <> 0`)
    .orderBy('bill_id'),
)

/** Gives back what bills have used that end unpaid. What they had billed of a debt is owed again. Can be repeated. */
export async function returnCredit(ctx: Context, billIds: readonly string[]): Promise<void> {
  const rows = await creditOf(ctx, { bill_ids: billIds })
  writeEntries(
    ctx,
    rows.map((row) => ({
      memberId: row.member_id,
      currency: row.currency,
      amountMinor: -row.amount_minor,
      kind: 'returned',
      billId: row.bill_id ?? undefined,
    })),
  )
}
