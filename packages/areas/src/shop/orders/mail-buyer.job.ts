import { makeSendMail, type SendMail } from '#areas/mail/service.ts'
import { lookup, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { MAIL_LANGUAGE } from '#platform/mail/language.ts'
import { formatMoney } from '#platform/values/money.ts'
import { orderReceiptMail, orderRefundMail, orderShippedMail } from '../mails.ts'
import { mailBuyer } from './job-types.ts'
import { getOrder, type OrderParts } from './queries.ts'

const buyer = lookup('buyer', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select(['email', 'full_name'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
)

/** Mails the buyer of an order. One who is gone is told nothing. */
export const mailBuyerJob = defineJob({
  ...mailBuyer,
  attempts: 5,
  run: (run, { order_id, notice, amount_minor }) => {
    const sendMail = makeSendMail(run.deps.config)
    return run.record(async (ctx) => {
      const parts = await getOrder(ctx, order_id)
      const member = await ctx.tx.first(buyer, { id: parts.order.member_id })
      if (member === undefined) return
      const to = { address: member.email, name: member.full_name }
      SEND[notice](ctx, sendMail, to, parts, amount_minor)
    })
  },
})

type Send = (
  ctx: Context,
  sendMail: SendMail,
  to: { address: string; name: string },
  parts: OrderParts,
  amountMinor: number,
) => void

const SEND: Readonly<Record<'receipt' | 'refund' | 'shipped', Send>> = {
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
