import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { amountTooSmall } from '#areas/billing/errors.ts'
import { isByHand, reserveHoursOf, toPayment } from '#areas/billing/service.ts'
import { defineQuery, pick, together } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { strict } from '#platform/http/envelope.ts'
import { newUuid } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { amountsOf, type CartFault, type CartParts, faultsOf } from '../cart/cart-view.ts'
import { type CartRow, cartDiscount, cartLines, emptyCart, lockCart } from '../cart/queries.ts'
import { countUse } from '../discounts/queries.ts'
import { cartChanged, cartEmpty, discountInvalid, MOST_OPEN_ORDERS, tooManyOpenOrders } from '../errors.ts'
import { orderCreated } from '../events.ts'
import type { OrderAmounts } from '../money/order-amounts.ts'
import { actorOf, writeHistory } from '../orders/changes.ts'
import { assertMayBuyCourses } from '../orders/closed-courses.ts'
import { accountOf, askForAccountOf, firstPayment, showOrder } from '../orders/payments.ts'
import type { LineRow, OrderRow } from '../orders/queries.ts'
import { countUnpaidByHand, findOpenOrder, getOrder, type OrderParts, toOrder } from '../orders/queries.ts'
import type { Order } from '../orders/schema.ts'
import { NewAddresses } from '../orders/schema.ts'
import { payOrder } from '../orders/service.ts'
import { reserveLines } from '../variants/stock.ts'

export const Checkout = strict(
  {
    addresses: Type.Optional(NewAddresses),
    note: Type.Optional(Type.String({ maxLength: 2000, examples: ['Please ring twice'] })),
    payment_account_id: Type.Optional(
      Type.String({
        description: 'The account with which the order is paid. Default: the default account of the project',
        examples: ['pacc_01jcq3k8f7e8qtk4m3hbw7rn31'],
      }),
    ),
    save_payment_method: Type.Optional(
      Type.Boolean({
        description:
          "Whether the provider saves the buyer's card for later purchases. Default: false. The cards of subscriptions do not change",
      }),
    ),
  },
  { title: 'Checkout', examples: [{ note: 'Please ring twice' }] },
)
export type Checkout = Static<typeof Checkout>

/** An order that a cart became. */
export interface CheckedOut {
  readonly order: Order
  /** Whether its payment is to be begun with a provider; one by hand has been read as it was written. */
  readonly isToBegin: boolean
}

/**
 * Makes an order of a member's cart, and empties it. The same cart makes one order, however often it is checked out. Once
 * everything is decided, stock is reserved and all is written in one round trip, so that a product that many want at the same
 * moment is locked for no longer than a commit takes.
 * @throws ApiError 422 CART_EMPTY, CART_CHANGED, DISCOUNT_INVALID, AMOUNT_TOO_SMALL, TOO_MANY_OPEN_ORDERS, REMOVED_FROM_COURSE, or for who acts
 */
export async function checkOut(ctx: Context, who: WhoActs, input: Checkout): Promise<CheckedOut> {
  // Where no id is named, that is refused here.
  const member = who.memberId ?? (await actingMember(ctx, who)).id
  const { payment_account_id: named, save_payment_method: savesMethod = false } = input
  // What is read behind the lock is what is there once it is held.
  const { cart, rows, discount, waiting, now, open, account } = await together(ctx, {
    acting: actingMember(who),
    cart: lockCart({ member }),
    rows: cartLines({ member }),
    discount: cartDiscount({ member }),
    waiting: countUnpaidByHand({ member }),
    now: projectNow(),
    open: findOpenOrder({ member }),
    account: askForAccountOf(ctx, named),
  })
  if (rows.length === 0 || cart === undefined) {
    if (open === undefined) throw cartEmpty()
    return { order: await showOrder(ctx, await getOrder(ctx, { id: open.id })), isToBegin: true }
  }
  const parts = { rows, discount, now, provider: account?.provider ?? null }
  assertSound(faultsOf(parts), rows)
  await assertMayBuyCourses(ctx, member, rows)
  const { order, lines } = newOrder(parts, { cart, member, account, input })
  // Nothing else of this member is checked out while its cart is locked, so that the count is exact.
  if (order.by_hand && order.total_minor > 0 && waiting >= MOST_OPEN_ORDERS) throw tooManyOpenOrders()
  // None of this is awaited: it is sent with the commit, stock last.
  insertOrder(ctx, order)
  insertLines(ctx, { order: order.id, lines: JSON.stringify(lines) })
  writeHistory(ctx, order.id, { from: null, to: 'pending_payment' })
  emptyCart(ctx, { cart: cart.id })
  const payment = order.total_minor > 0 ? firstPayment(ctx, { ...order, savesMethod }, now) : undefined
  reserveLines(ctx, order.id, lines)
  if (order.discount_id !== null) countUse(ctx, { id: order.discount_id, by: 1 })
  const shown = toOrder(asMade(ctx, order, lines, input))
  emit(ctx, orderCreated, shown)
  if (payment !== undefined)
    return { order: { ...shown, payment: toPayment(payment) }, isToBegin: !order.by_hand }
  await payOrder(ctx, order.id, undefined)
  return { order: await showOrder(ctx, await getOrder(ctx, { id: order.id })), isToBegin: false }
}

