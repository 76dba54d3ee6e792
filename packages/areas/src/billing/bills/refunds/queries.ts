import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, insertRows, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { giveBack } from '../queries.ts'
import type { RefundPart } from './split.ts'

interface NewBillRefund {
  /** That of the refund of the payment, where money moves. */
  readonly id: string
  readonly bill_id: string
  readonly amount_minor: number
  readonly destination: string
  readonly cause: string
  readonly status: string
  readonly reason: string | null
}
const insertRefund = defineQuery('insert_bill_refund', (v: NewBillRefund) =>
  query.insertInto('bill_refunds').values({
    ...pick(v, 'id', 'bill_id', 'amount_minor', 'destination', 'cause', 'status', 'reason'),
    payment_refund_id: sql`case when ${v.destination}::text = 'payment' then ${v.id}::uuid end`,
    created_at: now,
  }),
)
const insertParts = defineQuery('insert_bill_refund_lines', (v: { rows: string }) =>
  insertRows('bill_refund_lines', ['id', 'refund_id', 'line_id', 'amount_minor'], v.rows),
)

/** Writes a refund, and gives its parts back of their lines. @throws ApiError 422 REFUND_EXCEEDS_PAID */
export function insertBillRefund(ctx: Context, refund: NewBillRefund, parts: readonly RefundPart[]): void {
  insertRefund(ctx, refund)
  const rows = parts.map(({ line_id, amount }) => ({
    id: newUuid(),
    refund_id: refund.id,
    line_id,
    amount_minor: amount,
  }))
  insertParts(ctx, { rows: JSON.stringify(rows) })
  giveBack(ctx, parts)
}

/** Notes what became of the money of a refund. Undefined where it is known, or no refund of a bill. */
export const updateBillRefund = defineQuery(
  'update_bill_refund',
  (v: { id: string; status: 'succeeded' | 'failed' }) =>
    query
      .updateTable('bill_refunds')
      .set({ status: v.status })
      .where('payment_refund_id', '=', v.id)
      .where('status', 'not in', ['failed', v.status])
      .returning('id'),
).first()

/** How a refund was split over the lines of its bill. */
export const listParts = defineQuery('parts_of_refund', (v: { id: string }) =>
  query
    .selectFrom('bill_refund_lines')
    .select(['line_id', 'amount_minor as amount'])
    .where('refund_id', '=', v.id),
)

/** What of a refund had become credit before, and was taken back from the member. */
export const findTakenBack = defineQuery('taken_back_by', (v: { id: string }) =>
  query
    .selectFrom('credit_entries')
    .select(['member_id', 'currency', 'bill_id', sql<number>`sum(amount_minor)::int8`.as('amount_minor')])
    .where('refund_id', '=', v.id)
    .where('kind', '=', 'taken_back')
    .groupBy(['member_id', 'currency', 'bill_id'])
    .having(sql<boolean>`sum(amount_minor) <> 0`),
).first()
