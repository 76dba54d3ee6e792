import { defineId } from '#platform/ids.ts'

/** The ids of this area's resources. */
export const productId = defineId('prod', 'Product')
export const variantId = defineId('var', 'Variant')
export const orderId = defineId('ord', 'Order')
export const moveId = defineId('stock', 'Stock move')
export const cartId = defineId('cart', 'Cart')
export const itemId = defineId('item', 'Cart item')
export const discountId = defineId('dsct', 'Discount')
