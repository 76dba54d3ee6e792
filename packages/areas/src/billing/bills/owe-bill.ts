import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { writeEntries } from '../credit/ledger.ts'
import { CREDIT_LINES } from '../subscriptions/machine/settle-credit.ts'
import type { BillRow } from './queries.ts'

const settle = statement('owe_bill', (v: { id: string; line: string; description: string }) =>
  query
    .with('owed', (cte) =>
      cte
        .updateTable('bills as b')
        .from('bills as before')
        .set({ status: 'paid', total_minor: 0, paid_at: sql`(select app.project_now())` })
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
)

/**
 * Settles an open bill that the provider refused as too small, as bills are that we know to be too small: its member owes
 * the amount, which a later bill charges.
 * @returns false where it is not open any more
 */
export async function oweBill(
  ctx: Context,
  { id, member_id: memberId, currency }: BillRow,
): Promise<boolean> {
  const owed = await ctx.tx.first(settle, { id, line: newUuid(), description: CREDIT_LINES.owed })
  if (owed === undefined) return false
  const { amount_minor: amountMinor } = owed
  await writeEntries(ctx, [{ memberId, currency, amountMinor, kind: 'owed', billId: id }])
  return true
}
