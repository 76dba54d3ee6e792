import { leastTotal } from '#areas/billing/errors.ts'
import { chargeable } from '#areas/billing/service.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { UsableDiscount } from '../discounts/queries.ts'
import { faultOf as discountFaultOf } from '../discounts/service.ts'
import { itemId, productId, variantId } from '../ids.ts'
import { type OrderAmounts, orderAmounts } from '../money/order-amounts.ts'
import { freeOf } from '../variants/queries.ts'
import type { CartRow } from './queries.ts'
import type { Cart, Fault } from './schema.ts'

/** Something that is wrong with a cart. */
export interface CartFault {
  /** Undefined where it is the cart's discount. */
  readonly item: string | undefined
  readonly fault: Fault
  readonly message: string
}

/** What a cart is made of. */
export interface CartParts {
  readonly rows: readonly CartRow[]
  readonly discount: UsableDiscount | undefined
  /** The project's time. */
  readonly now: string
  /** What the account that it is paid with belongs to; null where money is taken by hand. */
  readonly provider: string | null
}

/** Changes of a cart since its items were added, and faults that keep it from being bought. */
export function faultsOf(parts: CartParts): CartFault[] {
  const { rows, discount, now } = parts
  const currency = rows[0]?.currency
  const left = new Map<string, number>()
  const faults = rows.flatMap((row): CartFault[] => {
    const of = (fault: Fault, message: string) => [{ item: row.id, fault, message }]
    if (!row.is_available) return of('unavailable', 'is no longer for sale')
    if (row.seen_currency !== row.currency || row.currency !== currency)
      return of('currency_changed', `is now sold in ${row.currency}: remove it and add it again`)
    // Lines that draw on the same stock are counted together.
    const key = row.variant_id ?? row.id
    const free =
      left.get(key) ??
      freeOf({ stock: row.variant_id === null ? null : row.stock, reserved: row.reserved, sold: row.sold })
    left.set(key, free - row.quantity)
    if (free < row.quantity) return of('out_of_stock', `has only ${Math.max(0, free)} left in stock`)
    if (row.seen_price_minor === row.price_minor) return []
    const [now, before] = [row.price_minor, row.seen_price_minor].map((minor) =>
      fromMinor(minor, row.currency),
    )
    return of('price_changed', `costs ${now} now, but cost ${before} when it was added`)
  })
  const invalid = discount && discountFaultOf(discount, now, currency)
  if (invalid !== undefined) faults.push({ item: undefined, fault: 'discount_invalid', message: invalid })
  const least = invalid === undefined ? tooSmallFor(parts) : undefined
  if (least !== undefined) faults.push({ item: undefined, fault: 'amount_too_small', message: least })
  return faults
}

/** The smallest amount that can be charged, if a cart costs less and is not free. */
function tooSmallFor({ rows, discount, provider }: CartParts): string | undefined {
  const [{ currency } = { currency: '' }] = rows
  const { minimum } = chargeable(provider, currency)
  if (amountsOf({ rows, discount, provider }).total >= minimum) return undefined
  return amountsOf({ rows, discount, provider: null }).total > 0 ? leastTotal(minimum, currency) : undefined
}

/** What a cart costs, in amounts that its provider can charge. */
export const amountsOf = ({
  rows,
  discount,
  provider,
}: Pick<CartParts, 'rows' | 'discount' | 'provider'>): OrderAmounts =>
  orderAmounts(
    rows.map((row) => ({
      productId: row.product_id,
      quantity: row.quantity,
      unitMinor: row.price_minor,
      taxMilli: row.tax_milli,
    })),
    discount && {
      percentMilli: discount.percent_milli,
      amountMinor: discount.amount_minor,
      productIds: new Set(discount.product_ids),
    },
    chargeable(provider, rows[0]?.currency ?? '').step,
  )

/** A cart as clients see it, at the prices of now. */
export function toCart(parts: CartParts): Cart {
  const { rows } = parts
  const faults = faultsOf(parts)
  const discount = faults.some(({ fault }) => fault === 'discount_invalid') ? undefined : parts.discount
  const amounts = amountsOf({ ...parts, discount })
  const currency = rows[0]?.currency ?? null
  const money = (minor: number) => (currency === null ? 0 : fromMinor(minor, currency))
  return {
    lines: rows.map((row, i) => ({
      id: toId(itemId, row.id),
      product_id: toId(productId, row.product_id),
      variant_id: row.variant_id === null ? null : toId(variantId, row.variant_id),
      name: row.name,
      variant_name: row.variant_name,
      sku: row.sku,
      quantity: row.quantity,
      price: fromMinor(row.price_minor, row.currency),
      discount: money(amounts.lines[i]?.discount ?? 0),
      total: money(amounts.lines[i]?.total ?? 0),
      created_at: row.created_at,
    })),
    currency,
    discount: discount ? { code: discount.code, amount: money(amounts.discount) } : null,
    subtotal: money(amounts.subtotal),
    tax: money(amounts.tax),
    total: money(amounts.total),
    faults: faults.map(({ item, fault, message }) => ({
      item_id: item === undefined ? null : toId(itemId, item),
      fault,
      message,
    })),
  }
}
