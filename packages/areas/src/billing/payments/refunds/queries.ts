import { type InferResult, sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { chargeable } from '../../providers/chargeable.ts'
import { type Claim, endOfClaim, isTime, makesRefund, momentIn, nowInMs } from '../queries.ts'

const columns = [
  ...(['id', 'payment_id', 'amount_minor', 'status', 'reason', 'provider_reference'] as const),
  ...(['asked', 'created_at'] as const),
] as const

/** What columns of text hold. */
interface Words {
  status: 'pending' | 'succeeded' | 'failed'
}

const refunds = () => query.selectFrom('refunds').select(columns).$narrowType<Words>()

/** A refund as it is stored. */
export type RefundRow = InferResult<ReturnType<typeof refunds>>[number]

/** Promises part of a payment back; undefined where it has less. */
export const reserveRefund = defineQuery('reserve_refund', (v: { id: string; amount: number }) =>
  query
    .updateTable('payments')
    .set({ refunded_minor: sql`refunded_minor + ${v.amount}::bigint` })
    .where('id', '=', v.id)
    .where('status', '=', 'succeeded')
    .where(sql<boolean>`refunded_minor + ${v.amount}::bigint <= amount_minor`)
    .returning(['id', 'account_id']),
).first()

/** What the provider of a payment refunds: multiples of this, in the smallest unit. @throws ApiError 404 */
export const refundStep = defineQuery('provider_of_payment', (v: { id: string }) =>
  query
    .selectFrom('payments as p')
    .leftJoin('payment_accounts as a', 'a.id', 'p.account_id')
    .select(['p.currency', 'a.provider'])
    .where('p.id', '=', v.id),
)
  .map(({ provider, currency }) => chargeable(provider, currency).step)
  .one('Payment')

/** A refund has failed: its amount can be promised again. */
export const releaseRefund = defineQuery('release_refund', (v: { id: string; amount: number }) =>
  query
    .updateTable('payments')
    .set({ refunded_minor: sql`refunded_minor - ${v.amount}::bigint` })
    .where('id', '=', v.id),
)

interface NewRefund extends Pick<RefundRow, 'id' | 'payment_id' | 'amount_minor' | 'status' | 'reason'> {
  /** Of one that was made without us. */
  provider_reference: string | null
}
export const insertRefund = defineQuery('insert_refund', (v: NewRefund) =>
  query
    .insertInto('refunds')
    .values({
      ...pick(v, 'id', 'payment_id', 'amount_minor', 'status', 'reason', 'provider_reference'),
      ask_at: sql`case when ${v.status}::text = 'pending' then ${nowInMs} end`,
      settled_at: sql`case when ${v.status}::text <> 'pending' then ${nowInMs} end`,
      created_at: nowInMs,
    })
    .returning(columns)
    .$narrowType<Words>(),
).single()

/** @throws ApiError 404 */
export const getRefund = defineQuery('refund_by_id', (v: { id: string }) =>
  refunds().where('id', '=', v.id),
).one('Refund')

/** @throws ApiError 404 */
export const lockRefund = defineQuery('lock_refund', (v: { id: string }) =>
  refunds().where('id', '=', v.id).forUpdate(),
).one('Refund')

/** All refunds of a payment. */
export const listRefunds = defineQuery('refunds_of_payment', (v: { payment_id: string }) =>
  refunds().where('payment_id', '=', v.payment_id),
)

interface Outcome extends Pick<RefundRow, 'id' | 'status' | 'provider_reference'> {
  /** Seconds until it is asked about again; null: never. */
  ask_in: number | null
}
/** Records the state of a refund. */
export const updateRefund = defineQuery('update_refund', (v: Outcome) =>
  query
    .updateTable('refunds')
    .set({
      status: v.status,
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      ask_at: momentIn(v.ask_in),
      asked: sql`asked + 1`,
      settled_at: sql`case when ${v.status}::text <> 'pending'
        then coalesce(case when status = ${v.status}::text then settled_at end, ${nowInMs}) end`,
    })
    .where('id', '=', v.id),
)

/** The refund of a payment that a notice is about. */
export const findNoticedRefund = defineQuery(
  'refund_of_notice',
  (v: { payment_id: string; reference: string }) =>
    query
      .selectFrom('refunds')
      .select('id')
      .where('payment_id', '=', v.payment_id)
      .where('provider_reference', '=', v.reference),
).first()

/** Has a worker ask the provider. */
export const askAboutRefund = defineQuery('ask_about_refund', (v: { id: string }) =>
  query.updateTable('refunds').set({ ask_at: nowInMs }).where('id', '=', v.id),
)

/** Refunds to make or to ask about, for this worker alone. */
export const claimRefunds = defineQuery('claim_refunds', (v: Claim) =>
  query
    .updateTable('refunds')
    .set({ ask_at: endOfClaim })
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