/** @throws ApiError 422 for the first kind of fault, with all lines that have one */
function assertSound(faults: readonly CartFault[], rows: readonly CartRow[]): void {
  if (faults.length === 0) return
  const ofLines = faults.filter(({ item }) => item !== undefined)
  if (ofLines.length === 0) {
    const [{ fault, message } = { fault: '', message: '' }] = faults
    throw (fault === 'amount_too_small' ? amountTooSmall : discountInvalid)(undefined, { message })
  }
  const details = ofLines.map(({ item, fault, message }) => ({
    field: `lines[${rows.findIndex((row) => row.id === item)}]`,
    rule: fault,
    message,
  }))
  throw cartChanged(undefined, { details })
}

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

/** What a cart without faults becomes. @throws ApiError 422 for an account that does not exist */
function newOrder(parts: CartParts, { member, cart, account, input }: Made) {
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
function asMade(ctx: Context, order: NewOrder, lines: readonly NewLine[], input: Checkout): OrderParts {
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
        ...actorOf(ctx),
        created_at: order.created_at,
      },
    ],
    refunds: [],
  }
}

/** How long stock is reserved for an order whose buyer pays with a provider, in minutes. */
export const RESERVED_MINUTES = 15

/**
 * When the stock of an order that waits for payment is free again. An order by hand waits for as many hours as its
 * product says, else its account; of several products, for the fewest hours.
 * @param now the time by the project's clock
 */
function reservedUntil(
  now: string,
  lines: readonly { readonly reserve_hours: number | null }[],
  account: Made['account'],
): string {
  const minutes = isByHand(account)
    ? 60 * Math.min(...lines.map(({ reserve_hours: hours }) => hours ?? reserveHoursOf(account)))
    : RESERVED_MINUTES
  return new Date(Date.parse(now) + minutes * 60_000).toISOString()
}

/** Without letters that are read as digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 7

/**
 * A number for people: the day, and seven random characters. Numbers that count up would have every order of a project
 * wait for the one before it, and tell customers how much is sold.
 */
function newOrderNumber(now: string): string {
  const random = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${now.slice(2, 10).replaceAll('-', '')}-${random}`
}

const orderColumns = [
  ...(['id', 'number', 'member_id', 'cart_id', 'cart_version', 'currency', 'subtotal_minor'] as const),
  ...(['discount_minor', 'tax_minor', 'total_minor', 'discount_id', 'discount_code', 'note'] as const),
  ...(['payment_account_id', 'by_hand', 'reserved_until', 'created_at'] as const),
] as const

/** An order as it is made. */
export interface NewOrder extends Pick<OrderRow, (typeof orderColumns)[number]> {
  /** The names of what is bought, one a line: orders are searched by them. */
  line_names: string
  addresses: string | null
}

export const insertOrder = defineQuery(
  'insert_order',
  (v: NewOrder) =>
    query.insertInto('orders').values({
      ...pick(v, ...orderColumns, 'line_names'),
      status: 'pending_payment',
      addresses: sql`${v.addresses}::jsonb`,
      updated_at: v.created_at,
    }),
  {
    // A day has 34 thousand million numbers.
    orders_number_key: (cause) => new ApiError(503, 'UNAVAILABLE', 'Try again', { cause }),
  },
)

const lineColumns = [
  ...(['id', 'product_id', 'variant_id', 'name', 'variant_name', 'sku', 'quantity', 'unit_minor'] as const),
  ...(['discount_minor', 'tax_milli', 'tax_minor', 'total_minor', 'is_tracked', 'grant_plan_id'] as const),
  ...(['grant_features', 'grant_course_id', 'grant_days'] as const),
] as const
/** A line as it is bought. */
export type NewLine = Pick<LineRow, (typeof lineColumns)[number]> & { readonly place: number }

/** All lines in one statement. @param lines as JSON */
export const insertLines = defineQuery('insert_order_lines', (v: { order: string; lines: string }) =>
  query
    .insertInto('order_lines')
    .columns(['order_id', 'place', ...lineColumns])
    .expression(
      sql`select ${v.order}::uuid, l.place, ${sql.join(lineColumns.map((column) => sql.ref(`l.${column}`)))}
        from jsonb_to_recordset(${v.lines}::jsonb) as l (id uuid, place int2, product_id uuid, variant_id uuid, name text,
          variant_name text, sku text, quantity int, unit_minor int8, discount_minor int8, tax_milli int, tax_minor int8,
          total_minor int8, is_tracked boolean, grant_plan_id uuid, grant_features text[], grant_course_id uuid,
          grant_days int)`,
    ),
)
