import { refundPayment, refundStep } from '#areas/billing/service.ts'
import { orderLineId } from '#areas/entitlements/ids.ts'
import { audit } from '#platform/audit.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { fromMinor, toMinor } from '#platform/values/money.ts'
import { refundExceedsPaid } from '../errors.ts'
import { orderRefunded } from '../events.ts'
import { orderId } from '../ids.ts'
import { refundOfLine } from '../money/order-amounts.ts'
import { announce, insertRefund, noteLine, updateOrder, writeHistory } from '../orders/changes.ts'
import { shortenPasses, takeBack } from '../orders/grants.ts'
import { next } from '../orders/machine.ts'
import { notifyBuyer } from '../orders/mail-buyer.job.ts'
import { getOrder, type LineRow, lockOrder, type OrderParts, type OrderRow } from '../orders/queries.ts'
import { moveLines } from '../variants/stock.ts'
import type { NewRefund } from './schema.ts'

interface RefundedLine {
  readonly line: LineRow
  readonly quantity: number
}

/**
 * Pays money of an order back: all that is left, an amount, or what was paid for lines. A line that was refunded whole
 * loses what it granted; an order that was refunded whole is `refunded`.
 * @throws ApiError 404; 422 REFUND_EXCEEDS_PAID, or for a line that the order has not
 */
export async function refundOrder(
  ctx: Context,
  id: string,
  input: NewRefund,
  handlers: Parameters<typeof refundPayment>[1],
): Promise<OrderParts> {
  const { order, lines } = await lockOrder(ctx, { id })
  const left = order.paid_minor - order.refunded_minor
  if (left <= 0) throw refundExceedsPaid()
  const named = input.lines && linesOf(lines, input.lines)
  const step = order.payment_id === null ? 1 : await refundStep(ctx, { id: order.payment_id })
  const amount = amountOf(order.currency, input.amount, named, { left, step })
  if (amount > left) throw refundExceedsPaid()
  // With the last of the money everything is taken back.
  const refunded = amount === left ? remaining(lines) : (named ?? [])
  const restocked = input.restock === true ? (named ?? refunded) : []
  const { payment_id: paymentId } = order
  const moved =
    paymentId !== null && amount > 0
      ? await refundPayment(ctx, handlers, { paymentId, amountMinor: amount, reason: input.reason })
      : undefined
  await noteRefund(ctx, order, {
    amount,
    status: moved?.status ?? 'succeeded',
    paymentRefund: moved?.id ?? null,
    refunded,
    restocked,
    restock: input.restock === true,
    reason: input.reason ?? null,
  })
  audit(ctx, {
    action: 'refund.create',
    target: toId(orderId, id),
    reason: input.reason,
    after: { amount: fromMinor(amount, order.currency), currency: order.currency },
  })
  const after = await announce(ctx, id, orderRefunded)
  if (amount > 0) notifyBuyer(ctx, 'refund', id, amount)
  return after
}

interface OrderRefund {
  readonly amount: number
  readonly status: string
  /** The stored id of billing's refund; null where there was nothing to pay back. */
  readonly paymentRefund: string | null
  readonly refunded: readonly RefundedLine[]
  readonly restocked: readonly RefundedLine[]
  /** Whether restocking was asked for. */
  readonly restock: boolean
  readonly reason: string | null
  /** The buyer keeps what the lines granted. */
  readonly keepsGrants?: boolean
}

/** Writes a refund of an order that is locked, and takes back what its lines gave. */
async function noteRefund(
  ctx: Context,
  order: OrderRow,
  {
    amount,
    status: moved,
    paymentRefund,
    refunded,
    restocked,
    restock,
    reason,
    keepsGrants = false,
  }: OrderRefund,
): Promise<void> {
  await moveLines(
    ctx,
    'restock',
    order.id,
    restocked.map(({ line, quantity }) => ({ ...line, quantity })),
  )
  for (const { line, quantity } of refunded) {
    const again = restocked.find((each) => each.line.id === line.id)?.quantity ?? 0
    noteLine(ctx, line.id, { refunded: quantity, restocked: line.is_tracked ? again : 0 })
  }
  if (!keepsGrants) await takeBackGrants(ctx, order.member_id, refunded)
  const total = order.refunded_minor + amount
  const status = total === order.paid_minor ? (next(order, 'refund') ?? order.status) : order.status
  updateOrder(ctx, order, { refunded_minor: total, status })
  insertRefund(ctx, {
    // Events of the refund name it by the same id.
    id: paymentRefund ?? newUuid(),
    order_id: order.id,
    amount_minor: amount,
    status: moved,
    lines: JSON.stringify(refunded.map(({ line, quantity }) => ({ line_id: line.id, quantity }))),
    restock,
    reason,
    payment_refund_id: paymentRefund,
  })
  if (status !== order.status) writeHistory(ctx, order.id, { from: order.status, to: status, reason })
}

