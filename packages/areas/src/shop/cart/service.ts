import { askForAccount } from '#areas/billing/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { findByCode, usesOfMember } from '../discounts/queries.ts'
import { assertUsable } from '../discounts/service.ts'
import { cartFull, currencyMismatch, outOfStock, variantRequired } from '../errors.ts'
import { itemId, productId, variantId } from '../ids.ts'
import { findProduct } from '../products/queries.ts'
import { listVariants, type VariantRow } from '../variants/queries.ts'
import { freeOf } from '../variants/rows.ts'
import { type CartParts, faultsOf, toCart } from './cart-view.ts'
import {
  cartDiscount,
  cartLines,
  changeItem,
  emptyCart,
  getItem,
  notePricesSeen,
  putDiscount,
  putItem,
  removeItemRow,
  touchCart,
} from './queries.ts'
import { type Cart, type CartItem, LARGEST_QUANTITY, MOST_LINES, type NewItem } from './schema.ts'

/**
 * Puts something into a member's cart.
 * @throws ApiError 422 for who acts; for a product or variant that is not for sale; VARIANT_REQUIRED, OUT_OF_STOCK,
 *   CURRENCY_MISMATCH, CART_FULL
 */
export async function addToCart(ctx: Context, who: WhoActs, input: NewItem): Promise<CartItem> {
  const { memberId: member = NOTHING } = who
  const product = parseId(productId, input.product_id) ?? NOTHING
  // All of this is asked at once, and answered in the order of its faults.
  const acting = actingMember(ctx, who)
  const wanted = findProduct(ctx, product).and(listVariants(ctx, product))
  const mine = touchCart(ctx, member).and(cartLines(ctx, member))
  await acting
  const [[found, variants], [cart, rows]] = await wanted.and(mine)
  if (found === undefined || !found.is_active) throw noProduct()
  const variant = variantOf(variants, input.variant_id)
  const { quantity: more = 1 } = input
  const same = rows.find((row) => row.product_id === product && row.variant_id === (variant?.id ?? null))
  const quantity = (same?.quantity ?? 0) + more
  assertQuantity(quantity)
  if (same === undefined && rows.length >= MOST_LINES) throw cartFull()
  const { currency } = found
  if (rows.some((row) => row.currency !== currency))
    throw currencyMismatch(undefined, {
      message: `The cart is in ${rows[0]?.currency}, but this product is sold in ${currency}`,
    })
  if (variant) assertFree(variant, quantity, 'quantity')
  const { id = newUuid(), created_at = cart.updated_at } = same ?? {}
  const price = variant?.price_minor ?? found.price_minor
  putItem(ctx, {
    id,
    cart: cart.id,
    product,
    variant: variant?.id ?? null,
    quantity,
    price,
    currency,
    created_at,
  })
  return { id: toId(itemId, id), product_id: toId(productId, product), quantity, created_at }
}

/** What was named is no id: looked for all the same, and not found. */
const NOTHING = '00000000-0000-0000-0000-000000000000'

/** Who may buy a variant is who names it, or whoever wants the only one there is. */
function variantOf(variants: readonly VariantRow[], named: string | undefined): VariantRow | undefined {
  const active = variants.filter((row) => row.is_active)
  if (named !== undefined) {
    const id = parseId(variantId, named)
    const found = active.find((row) => row.id === id)
    if (found === undefined)
      throw invalidField('variant_id', 'exists', 'is not a variant of this product that is for sale')
    return found
  }
  if (active.length > 1) throw variantRequired()
  // One whose variants are all off is not for sale.
  if (active.length === 0 && variants.length > 0) throw noProduct()
  return active[0]
}

const noProduct = (cause?: unknown) =>
  invalidField('product_id', 'exists', 'is not a product of this project that is for sale', cause)

function assertQuantity(quantity: number): void {
  if (quantity > LARGEST_QUANTITY)
    throw invalidField(
      'quantity',
      'maximum',
      `must be at most ${LARGEST_QUANTITY}, together with what is in the cart`,
    )
}

