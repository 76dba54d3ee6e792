import type { Context } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { returnCredit, writeEntries } from '../credit/ledger.ts'
import { billPaid, billUncollectible, billVoided } from '../events.ts'
import { cancelPayments } from '../payments/service.ts'
import { getBill, listBillsById } from './queries.ts'
import { type Reduction, reduceBill } from './reduce.ts'
import { toBillData } from './rows.ts'
import { closeBill, giveBack, storeReduced, takeUpAgain } from './write-queries.ts'

/**
 * Ends a bill that is open, and whatever is under way to pay it. What it has used of the member's credit comes back.
 * @returns whether it was open
 */
export async function giveUpBill(
  ctx: Context,
  id: string,
  status: 'void' | 'uncollectible',
): Promise<boolean> {
  if ((await closeBill(ctx, id, status)) === undefined) return false
  await returnCredit(ctx, [id])
  await takeUpAgain(ctx, [id])
  await cancelPayments(ctx, 'bill', id)
  const bills = await listBillsById(ctx, [id])
  emitEach(ctx, status === 'void' ? billVoided : billUncollectible, bills.map(toBillData))
  return true
}

/** Has an open bill charge no more than the time that was used. One that comes to nothing is paid. */
export async function reduceOpenBill(ctx: Context, id: string, reduction: Reduction): Promise<void> {
  const bill = await getBill(ctx, id)
  if (bill.status !== 'open') return
  const { lines, total, returned } = reduceBill(bill.lines, reduction)
  const given = await storeReduced(ctx, { id, total, lines })
  // What it gives up of paid lines is less, too.
  await giveBack(ctx, given)
  const { member_id: memberId, currency } = bill
  if (returned > 0)
    await writeEntries(ctx, [{ memberId, currency, amountMinor: returned, kind: 'returned', billId: id }])
  // It was begun for another amount.
  await cancelPayments(ctx, 'bill', id)
  if (total === 0) emitEach(ctx, billPaid, (await listBillsById(ctx, [id])).map(toBillData))
}
