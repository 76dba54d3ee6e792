import type { SendMail } from '#areas/mail/service.ts'
import { lookup, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { fromMinor } from '#platform/money.ts'
import { orderReceiptMail, orderRefundMail, orderShippedMail } from '../mails.ts'
import type { OrderParts } from './queries.ts'

const buyer = lookup('buyer', (v: { id: string }) =>
  query
    .selectFrom('members')
    .select(['email', 'full_name'])
    .where('id', '=', v.id)
    .where('deleted_at', 'is', null),
)

/** Mails the buyers of orders, in the transaction of what they are told. One who is gone is told nothing. */
export class OrderNotices {
  readonly #sendMail: SendMail

  constructor(sendMail: SendMail) {
    this.#sendMail = sendMail
  }

  async receipt(ctx: Context, { order, lines }: OrderParts): Promise<void> {
    const to = await this.#addressee(ctx, order.member_id)
    if (!to) return
    const money = amountIn(order.currency)
    this.#sendMail(ctx, orderReceiptMail, {
      to,
      values: {
        number: order.number,
        lines: linesOf(lines, order.currency),
        discount: money(order.discount_minor),
        tax: money(order.tax_minor),
        total: money(order.total_minor),
      },
    })
  }

  async refund(ctx: Context, { order }: OrderParts, minor: number): Promise<void> {
    const to = await this.#addressee(ctx, order.member_id)
    if (!to) return
    const values = { number: order.number, amount: amountIn(order.currency)(minor) }
    this.#sendMail(ctx, orderRefundMail, { to, values })
  }

  async shipped(ctx: Context, { order, lines }: OrderParts): Promise<void> {
    const to = await this.#addressee(ctx, order.member_id)
    if (!to) return
    const tracking = [
      ...(order.tracking_number === null ? [] : [`Tracking number: ${order.tracking_number}`]),
      ...(order.tracking_url === null ? [] : [order.tracking_url]),
    ].join('\n')
    const values = { number: order.number, lines: linesOf(lines, order.currency), tracking }
    this.#sendMail(ctx, orderShippedMail, { to, values })
  }

  async #addressee(ctx: Context, member: string) {
    const found = await ctx.tx.first(buyer, { id: member })
    return found && { address: found.email, name: found.full_name }
  }
}

const amountIn = (currency: string) => (minor: number) =>
  `${fromMinor(minor, currency)} ${currency.toUpperCase()}`

const linesOf = (lines: OrderParts['lines'], currency: string): string =>
  lines
    .map((line) => {
      const name = line.variant_name === '' ? line.name : `${line.name}, ${line.variant_name}`
      return `${line.quantity} × ${name}: ${amountIn(currency)(line.total_minor)}`
    })
    .join('\n')
