import type { Context } from '#platform/db/tenant.ts'
import { listBillsById } from '../bills/queries.ts'
import type { PaymentRow } from '../payments/queries.ts'
import { cancelBegun, openPayment } from '../payments/service.ts'

/** Has a worker take the money of open bills, without their payers. @returns the payments, those under way included */
export async function chargeBills(ctx: Context, ids: readonly string[]): Promise<PaymentRow[]> {
  const payments: PaymentRow[] = []
  for (const bill of await listBillsById(ctx, { ids })) {
    // What its payer began and left lying keeps nobody from charging; should its money come, too, it goes back.
    await cancelBegun(ctx, 'bill', bill.id)
    const payment = await openPayment(ctx, {
      memberId: bill.member_id,
      purpose: 'bill',
      purposeId: bill.id,
      amountMinor: bill.total_minor,
      currency: bill.currency,
      accountId: bill.account_id,
      offSession: true,
    })
    payments.push(payment)
  }
  return payments
}
