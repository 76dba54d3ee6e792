import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { toMinor } from '#platform/values/money.ts'
import { discountInvalid } from '../errors.ts'
import { discountId, productId } from '../ids.ts'
import { toMilli } from '../money/order-amounts.ts'
import {
  type DiscountValues,
  findProducts,
  getDiscount,
  insertDiscount,
  lockDiscount,
  patchDiscount,
  removeDiscount,
  toDiscount,
  type UsableDiscount,
} from './queries.ts'
import type { Discount, DiscountChanges, NewDiscount } from './schema.ts'

/** @throws ApiError 422 CODE_TAKEN, or where it is not one of percent and amount */
export async function createDiscount(ctx: Context, input: NewDiscount): Promise<Discount> {
  const id = newUuid()
  const values = valuesOf(id, input)
  await assertProducts(ctx, values.product_ids)
  insertDiscount(ctx, values)
  return getDiscount(ctx, { id })
}

/** Changes what is given and nothing else. @throws ApiError 404; 422 as when it is created */
export async function updateDiscount(ctx: Context, id: string, changes: DiscountChanges): Promise<Discount> {
  const before = await lockDiscount(ctx, { id })
  const values = valuesOf(id, { ...toDiscount(before), ...changes })
  if (values.max_uses !== null && values.max_uses < before.used)
    throw invalidField(
      'max_uses',
      'minimum',
      `must be at least ${before.used}: the discount has been used this number of times`,
    )
  if (changes.product_ids !== undefined) await assertProducts(ctx, values.product_ids)
  return patchDiscount(ctx, { ...values, changes, ifMatch: undefined })
}

/** @throws ApiError 422 that names the first product that does not exist */
async function assertProducts(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const known = new Set(await findProducts(ctx, { ids }))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing !== -1)
    throw invalidField(`product_ids[${missing}]`, 'exists', 'is not a product of this project')
}

/** @throws ApiError 404 */
export async function deleteDiscount(ctx: Context, id: string): Promise<void> {
  const before = await removeDiscount(ctx, { id })
  audit(ctx, { action: 'discount.delete', target: toId(discountId, id), before })
}

/** @throws ApiError 422 DISCOUNT_INVALID that says why a code cannot be used now */
export function assertUsable(
  discount: UsableDiscount | undefined,
  now: string,
  currency: string | undefined,
): asserts discount is UsableDiscount {
  const fault = discount === undefined ? 'The discount code does not exist' : faultOf(discount, now, currency)
  if (fault !== undefined) throw discountInvalid(undefined, { message: fault })
}

/** What keeps a discount from being used, in words; undefined where nothing does. */
export function faultOf(
  discount: UsableDiscount,
  now: string,
  currency: string | undefined,
): string | undefined {
  const { is_active, starts_at, ends_at, max_uses, used, max_uses_per_member, uses } = discount
  if (!is_active) return 'The discount code does not exist'
  if (starts_at !== null && starts_at > now) return 'The discount code is not valid yet'
  if (ends_at !== null && ends_at <= now) return 'The discount code has expired'
  if (max_uses !== null && used >= max_uses) return 'The discount code has no uses left'
  if (max_uses_per_member !== null && uses >= max_uses_per_member)
    return 'This member has no uses left of the discount code'
  if (discount.currency !== null && currency !== undefined && discount.currency !== currency)
    return `The discount code is for orders in ${discount.currency}`
  return undefined
}

/** A discount as it is stored. @throws ApiError 422 for fields that do not fit each other */
function valuesOf(id: string, input: NewDiscount): DiscountValues {
  const { code, percent = null, amount = null, starts_at = null, ends_at = null } = input
  const { max_uses = null, max_uses_per_member = null, product_ids = [], is_active = true } = input
  if ((percent === null) === (amount === null))
    throw invalidField(
      'percent',
      'required',
      'is required, unless amount is given; only one of the two can be given',
    )
  const currency = amount === null ? null : (input.currency ?? 'usd')
  const amount_minor = amount === null || currency === null ? null : toMinor(amount, currency)
  if (amount_minor === undefined)
    throw invalidField('amount', 'decimals', `has more decimals than ${currency} has`)
  const window = { starts_at: utc(starts_at), ends_at: utc(ends_at) }
  if (window.starts_at !== null && window.ends_at !== null && window.starts_at >= window.ends_at)
    throw invalidField('ends_at', 'order', 'must be later than starts_at')
  return {
    id,
    code,
    percent_milli: percent === null ? null : toMilli(percent),
    amount_minor,
    currency,
    ...window,
    max_uses,
    max_uses_per_member,
    product_ids: productUuids(product_ids),
    is_active,
  }
}

/** A time with any offset, as times are compared. */
const utc = (time: string | null) => (time === null ? null : new Date(time).toISOString())

const productUuids = (ids: readonly string[]): string[] =>
  ids.map((id, i) => {
    const uuid = parseId(productId, id)
    if (uuid === undefined)
      throw invalidField(`product_ids[${i}]`, 'exists', 'is not a product of this project')
    return uuid
  })