/** Takes back what lines gave that are refunded whole, and the months of passes whose pieces are. */
async function takeBackGrants(
  ctx: Context,
  memberId: string,
  refunded: readonly RefundedLine[],
): Promise<void> {
  const isWhole = ({ line, quantity }: RefundedLine) => line.refunded_quantity + quantity === line.quantity
  await takeBack(
    ctx,
    memberId,
    refunded.filter(isWhole).map(({ line }) => line),
  )
  await shortenPasses(
    ctx,
    refunded.filter((each) => !isWhole(each)),
  )
}

/** A refund of an order's payment that was made without us. */
interface RefundElsewhere {
  /** The stored id of billing's refund. */
  readonly id: string
  readonly amount_minor: number
  readonly status: string
  readonly reason: string | null
}

/**
 * Notes money of an order, which is locked, that went back without us. Nothing is restocked: nobody asked for it. Whether a lost
 * dispute takes back what was granted is the project's setting.
 */
export async function noteRefundElsewhere(
  ctx: Context,
  { order, lines }: OrderParts,
  { id, amount_minor: amount, status, reason }: RefundElsewhere,
  kind: 'refund' | 'dispute',
): Promise<void> {
  const isLast = order.refunded_minor + amount === order.paid_minor
  await noteRefund(ctx, order, {
    ...{ amount, status, paymentRefund: id, reason, restock: false, restocked: [] },
    keepsGrants: kind === 'dispute',
    // With the last of the money everything is taken back.
    refunded: isLast ? remaining(lines) : [],
  })
  await announce(ctx, order.id, orderRefunded)
}

const remaining = (lines: readonly LineRow[]): RefundedLine[] =>
  lines.flatMap((line) => {
    const quantity = line.quantity - line.refunded_quantity
    return quantity === 0 ? [] : [{ line, quantity }]
  })

/** @throws ApiError 422 for a line that the order has not, and for more of one than is left */
function linesOf(lines: readonly LineRow[], named: NonNullable<NewRefund['lines']>): RefundedLine[] {
  const seen = new Set<string>()
  return named.map(({ id, quantity }, i) => {
    const uuid = parseId(orderLineId, id)
    const line = lines.find((each) => each.id === uuid)
    if (line === undefined || seen.has(line.id))
      throw invalidField(`lines[${i}].id`, 'exists', 'is not a line of this order, or is named twice')
    seen.add(line.id)
    const left = line.quantity - line.refunded_quantity
    const wanted = quantity ?? left
    if (wanted > left || left === 0) throw refundExceedsPaid()
    return { line, quantity: wanted }
  })
}

function amountOf(
  currency: string,
  amount: number | undefined,
  named: readonly RefundedLine[] | undefined,
  { left, step }: { left: number; step: number },
): number {
  if (amount !== undefined) {
    const minor = toMinor(amount, currency)
    if (minor === undefined)
      throw invalidField('amount', 'decimals', `has more decimals than ${currency} has`)
    if (minor % step !== 0)
      throw invalidField(
        'amount',
        'multipleOf',
        `must be a multiple of ${fromMinor(step, currency)}: the payment provider refunds no other amounts`,
      )
    return minor
  }
  if (named === undefined) return left
  return named.reduce(
    (sum, { line, quantity }) =>
      sum +
      refundOfLine(
        line.total_minor,
        { quantity: line.quantity, refunded: line.refunded_quantity, more: quantity },
        step,
      ),
    0,
  )
}

interface Outcome {
  order: string
  refund: string
  status: 'succeeded' | 'failed'
}

const finishKnownRefund = defineQuery('finish_order_refund', (v: Outcome) =>
  query
    .updateTable('order_refunds')
    .set({ status: v.status })
    .where('order_id', '=', v.order)
    .where('payment_refund_id', '=', v.refund)
    // A bank can send back what was called done.
    .where('status', '<>', v.status)
    .returning('amount_minor'),
).first()

/** Of money that came too late, and goes back by itself: the refund is made after the order has noted it. */
const finishLateRefund = defineQuery('finish_late_order_refund', (v: Outcome) =>
  query
    .updateTable('order_refunds')
    .set({ status: v.status, payment_refund_id: v.refund })
    .where('order_id', '=', v.order)
    .where('payment_refund_id', 'is', null)
    .where('status', '=', 'pending')
    .returning('amount_minor'),
).first()

/**
 * Notes what became of a refund whose money billing moves. After a failed refund the order has its money and its state
 * again. The grants that the buyer lost stay lost until an operator decides.
 */
export async function finishRefund(
  ctx: Context,
  order: OrderRow,
  refund: string,
  payment: string,
  status: Outcome['status'],
): Promise<void> {
  const values = { order: order.id, refund, status }
  const known = await finishKnownRefund(ctx, values)
  const found = known ?? (order.payment_id === payment ? await finishLateRefund(ctx, values) : undefined)
  if (found === undefined || status === 'succeeded') return
  const { history } = await getOrder(ctx, { id: order.id })
  const before = history.findLast(({ to_status }) => to_status === 'refunded')?.from_status
  const after = order.status === 'refunded' ? (before ?? 'paid') : order.status
  updateOrder(ctx, order, { refunded_minor: order.refunded_minor - found.amount_minor, status: after })
  writeHistory(ctx, order.id, { from: order.status, to: after, reason: 'a refund failed' })
}
