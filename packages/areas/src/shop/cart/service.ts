import { findDefaultAccount } from '#areas/billing/service.ts'
import { together } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { actingMember, type WhoActs } from '#platform/http/acting-member.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { findByCode } from '../discounts/queries.ts'
import { assertUsable } from '../discounts/service.ts'
import { cartFull, currencyMismatch, outOfStock, variantRequired } from '../errors.ts'
import { itemId, productId, variantId } from '../ids.ts'
import { assertMayBuyCourses } from '../orders/closed-courses.ts'
import { findProduct } from '../products/queries.ts'
import { freeOf, listVariants, type VariantRow } from '../variants/queries.ts'
import { faultsOf, toCart } from './cart-view.ts'
import {
  cartDiscount,
  cartLines,
  dropDiscount,
  emptyCart,
  getItem,
  notePricesSeen,
  putDiscount,
  putItem,
  removeItem,
  setQuantity,
  touchCart,
} from './queries.ts'
import { type Cart, type CartItem, LARGEST_QUANTITY, MOST_LINES, type NewItem } from './schema.ts'

/**
 * Puts something into a member's cart.
 * @throws ApiError 422 for who acts; for a product or variant that is not for sale; VARIANT_REQUIRED, OUT_OF_STOCK,
 *   CURRENCY_MISMATCH, CART_FULL, REMOVED_FROM_COURSE
 */
export async function addToCart(ctx: Context, who: WhoActs, input: NewItem): Promise<CartItem> {
  // Where no id is named, that is refused here.
  const member = who.memberId ?? (await actingMember(ctx, who)).id
  const named = parseId(productId, input.product_id) ?? null
  // All of this is asked at once, and answered in the order of its faults.
  const { product, variants, cart, rows } = await together(ctx, {
    acting: actingMember(who),
    product: findProduct({ id: named }),
    variants: listVariants({ product: named }),
    cart: touchCart({ id: newUuid(), member }),
    rows: cartLines({ member }),
  })
  if (product === undefined || !product.is_active) throw noProduct()
  await assertMayBuyCourses(ctx, member, [product])
  const variant = variantOf(variants, input.variant_id)
  const variant_id = variant?.id ?? null
  const { quantity: more = 1 } = input
  const same = rows.find((row) => row.product_id === product.id && row.variant_id === variant_id)
  const quantity = (same?.quantity ?? 0) + more
  assertQuantity(quantity)
  if (same === undefined && rows.length >= MOST_LINES) throw cartFull()
  const { currency } = product
  if (rows.some((row) => row.currency !== currency))
    throw currencyMismatch(undefined, {
      message: `The cart is in ${rows[0]?.currency}, but this product is sold in ${currency}: check out or empty the cart first`,
    })
  if (variant) assertFree(variant, quantity, 'quantity')
  const { id = newUuid(), created_at = cart.updated_at } = same ?? {}
  const seen_price_minor = variant?.price_minor ?? product.price_minor
  putItem(ctx, {
    ...{ id, cart_id: cart.id, product_id: product.id, variant_id, quantity, created_at },
    ...{ seen_price_minor, seen_currency: currency },
  })
  return { id: toId(itemId, id), product_id: toId(productId, product.id), quantity, created_at }
}

/** The named variant, else the only active one. */
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
  touchCart(ctx, { id: newUuid(), member })
  const rows = await cartLines(ctx, { member })
  const row = rows.find((each) => each.id === id)
  if (row === undefined) throw notFound('Cart item')
  if (row.variant_id !== null) assertFree(row, quantity, 'quantity')
  setQuantity(ctx, { id, quantity })
  const { product_id, created_at } = row
  return { id: toId(itemId, id), product_id: toId(productId, product_id), quantity, created_at }
}

/** @throws ApiError 404 for an item of nobody, or of another member's cart; 422 for who acts */
export async function removeCartItem(ctx: Context, who: WhoActs, id: string): Promise<void> {
  const member = await ownerOf(ctx, who, id)
  touchCart(ctx, { id: newUuid(), member })
  removeItem(ctx, { id })
}

async function ownerOf(ctx: Context, who: WhoActs, id: string): Promise<string> {
  const item = getItem(ctx, { id })
  const acting = actingMember(ctx, who)
  const { member_id } = await item
  if (member_id !== (await acting).id) throw notFound('Cart item')
  return member_id
}

/** Takes everything out of a member's cart. @returns its stored id */
export async function clearCart(ctx: Context, who: WhoActs): Promise<string> {
  const { id: member } = await actingMember(ctx, who)
  const cart = await touchCart(ctx, { id: newUuid(), member })
  emptyCart(ctx, { cart: cart.id })
  return cart.id
}

/** A member's cart, with its faults. Prices that are shown count as seen: checkout takes them from then on. */
export async function showCart(data: ProjectData, who: WhoActs): Promise<Cart> {
  // A request without an id is refused here.
  const member = who.memberId ?? (await data.read({ member: actingMember(who) })).member.id
  const { rows, discount, now, account } = await data.read({
    member: actingMember(who),
    rows: cartLines({ member }),
    discount: cartDiscount({ member }),
    now: projectNow(),
    account: findDefaultAccount(),
  })
  const parts = { rows, discount, now, provider: account?.provider ?? null }
  const faults = faultsOf(parts)
  const changed = rows.filter(({ id }) =>
    faults.some(({ item, fault }) => item === id && fault === 'price_changed'),
  )
  const invalid = faults.some(({ fault }) => fault === 'discount_invalid') ? discount : undefined
  if (changed.length > 0 || invalid !== undefined)
    await data.write((ctx) => {
      const prices = changed.map(({ price_minor }) => price_minor)
      notePricesSeen(ctx, { ids: changed.map(({ id }) => id), prices })
      if (invalid !== undefined) dropDiscount(ctx, { member, discount: invalid.id })
    })
  return toCart(parts)
}

/** Gives a cart a discount, in place of the one that it has. @throws ApiError 422 DISCOUNT_INVALID, or for who acts */
export async function applyDiscount(ctx: Context, who: WhoActs, code: string): Promise<Cart> {
  const { id: member } = await actingMember(ctx, who)
  const { cart, discount, now, rows, account } = await together(ctx, {
    cart: touchCart({ id: newUuid(), member }),
    discount: findByCode({ code: code.toLowerCase(), member }),
    now: projectNow(),
    rows: cartLines({ member }),
    account: findDefaultAccount(),
  })
  assertUsable(discount, now, rows[0]?.currency)
  putDiscount(ctx, { cart: cart.id, discount: discount.id })
  return toCart({ rows, discount, now, provider: account?.provider ?? null })
}

/** Takes the discount out, if there is one. @returns the cart's stored id */
export async function removeDiscount(ctx: Context, who: WhoActs): Promise<string> {
  const { id: member } = await actingMember(ctx, who)
  const cart = await touchCart(ctx, { id: newUuid(), member })
  putDiscount(ctx, { cart: cart.id, discount: null })
  return cart.id
}
