import type { Context } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { returnCredit, writeEntries } from '../credit/ledger.ts'
import { billPaid, billUncollectible, billVoided } from '../events.ts'
import { cancelPayments } from '../payments/service.ts'
import { CREDIT_LINES } from '../subscriptions/machine/apply-credit.ts'
import {
  type BillRow,
  closeBill,
  findSources,
  getBill,
  giveBack,
  listBillsById,
  owe,
  payBill,
  storeReduced,
  takeUpAgain,
} from './queries.ts'
import { type Reduction, reduceBill } from './reduce.ts'
import { roomOf } from './refunds/split.ts'
import { toBillData } from './rows.ts'

// The ways on which a bill stops being open: it is paid, owed, given up, or reduced to nothing.

/**
 * Has a payment pay a bill that is locked. One that was given up is paid late: it uses the credit again that it gave back,
 * so that its member may owe it.
 * @returns false where nothing is to be paid any more
 */
export async function takePayment(ctx: Context, id: string, paymentId: string): Promise<boolean> {
  const bill = await getBill(ctx, { id })
  if (bill.status === 'uncollectible' && !(await giveUpAgain(ctx, id))) return false
  if ((await payBill(ctx, { id, payment: paymentId })) === undefined) return false
  if (bill.status !== 'uncollectible') return true
  const amountMinor = bill.lines.reduce(
    (sum, line) => sum + (line.kind === 'credit' ? line.amount_minor : 0),
    0,
  )
  const { member_id: memberId, currency } = bill
  const kind = amountMinor < 0 ? 'used' : 'billed'
  if (amountMinor !== 0) writeEntries(ctx, [{ memberId, currency, amountMinor, kind, billId: id }])
  return true
}

/** Gives up again what a bill had given up of paid lines. @returns false where they have less by now */
async function giveUpAgain(ctx: Context, id: string): Promise<boolean> {
  const sources = await findSources(ctx, { id })
  if (sources.some(({ amount, ...line }) => roomOf(line) < amount)) return false
  giveBack(
    ctx,
    sources.map((source) => ({ line_id: source.id, amount: source.amount })),
  )
  return true
}

/**
 * Closes an open bill that the provider refused as too small, as bills are that we know to be too small: its member owes
 * the amount, which a later bill charges.
 * @returns false where it is not open any more
 */
export async function oweBill(
  ctx: Context,
  { id, member_id: memberId, currency }: BillRow,
): Promise<boolean> {
  const owed = await owe(ctx, { id, line: newUuid(), description: CREDIT_LINES.owed })
  if (owed === undefined) return false
  writeEntries(ctx, [{ memberId, currency, amountMinor: owed.amount_minor, kind: 'owed', billId: id }])
  return true
}

/**
 * Ends a bill that is open, and whatever is under way to pay it. The credit that it has used goes back to the member.
 * @returns whether it was open
 */
export async function giveUpBill(
  ctx: Context,
  id: string,
  status: 'void' | 'uncollectible',
): Promise<boolean> {
  if ((await closeBill(ctx, { id, status })) === undefined) return false
  await returnCredit(ctx, [id])
  await takeUpAgain(ctx, [id])
  await cancelPayments(ctx, 'bill', id)
  const bills = await listBillsById(ctx, { ids: [id] })
  emitEach(ctx, status === 'void' ? billVoided : billUncollectible, bills.map(toBillData))
  return true
}

/** Has an open bill charge no more than the time that was used. One that comes to nothing is paid. */
export async function reduceOpenBill(ctx: Context, id: string, reduction: Reduction): Promise<void> {
  const bill = await getBill(ctx, { id })
  if (bill.status !== 'open') return
  const { lines, total, returned } = reduceBill(bill.lines, reduction)
  // What it gives up of paid lines is less, too.
  giveBack(ctx, await storeReduced(ctx, { id, total, lines }))
  const { member_id: memberId, currency } = bill
  if (returned > 0)
    writeEntries(ctx, [{ memberId, currency, amountMinor: returned, kind: 'returned', billId: id }])
  // It was begun for another amount.
  await cancelPayments(ctx, 'bill', id)
  if (total === 0) emitEach(ctx, billPaid, (await listBillsById(ctx, { ids: [id] })).map(toBillData))
}
