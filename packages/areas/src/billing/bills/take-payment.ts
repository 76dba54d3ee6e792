import type { Context } from '#platform/db/tenant.ts'
import { writeEntries } from '../credit/ledger.ts'
import { getBill } from './queries.ts'
import { roomOf } from './refunds/split.ts'
import { findSources, giveBack, payBill } from './write-queries.ts'

/**
 * Has a payment pay a bill that is held. One that was given up is paid late: it uses the credit again that it gave back,
 * so that its member may owe it.
 * @returns false where nothing is to be paid any more
 */
export async function takePayment(ctx: Context, id: string, paymentId: string): Promise<boolean> {
  const bill = await getBill(ctx, id)
  if (bill.status === 'uncollectible' && !(await giveUpAgain(ctx, id))) return false
  if ((await payBill(ctx, id, paymentId)) === undefined) return false
  if (bill.status !== 'uncollectible') return true
  const amountMinor = bill.lines.reduce(
    (sum, line) => sum + (line.kind === 'credit' ? line.amount_minor : 0),
    0,
  )
  const { member_id: memberId, currency } = bill
  if (amountMinor !== 0)
    await writeEntries(ctx, [
      { memberId, currency, amountMinor, kind: amountMinor < 0 ? 'used' : 'billed', billId: id },
    ])
  return true
}

/** Gives up again what a bill had given up of paid lines. @returns false where they have less by now */
async function giveUpAgain(ctx: Context, id: string): Promise<boolean> {
  const sources = await findSources(ctx, id)
  if (sources.some(({ amount, ...line }) => roomOf(line) < amount)) return false
  await giveBack(
    ctx,
    sources.map((source) => ({ line_id: source.id, amount: source.amount })),
  )
  return true
}
