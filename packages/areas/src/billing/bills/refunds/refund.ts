import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { fromMinor, toMinor } from '#platform/values/money.ts'
import { writeEntries } from '../../credit/ledger.ts'
import { refundTooLarge } from '../../errors.ts'
import { billId, billLineId } from '../../ids.ts'
import type { PaymentHandlers } from '../../payments/handlers.ts'
import { getPayment, type PaymentRow } from '../../payments/queries.ts'
import type { RefundRow } from '../../payments/refunds/queries.ts'
import { refundPayment } from '../../payments/refunds/refund.ts'
import { type BillRow, getBill, giveBack } from '../queries.ts'
import { findTakenBack, insertBillRefund, listParts, updateBillRefund } from './queries.ts'
import type { NewBillRefund } from './schema.ts'
import { leftOf, roomOf, split } from './split.ts'

/**
 * Gives back what was paid for a bill, which is paid and locked: to its payer, or to the member's credit.
 * @throws ApiError 422 REFUND_EXCEEDS_PAID where less is left; 422 for a line that the bill has not
 */
export async function refundBill(
  ctx: Context,
  handlers: PaymentHandlers,
  bill: BillRow,
  input: NewBillRefund,
): Promise<void> {
  const { id, currency } = bill
  const rooms = input.lines === undefined ? wholeLines(bill) : namedLines(bill, input.lines)
  const left = Math.min(leftOf(bill.lines), await leftAt(ctx, bill, input.to))
  const room = rooms.reduce((sum, line) => sum + line.room, 0)
  const isExact = input.lines?.some(({ amount }) => amount !== undefined) === true
  const amount =
    input.amount === undefined
      ? isExact
        ? room
        : Math.min(room, left)
      : minorOf('amount', input.amount, currency)
  if (amount <= 0 || amount > left) throw refundTooLarge()
  const { parts, rest } = split(amount, rooms)
  if (rest > 0) throw refundTooLarge()
  const reason = input.reason ?? null
  const made = await move(ctx, handlers, bill, { to: input.to, amount, reason: input.reason })
  insertBillRefund(
    ctx,
    { ...made, bill_id: id, amount_minor: amount, destination: input.to, cause: 'request', reason },
    parts,
  )
  if (input.to === 'credit')
    writeEntries(ctx, [
      {
        ...{ memberId: bill.member_id, currency, amountMinor: amount, kind: 'refund' },
        ...{ billId: id, refundId: made.id, reason: input.reason },
      },
    ])
  audit(ctx, {
    action: 'refund.create',
    target: toId(billId, id),
    reason: input.reason,
    after: { amount: fromMinor(amount, currency), currency, to: input.to },
  })
}

interface Refunded {
  readonly to: 'payment' | 'credit'
  readonly amount: number
  readonly reason: string | undefined
}

/** Moves the money. @returns what the refund is called, and how it stands */
async function move(
  ctx: Context,
  handlers: PaymentHandlers,
  { payment_id: paymentId }: BillRow,
  { to, amount: amountMinor, reason }: Refunded,
): Promise<{ id: string; status: string }> {
  if (to === 'credit') return { id: newUuid(), status: 'succeeded' }
  if (paymentId === null) throw refundTooLarge()
  const { id, status } = await refundPayment(ctx, handlers, { paymentId, amountMinor, reason })
  return { id, status }
}

/** What can still go back that way. */
async function leftAt(ctx: Context, bill: BillRow, to: 'payment' | 'credit'): Promise<number> {
  if (to === 'credit') return leftOf(bill.lines)
  if (bill.payment_id === null) return 0
  const { amount_minor, refunded_minor } = await getPayment(ctx, { id: bill.payment_id })
  return amount_minor - refunded_minor
}

const wholeLines = ({ lines }: BillRow) => lines.map((line) => ({ id: line.id, room: roomOf(line) }))

/** @throws ApiError 422 for a line that the bill has not, and for more of one than is left */
function namedLines({ lines, currency }: BillRow, named: NonNullable<NewBillRefund['lines']>) {
  const seen = new Set<string>()
  return named.map(({ id, amount }, i) => {
    const uuid = parseId(billLineId, id)
    const line = lines.find((each) => each.id === uuid)
    if (line === undefined || seen.has(line.id))
      throw invalidField(`lines[${i}].id`, 'exists', 'is not a line of this bill, or is named twice')
    seen.add(line.id)
    const left = roomOf(line)
    const wanted = amount === undefined ? left : minorOf(`lines[${i}].amount`, amount, currency)
    if (wanted > left || left === 0) throw refundTooLarge()
    return { id: line.id, room: wanted }
  })
}

function minorOf(field: string, amount: number, currency: string): number {
  const minor = toMinor(amount, currency)
  if (minor === undefined) throw invalidField(field, 'decimals', `has more decimals than ${currency} has`)
  return minor
}

/**
 * Notes money of a bill, which is locked, that went back without us. Money that had become credit is taken from the
 * member's credit, which may fall below zero.
 */
export async function noteRefundElsewhere(
  ctx: Context,
  refund: RefundRow,
  payment: PaymentRow,
  kind: 'refund' | 'dispute',
): Promise<void> {
  const bill = await getBill(ctx, { id: payment.purpose_id })
  // Money that nobody waited for is no part of the bill.
  if (bill.payment_id !== payment.id) return
  const { amount_minor: amount, status, reason, id } = refund
  const ofLines = Math.min(amount, leftOf(bill.lines))
  const { parts } = split(ofLines, wholeLines(bill))
  const cause = kind === 'dispute' ? 'dispute' : 'provider'
  const destination = 'payment'
  const noted = { id, bill_id: bill.id, amount_minor: amount, destination, cause, status, reason }
  insertBillRefund(ctx, noted, parts)
  const credited = amount - parts.reduce((sum, part) => sum + part.amount, 0)
  const { member_id: memberId, currency } = bill
  if (credited > 0)
    writeEntries(ctx, [
      { memberId, currency, amountMinor: -credited, kind: 'taken_back', billId: bill.id, refundId: id },
    ])
}

/** Notes that the money of a refund is with its payer, or that it is not: then it is the bill's again. */
export async function finishRefund(ctx: Context, id: string, status: 'succeeded' | 'failed'): Promise<void> {
  if ((await updateBillRefund(ctx, { id, status })) === undefined || status === 'succeeded') return
  const parts = await listParts(ctx, { id })
  giveBack(
    ctx,
    parts.map(({ line_id, amount }) => ({ line_id, amount: -amount })),
  )
  const taken = await findTakenBack(ctx, { id })
  if (taken !== undefined)
    writeEntries(ctx, [
      {
        ...{ memberId: taken.member_id, currency: taken.currency, amountMinor: -taken.amount_minor },
        ...{ kind: 'taken_back', billId: taken.bill_id ?? undefined, refundId: id },
      },
    ])
}