function assertFree(numbers: Parameters<typeof freeOf>[0], quantity: number, field: string): void {
  const free = freeOf(numbers)
  if (free < quantity)
    throw outOfStock(undefined, {
      details: [{ field, rule: 'stock', message: `must be at most ${free}: there is no more in stock` }],
    })
}

/** @throws ApiError 404 for an item of nobody, or of another member's cart; 422 for who acts, OUT_OF_STOCK */
export async function updateCartItem(
  ctx: Context,
  who: WhoActs,
  id: string,
  quantity: number,
): Promise<CartItem> {
  const member = await ownerOf(ctx, who, id)
  const [, rows] = await touchCart(ctx, member).and(cartLines(ctx, member))
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw notFound('Cart item')
  if (row.variant_id !== null) assertFree(row, quantity, 'quantity')
  await changeItem(ctx, id, quantity)
  const { product_id, created_at } = row
  return { id: toId(itemId, id), product_id: toId(productId, product_id), quantity, created_at }
}

/** @throws ApiError 404 for an item of nobody, or of another member's cart; 422 for who acts */
export async function removeCartItem(ctx: Context, who: WhoActs, id: string): Promise<void> {
  const member = await ownerOf(ctx, who, id)
  await touchCart(ctx, member).and(removeItemRow(ctx, id))
}

async function ownerOf(ctx: Context, who: WhoActs, id: string): Promise<string> {
  const [item, { id: member }] = await getItem(ctx, id).and(actingMember(ctx, who))
  if (item.member_id !== member) throw notFound('Cart item')
  return member
}

/** Takes everything out of a member's cart. @returns its stored id */
export async function clearCart(ctx: Context, who: WhoActs): Promise<string> {
  const { id: member } = await actingMember(ctx, who)
  const cart = await touchCart(ctx, member)
  await emptyCart(ctx, cart.id)
  return cart.id
}

/** What a cart is made of, read at once. */
export async function readCart(ctx: Context, member: string): Promise<CartParts> {
  const [[[rows, discount], now], account] = await cartLines(ctx, member)
    .and(cartDiscount(ctx, member))
    .and(projectNow(ctx))
    .and(askForAccount(ctx, undefined))
  const limited = discount !== undefined && discount.max_uses_per_member !== null
  const uses = limited ? await usesOfMember(ctx, discount.id, member) : 0
  return { rows, discount, uses, now, provider: account?.provider ?? null }
}

/** A member's cart, with its faults. Prices that are shown count as seen: checkout takes them from then on. */
export async function showCart(ctx: Context, who: WhoActs): Promise<Cart> {
  const { id: member } = await actingMember(ctx, who)
  const parts = await readCart(ctx, member)
  const faults = faultsOf(parts)
  if (faults.some(({ fault }) => fault === 'price_changed')) await notePricesSeen(ctx, member)
  if (faults.some(({ fault }) => fault === 'discount_invalid')) {
    const cart = await touchCart(ctx, member)
    await putDiscount(ctx, cart.id, null)
  }
  return toCart(parts)
}

/** Gives a cart a discount, in place of the one that it has. @throws ApiError 422 DISCOUNT_INVALID, or for who acts */
export async function applyDiscount(ctx: Context, who: WhoActs, code: string): Promise<Cart> {
  const { id: member } = await actingMember(ctx, who)
  const [cart, discount] = await touchCart(ctx, member).and(findByCode(ctx, code))
  const [[now, rows], account] = await projectNow(ctx)
    .and(cartLines(ctx, member))
    .and(askForAccount(ctx, undefined))
  const uses = discount ? await usesOfMember(ctx, discount.id, member) : 0
  assertUsable(discount, now, rows[0]?.currency, uses)
  await putDiscount(ctx, cart.id, discount.id)
  return toCart({ rows, discount, uses, now, provider: account?.provider ?? null })
}

/** Takes the discount out, if there is one. @returns the cart's stored id */
export async function dropDiscount(ctx: Context, who: WhoActs): Promise<string> {
  const { id: member } = await actingMember(ctx, who)
  const cart = await touchCart(ctx, member)
  putDiscount(ctx, cart.id, null)
  return cart.id
}
