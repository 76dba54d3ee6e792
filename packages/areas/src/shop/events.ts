import { Type } from 'typebox'
import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Order } from './orders/schema.ts'
import { FullProduct } from './products/schema.ts'
import { VariantId } from './variants/schema.ts'

const product = exampleOf(FullProduct)
const order = exampleOf(Order)

export const productCreated = defineEvent({
  name: 'product.created',
  description: 'A product was created',
  data: FullProduct,
  example: product,
  member: () => null,
})
export const productUpdated = defineEvent({
  name: 'product.updated',
  description: 'Fields of a product changed',
  data: FullProduct,
  example: product,
  member: () => null,
})
export const productDeleted = defineEvent({
  name: 'product.deleted',
  description: 'A product was deleted',
  data: Type.Object({ id: FullProduct.properties.id }),
  example: { id: 'prod_01jcq3k8f7e8qtk4m3hbw7rn2q' },
  member: () => null,
})
export const stockLow = defineEvent({
  name: 'stock.low',
  description: 'The stock of a variant has reached its `low_stock`',
  data: Type.Object({
    id: VariantId,
    on_hand: Type.Integer({ examples: [3] }),
    low_stock: Type.Integer({ examples: [3] }),
  }),
  example: { id: 'var_01jcq3k8f7e8qtk4m3hbw7rn2s', on_hand: 3, low_stock: 3 },
  member: () => null,
})
export const orderCreated = defineEvent({
  name: 'order.created',
  description: 'A cart was checked out. The stock is reserved, and the order waits for payment',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderPaid = defineEvent({
  name: 'order.paid',
  description: 'An order was paid, and the buyer got its grants',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderFulfilled = defineEvent({
  name: 'order.fulfilled',
  description: 'An order was sent or handed over',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderCompleted = defineEvent({
  name: 'order.completed',
  description: 'An order was completed',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderCanceled = defineEvent({
  name: 'order.canceled',
  description: 'An order was canceled, or its reservation expired',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderDisputed = defineEvent({
  name: 'order.disputed',
  description:
    'A buyer disputed an order: the buyer asked the bank for the money back, or the bank has decided. `dispute` of the payment has the state',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
export const orderRefunded = defineEvent({
  name: 'order.refunded',
  description: 'An order was refunded, in full or in part',
  data: Order,
  example: order,
  member: ({ member_id }) => member_id,
})
