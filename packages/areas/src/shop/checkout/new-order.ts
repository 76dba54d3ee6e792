import { isByHand, type reserveHoursOf } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { amountsOf, type CartParts } from '../cart/cart-view.ts'
import type { CartRow } from '../cart/queries.ts'
import type { OrderAmounts } from '../money/order-amounts.ts'
import { actorOf } from '../orders/changes.ts'
import { accountOf } from '../orders/payments/payment.ts'
import type { OrderParts } from '../orders/queries.ts'
import { newOrderNumber } from './order-number.ts'
import type { NewLine, NewOrder } from './queries.ts'
import { reservedUntil } from './reserved-until.ts'
import type { Checkout } from './schema.ts'

interface Made {
  /** The stored id of the buyer. */
  readonly member: string
  readonly cart: { readonly id: string; readonly version: number }
  /** What was asked for with `askForAccountOf`. */
  readonly account:
    | ({ readonly id: string; readonly provider: string } & Parameters<typeof reserveHoursOf>[0])
    | undefined
  readonly input: Checkout
}

/** What a cart without faults becomes. @throws ApiError 422 for an account that there is not */
export function newOrder(parts: CartParts, { member, cart, account, input }: Made) {
  const { rows, discount, now } = parts
  const amounts = amountsOf(parts)
  // A discount that takes nothing off is not used.
  const used = amounts.total < amountsOf({ ...parts, discount: undefined }).total ? discount : undefined
  const lines = rows.map((row, i) => toNewLine(row, i, amounts))
  const order: NewOrder = {
    id: newUuid(),
    number: newOrderNumber(now),
    line_names: [...new Set(lines.map(({ name }) => name))].join('\n'),
    member_id: member,
    cart_id: cart.id,
    cart_version: cart.version,
    currency: rows[0]?.currency ?? '',
    subtotal_minor: amounts.subtotal,
    discount_minor: amounts.discount,
    tax_minor: amounts.tax,
    total_minor: amounts.total,
    discount_id: used?.id ?? null,
    discount_code: used?.code ?? null,
    addresses: input.addresses === undefined ? null : JSON.stringify(input.addresses),
    note: input.note ?? null,
    payment_account_id: accountOf(input.payment_account_id, account),
    by_hand: isByHand(account),
    reserved_until: reservedUntil(now, rows, account),
    created_at: now,
  }
  return { order, lines }
}

function toNewLine(row: CartRow, place: number, amounts: OrderAmounts): NewLine {
  const { discount = 0, tax = 0, total = 0 } = amounts.lines[place] ?? {}
  return {
    id: newUuid(),
    place,
    product_id: row.product_id,
    variant_id: row.variant_id,
    name: row.name,
    variant_name: row.variant_name,
    sku: row.sku,
    quantity: row.quantity,
    unit_minor: row.price_minor,
    discount_minor: discount,
    tax_milli: row.tax_milli,
    tax_minor: tax,
    total_minor: total,
    is_tracked: row.variant_id !== null && row.stock !== null,
    grant_plan_id: row.grant_plan_id,
    grant_features: row.grant_features,
    grant_course_id: row.grant_course_id,
    grant_days: row.grant_days,
  }
}

/** The order as it will be read: so it is not read again before the commit. */
export function asMade(
  ctx: Context,
  order: NewOrder,
  lines: readonly NewLine[],
  input: Checkout,
): OrderParts {
  const { kind, actor } = actorOf(ctx)
  return {
    order: {
      ...order,
      addresses: input.addresses ?? null,
      status: 'pending_payment',
      cancel_reason: null,
      paid_minor: 0,
      refunded_minor: 0,
      tracking_number: null,
      tracking_url: null,
      payment_id: null,
      updated_at: order.created_at,
    },
    lines: lines.map((line) => ({
      ...line,
      granted_at: null,
      taken_back_at: null,
      refunded_quantity: 0,
      restocked_quantity: 0,
    })),
    history: [
      {
        id: order.id,
        from_status: null,
        to_status: 'pending_payment',
        reason: null,
        actor_kind: kind,
        actor_id: actor,
        created_at: order.created_at,
      },
    ],
    refunds: [],
  }
}
