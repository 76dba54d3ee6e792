import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type Claim, isTime, makesRefund } from '../queries.ts'

/** To the millisecond, as clocks that are moved stop. */
const now = sql<string>`(select date_trunc('milliseconds', app.project_now()))`

export interface RefundRow {
  id: string
  payment_id: string
  amount_minor: number
  status: 'pending' | 'succeeded' | 'failed'
  reason: string | null
  provider_reference: string | null
  asked: number
  created_at: string
}

const columns = [
  ...([
    'id',
    'payment_id',
    'amount_minor',
    'status',
    'reason',
    'provider_reference',
    'asked',
    'created_at',
  ] as const),
] as const

const reserve = statement('reserve_refund', (v: { id: string; amount: number }) =>
  query
    .updateTable('payments')
    .set({ refunded_minor: sql`refunded_minor + ${v.amount}::bigint` })
    .where('id', '=', v.id)
    .where('status', '=', 'succeeded')
    .where(sql<boolean>`refunded_minor + ${v.amount}::bigint <= amount_minor`)
    .returning(['id', 'account_id']),
)
/** Promises part of a payment back; undefined where it has less. */
export const reserveRefund = (ctx: Context, id: string, amount: number) =>
  ctx.tx.first(reserve, { id, amount })

const provider = statement('provider_of_payment', (v: { id: string }) =>
  query
    .selectFrom('payments as p')
    .leftJoin('payment_accounts as a', 'a.id', 'p.account_id')
    .select(['p.currency', 'a.provider'])
    .where('p.id', '=', v.id),
)
/** Who has the money of a payment; null: it was taken by hand. @throws ApiError 404 */
export const getPaymentProvider = (ctx: Context, id: string) => ctx.tx.one(provider, { id }, 'Payment')

const release = statement('release_refund', (v: { id: string; amount: number }) =>
  query
    .updateTable('payments')
    .set({ refunded_minor: sql`refunded_minor - ${v.amount}::bigint` })
    .where('id', '=', v.id),
)
/** A refund has failed: its amount can be promised again. */
export const releaseRefund = (ctx: Context, id: string, amount: number) => ctx.tx.run(release, { id, amount })

interface NewRefund {
  id: string
  payment_id: string
  amount_minor: number
  status: string
  reason: string | null
  /** Of one that was made without us. */
  provider_reference?: string
}
const insert = statement('insert_refund', (v: NewRefund) =>
  query
    .insertInto('refunds')
    .values({
      id: v.id,
      payment_id: v.payment_id,
      amount_minor: v.amount_minor,
      status: v.status,
      reason: v.reason,
      provider_reference: v.provider_reference ?? null,
      ask_at: sql`case when ${v.status}::text = 'pending' then ${now} end`,
      settled_at: sql`case when ${v.status}::text <> 'pending' then ${now} end`,
      created_at: now,
    })
    .returning(columns),
)
export const insertRefundRow = (ctx: Context, refund: NewRefund) =>
  ctx.tx.single(insert, refund).map((row) => row as RefundRow)

const byId = statement('refund_by_id', (v: { id: string }) =>
  query.selectFrom('refunds').select(columns).where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getRefund = (ctx: Context, id: string) =>
  ctx.tx.one(byId, { id }, 'Refund').map((row) => row as RefundRow)

const locked = statement('lock_refund', (v: { id: string }) =>
  query.selectFrom('refunds').select(columns).where('id', '=', v.id).forUpdate(),
)
/** @throws ApiError 404 */
export const lockRefund = (ctx: Context, id: string) =>
  ctx.tx.one(locked, { id }, 'Refund').map((row) => row as RefundRow)

const ofPayment = statement('refunds_of_payment', (v: { payment_id: string }) =>
  query.selectFrom('refunds').select(columns).where('payment_id', '=', v.payment_id),
)
/** All refunds of a payment. */
export const listRefunds = (ctx: Context, payment_id: string) =>
  ctx.tx.all(ofPayment, { payment_id }).map((rows) => rows as RefundRow[])

interface Settled {
  id: string
  status: string
  provider_reference: string | null
  ask_in: number | null
}
const settle = statement('settle_refund', (v: Settled) =>
  query
    .updateTable('refunds')
    .set({
      status: v.status,
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      ask_at: sql`${now} + ${v.ask_in}::float8 * interval '1 second'`,
      asked: sql`asked + 1`,
      settled_at: sql`case when ${v.status}::text <> 'pending' then coalesce(settled_at, ${now}) end`,
    })
    .where('id', '=', v.id),
)
export const settleRefundRow = (ctx: Context, settled: Settled) => ctx.tx.run(settle, settled)

const noticed = statement('refund_of_notice', (v: { payment_id: string; reference: string }) =>
  query
    .selectFrom('refunds')
    .select('id')
    .where('payment_id', '=', v.payment_id)
    .where('provider_reference', '=', v.reference),
)
/** The refund of a payment that a notice is about. */
export const findNoticedRefund = (ctx: Context, payment_id: string, reference: string) =>
  ctx.tx.first(noticed, { payment_id, reference })

const askSoon = statement('ask_about_refund', (v: { id: string }) =>
  query.updateTable('refunds').set({ ask_at: now }).where('id', '=', v.id),
)
/** Has a worker ask the provider. */
export const askAboutRefund = (ctx: Context, id: string) => ctx.tx.defer(askSoon, { id })

const claim = statement('claim_refunds', (v: Claim) =>
  query
    .updateTable('refunds')
    .set({ ask_at: sql`${now} + interval '2 minutes'` })
    .where('id', 'in', (select) =>
      select
        .selectFrom('refunds')
        .select('id')
        .where(isTime(v.moment))
        .where(makesRefund(v.moment))
        .orderBy('ask_at')
        .limit(v.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id'),
)
/** Refunds to make or to ask about, for this worker alone. */
export const claimRefunds = (ctx: Context, wanted: Claim) => ctx.tx.all(claim, wanted)
