/** The resources of this area, by the name of their ids. */
export const productId = 'product'
export const variantId = 'variant'
export const itemId = 'cart item'
export const orderId = 'order'
export const lineId = 'order line'
export const discountId = 'discount'
export const refundId = 'refund'
export const moveId = 'stock move'
