import { Type } from 'typebox'
import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import { defineLookup } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { oneOf } from '#platform/http/envelope.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { MAIL_LANGUAGE } from '#platform/mail/define-mail.ts'
import { formatMoney } from '#platform/values/money.ts'
import { orderReceiptMail, orderRefundMail, orderShippedMail } from '../mails.ts'
import { getOrder, type OrderParts } from './queries.ts'

/** Mails to buyers. */
const NOTICES = ['receipt', 'refund', 'shipped'] as const
type Notice = (typeof NOTICES)[number]

const findBuyer = defineLookup('buyer', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select(['email', 'full_name'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
).first()

/** Mails the buyer of an order. Members who were deleted get none. */
export const mailBuyer = defineJob({
  name: 'shop.mail-buyer',
  lane: 'mail',
  payload: Type.Object({
    order_id: Type.String(),
    notice: oneOf(NOTICES),
    /** Of a refund, in the smallest unit. */
    amount_minor: Type.Integer(),
  }),
  attempts: 5,
  run: (run, { order_id, notice, amount_minor }) => {
    const sendMail = makeSendMail(run.deps.config)
    return run.record(async (ctx) => {
      const parts = await getOrder(ctx, { id: order_id })
      const member = await findBuyer(ctx, { id: parts.order.member_id })
      if (member === undefined) return
      const to = { address: member.email, name: member.full_name }
      SEND[notice](ctx, sendMail, to, parts, amount_minor)
    })
  },
})

/** Requests a mail to the buyer of an order. @param amountMinor of a refund */
export const notifyBuyer = (ctx: Context, notice: Notice, orderId: string, amountMinor = 0): void =>
  enqueue(ctx, mailBuyer, { order_id: orderId, notice, amount_minor: amountMinor })

type Send = (
  ctx: Context,
  sendMail: SendMail,
  to: { address: string; name: string },
  parts: OrderParts,
  amountMinor: number,
) => void

const SEND: Readonly<Record<Notice, Send>> = {
  receipt: (ctx, sendMail, to, { order, lines }) => {
    const money = amountIn(order.currency)
    const { discount_minor: discount, tax_minor: tax, total_minor: total } = order
    const amounts = [
      discount === 0 ? '' : `Discount: ${money(-discount)}`,
      `Total: ${money(total)}`,
      tax === 0 ? '' : `Included tax: ${money(tax)}`,
    ]
    const values = {
      number: order.number,
      lines: linesOf(lines, order.currency),
      ...{ discount: money(discount), tax: money(tax), total: money(total) },
      amounts: amounts.filter((line) => line !== '').join('\n'),
    }
    sendMail(ctx, orderReceiptMail, { to, values })
  },
  refund: (ctx, sendMail, to, { order }, amountMinor) => {
    const values = { number: order.number, amount: amountIn(order.currency)(amountMinor) }
    sendMail(ctx, orderRefundMail, { to, values })
  },
  shipped: (ctx, sendMail, to, { order, lines }) => {
    const { number, tracking_number, tracking_url } = order
    const tracking = [
      tracking_number === null ? '' : `Tracking number: ${tracking_number}`,
      tracking_url ?? '',
    ]
    const values = {
      number,
      lines: linesOf(lines, order.currency),
      tracking: tracking.filter((line) => line !== '').join('\n'),
    }
    sendMail(ctx, orderShippedMail, { to, values })
  },
}

const amountIn = (currency: string) => (minor: number) => formatMoney(minor, currency, MAIL_LANGUAGE)

/** Each line before the discount, which the receipt subtracts from their sum. */
const linesOf = (lines: OrderParts['lines'], currency: string): string =>
  lines
    .map((line) => {
      const name = line.variant_name === '' ? line.name : `${line.name}, ${line.variant_name}`
      return `${line.quantity} × ${name}: ${amountIn(currency)(line.total_minor + line.discount_minor)}`
    })
    .join('\n')
