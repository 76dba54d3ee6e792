import { defineError, slugTakenBy } from '#platform/define-error.ts'

/** Lines of a cart, and variants of a product, at the most. */
export const MOST_LINES = 100
export const MOST_VARIANTS = 100

const taken = (field: string) => [{ field, rule: 'unique', message: 'is taken' }]

export const slugTaken = slugTakenBy('product')
export const skuTaken = defineError({
  code: 'SKU_TAKEN',
  message: 'Another variant has this SKU: choose another SKU',
  details: taken('sku'),
})
/** There is less than wanted. `reserved + sold + free = stock`, and none of them is ever negative. */
export const outOfStock = defineError({
  code: 'OUT_OF_STOCK',
  message: 'There is not enough stock: choose a smaller quantity',
})

export const codeTaken = defineError({
  code: 'CODE_TAKEN',
  message: 'Another discount has this code: choose another code',
  details: taken('code'),
})
/** The code cannot be used; the message says which of its limits is met. */
export const discountInvalid = defineError({
  code: 'DISCOUNT_INVALID',
  message: 'The discount is not valid for this cart: remove it, or send another code',
})

export const variantRequired = defineError({
  code: 'VARIANT_REQUIRED',
  message: 'The product has several variants: name one in variant_id',
})
/** The message names both currencies. */
export const currencyMismatch = defineError({
  code: 'CURRENCY_MISMATCH',
  message: 'The cart has products in another currency: check out or empty the cart first',
})
export const cartFull = defineError({
  code: 'CART_FULL',
  message: `A cart has at most ${MOST_LINES} lines: remove one first`,
})
export const cartEmpty = defineError({
  code: 'CART_EMPTY',
  message: 'The cart is empty: add a product first',
})
/** Lines of the cart have changed since the customer added them; `details` lists them. */
export const cartChanged = defineError({
  code: 'CART_CHANGED',
  message: 'Prices or availability have changed: get the cart again, then check out',
})
/** `details` has the lines. */
export const removedFromCourse = defineError({
  code: 'REMOVED_FROM_COURSE',
  message:
    'The member was removed from a course of this order, so the order would not open the course: a secret key must enroll the member again first',
})

/** Unpaid orders by hand that a member has at the most. */
export const MOST_OPEN_ORDERS = 3
export const tooManyOpenOrders = defineError({
  code: 'TOO_MANY_OPEN_ORDERS',
  message: `The member has ${MOST_OPEN_ORDERS} unpaid orders: pay or cancel one of them first`,
})

/** The message names the state and the states that can follow. */
export const invalidTransition = defineError({
  code: 'INVALID_TRANSITION',
  message: 'The status of the order does not allow this: see `allowed_transitions` of the order',
})
export const refundExceedsPaid = defineError({
  code: 'REFUND_EXCEEDS_PAID',
  message:
    'The refund is larger than the amount of the order that can still be refunded: send a smaller amount',
})
