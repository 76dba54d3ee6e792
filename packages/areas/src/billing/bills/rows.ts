import { subscriptionId } from '#areas/entitlements/ids.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { billId, billLineId, refundId } from '../ids.ts'
import { type PaymentRow, toPayment } from '../payments/queries.ts'
import type { BillRow } from './queries.ts'
import type { Bill } from './schema.ts'

/** A bill as events tell it. */
export const toBillData = (row: BillRow): Omit<Bill, 'payments' | 'refunds'> => ({
  id: toId(billId, row.id),
  number: row.number,
  subscription_id: toId(subscriptionId, row.subscription_id),
  member_id: toId('member', row.member_id),
  status: row.status,
  reason: row.reason,
  currency: row.currency,
  lines: row.lines.map((line) => ({
    id: toId(billLineId, line.id),
    kind: line.kind,
    description: line.description,
    plan_id: line.plan_id === null ? null : toId('plan', line.plan_id),
    period_start: line.period_start,
    period_end: line.period_end,
    amount: fromMinor(line.amount_minor, row.currency),
  })),
  total: fromMinor(row.total_minor, row.currency),
  amount_refunded: fromMinor(
    row.refunds.reduce((sum, { status, amount_minor }) => sum + (status === 'failed' ? 0 : amount_minor), 0),
    row.currency,
  ),
  due_at: row.due_at,
  paid_at: row.paid_at,
  created_at: row.created_at,
})

/** A bill as clients see it. */
export const toBill = (row: BillRow, payments: readonly PaymentRow[]): Bill => ({
  ...toBillData(row),
  refunds: row.refunds.map((refund) => ({
    id: toId(refundId, refund.id),
    amount: fromMinor(refund.amount_minor, row.currency),
    to: refund.destination,
    status: refund.status,
    cause: refund.cause,
    lines: refund.parts.map(({ line_id, amount }) => ({
      id: toId(billLineId, line_id),
      amount: fromMinor(amount, row.currency),
    })),
    reason: refund.reason,
    created_at: refund.created_at,
  })),
  payments: payments.filter(({ purpose_id }) => purpose_id === row.id).map((payment) => toPayment(payment)),
})
