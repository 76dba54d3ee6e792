import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { giveBack } from '../write-queries.ts'
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
const insert = statement('insert_bill_refund', (v: NewBillRefund) =>
  query.insertInto('bill_refunds').values({
    id: v.id,
    bill_id: v.bill_id,
    amount_minor: v.amount_minor,
    destination: v.destination,
    cause: v.cause,
    status: v.status,
    reason: v.reason,
    payment_refund_id: sql`case when ${v.destination}::text = 'payment' then ${v.id}::uuid end`,
    created_at: sql`(select app.project_now())`,
  }),
)
const insertParts = statement('insert_bill_refund_lines', (v: { refund_id: string; rows: string }) =>
  query
    .insertInto('bill_refund_lines')
    .columns(['id', 'refund_id', 'line_id', 'amount_minor'])
    .expression(
      sql`select r.id, ${v.refund_id}::uuid, r.line_id, r.amount
        from json_to_recordset(${v.rows}::json) as r (id uuid, line_id uuid, amount bigint)`,
    ),
)

/** Writes a refund, and gives its parts back of their lines. @throws ApiError 422 REFUND_EXCEEDS_PAID */
export async function insertBillRefund(
  ctx: Context,
  refund: NewBillRefund,
  parts: readonly RefundPart[],
): Promise<void> {
  ctx.tx.run(insert, refund)
  ctx.tx.run(insertParts, {
    refund_id: refund.id,
    rows: JSON.stringify(parts.map((part) => ({ id: newUuid(), ...part }))),
  })
  await giveBack(ctx, parts)
}

const settle = statement('settle_bill_refund', (v: { id: string; status: string }) =>
  query
    .updateTable('bill_refunds')
    .set({ status: v.status })
    .where('payment_refund_id', '=', v.id)
    .where('status', 'not in', ['failed', v.status])
    .returning('id'),
)
/** Notes what became of the money of a refund. @returns undefined where it is known, or no refund of a bill */
export const settleBillRefund = (ctx: Context, id: string, status: 'succeeded' | 'failed') =>
  ctx.tx.first(settle, { id, status })

const parts = statement('parts_of_refund', (v: { id: string }) =>
  query
    .selectFrom('bill_refund_lines')
    .select(['line_id', 'amount_minor as amount'])
    .where('refund_id', '=', v.id),
)
/** How a refund was split over the lines of its bill. */
export const listParts = (ctx: Context, id: string) =>
  ctx.tx.all(parts, { id }).map((found) => found as RefundPart[])

const taken = statement('taken_back_by', (v: { id: string }) =>
  query
    .selectFrom('credit_entries')
    .select(['member_id', 'currency', 'bill_id', sql<number>`sum(amount_minor)::int8`.as('amount_minor')])
    .where('refund_id', '=', v.id)
    .where('kind', '=', 'taken_back')
    .groupBy(['member_id', 'currency', 'bill_id'])
    .having(sql<boolean>`sum(amount_minor) <> 0`),
)
/** What of a refund had become credit before, and was taken back from the member. */
export const findTakenBack = (ctx: Context, id: string) => ctx.tx.first(taken, { id })
