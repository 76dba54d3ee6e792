import { type Static, Type } from 'typebox'
import { Payment } from '#areas/billing/schema.ts'
import {
  envelopeOf,
  listEnvelope,
  nullable,
  oneOf,
  pathId,
  strict,
  Timestamp,
} from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { cursorParameters, pageParameters } from '#platform/http/page.ts'
import { orderId } from '../ids.ts'
import { Currency, Price, ProductGrants, ProductId } from '../products/schema.ts'
import { VariantId } from '../variants/schema.ts'
import { ORDER_STATUSES } from './machine.ts'

export const OrderId = Type.String({
  description: 'The id of an order',
  examples: ['ord_01jcq3k8f7e8qtk4m3hbw7rn2v'],
})
const LineId = Type.String({ examples: ['line_01jcq3k8f7e8qtk4m3hbw7rn2x'] })
const Quantity = Type.Integer({ minimum: 1, examples: [2] })
const Status = oneOf(ORDER_STATUSES, { title: 'OrderStatus', examples: ['pending_payment'] })
const Amount = (description: string) => Type.Number({ description, examples: [19.99] })
const MemberId = Type.String({
  description: 'The member who bought the order',
  examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
})

const Item = Type.Object({
  product_id: ProductId,
  quantity: Quantity,
  price: Type.Number({ description: 'The price of one unit', examples: [19.99] }),
})

/** An order as the reference shows it. */
export const ListedOrder = Type.Object(
  {
    id: OrderId,
    status: Status,
    total: Amount('The amount to pay'),
    currency: Currency,
    items: Type.Array(Item),
    created_at: Timestamp(),
  },
  { title: 'ListedOrder' },
)
export type ListedOrder = Static<typeof ListedOrder>

export const OrderLine = Type.Object(
  {
    id: LineId,
    product_id: ProductId,
    variant_id: nullable(VariantId),
    name: Type.String({
      description: 'The name of the product when it was bought',
      examples: ['Clay, 5 kg'],
    }),
    variant_name: Type.String({ examples: ['White'] }),
    sku: nullable(Type.String({ examples: ['CLAY-W-5'] })),
    quantity: Quantity,
    price: Price,
    discount: Amount('The share of the discount for this line'),
    tax_percent: nullable(Type.Number({ examples: [19] })),
    tax: Amount('The tax that the total includes'),
    total: Amount('The amount to pay for the line'),
    grants: Type.Union([ProductGrants, Type.Null()]),
    refunded_quantity: Type.Integer({ examples: [0] }),
  },
  { title: 'OrderLine' },
)
export type OrderLine = Static<typeof OrderLine>

const HistoryEntry = Type.Object(
  {
    from: nullable(Status),
    to: Status,
    reason: nullable(Type.String({ examples: ['by_customer'] })),
    by: Type.String({
      description: 'The id of the key or member; otherwise the kind of actor, such as `system`',
      examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'],
    }),
    created_at: Timestamp(),
  },
  { title: 'OrderHistoryEntry' },
)

export const Refund = Type.Object(
  {
    id: Type.String({ examples: ['rfnd_01jcq3k8f7e8qtk4m3hbw7rn2y'] }),
    amount: Amount('The amount that is refunded'),
    status: oneOf(['pending', 'succeeded', 'failed']),
    lines: Type.Array(Type.Object({ id: LineId, quantity: Quantity })),
    restocked: Type.Boolean(),
    reason: nullable(Type.String({ examples: ['Broken on arrival'] })),
    created_at: Timestamp(),
  },
  { title: 'OrderRefund' },
)

const Address = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200, examples: ['Ada Lovelace'] })),
    company: Type.Optional(Type.String({ maxLength: 200 })),
    line1: Type.Optional(Type.String({ maxLength: 200, examples: ['1 Example Street'] })),
    line2: Type.Optional(Type.String({ maxLength: 200 })),
    postal_code: Type.Optional(Type.String({ maxLength: 20, examples: ['12345'] })),
    city: Type.Optional(Type.String({ maxLength: 100, examples: ['London'] })),
    region: Type.Optional(Type.String({ maxLength: 100 })),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2}$', description: 'The country: an ISO 3166 code', examples: ['GB'] }),
    ),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { title: 'Address' },
)
const NewAddress = strict(Address.properties)
export const Addresses = Type.Object({ shipping: Type.Optional(Address), billing: Type.Optional(Address) })
export const NewAddresses = strict({
  shipping: Type.Optional(NewAddress),
  billing: Type.Optional(NewAddress),
})

export const Order = Type.Object(
  {
    id: OrderId,
    number: Type.String({
      description: 'A number for people; it is unique in the project',
      examples: ['261121-7K3M9QP'],
    }),
    member_id: MemberId,
    status: Status,
    cancel_reason: nullable(oneOf(['expired', 'by_customer', 'by_operator'])),
    currency: Currency,
    items: Type.Array(Item, { description: 'The bought items, in the short form of lists' }),
    lines: Type.Array(OrderLine, { description: 'The bought items, in full' }),
    subtotal: Amount('The price before the discount'),
    discount: Amount('The amount that the discount takes off'),
    discount_code: nullable(Type.String({ examples: ['SPRING10'] })),
    tax: Amount('The tax that the total includes'),
    total: Amount('The amount to pay'),
    paid_amount: Type.Number({ examples: [0] }),
    refunded_amount: Type.Number({ examples: [0] }),
    addresses: Type.Union([Addresses, Type.Null()]),
    note: nullable(Type.String()),
    tracking_number: nullable(Type.String()),
    tracking_url: nullable(Type.String()),
    reserved_until: Timestamp({
      description:
        'When the stock of an unpaid order is released, the order is canceled, and its items return to the cart',
    }),
    payment: Type.Union([Payment, Type.Null()], {
      description: 'Null if there is nothing to pay, or if an operator marked the order as paid',
    }),
    refunds: Type.Array(Refund),
    history: Type.Array(HistoryEntry),
    allowed_transitions: Type.Array(Status, { description: 'The statuses to which the order can change' }),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

export const ById = strict({ id: pathId(orderId, OrderId) })

export const OwnQuery = strict({
  ...cursorParameters(100),
  status: Type.Optional(
    oneOf(ORDER_STATUSES, { title: 'OrderStatus', description: 'Only orders with this status' }),
  ),
})
export const OwnOrders = envelopeOf({ orders: Type.Array(ListedOrder) })

export const AllQuery = strict({
  ...pageParameters,
  status: Type.Optional(
    oneOf(ORDER_STATUSES, { title: 'OrderStatus', description: 'Only orders with this status' }),
  ),
  member_id: idParameter(MemberId, 'Only orders of this member'),
  search: searchIn('the number, the names of products, or the name or address of the buyer'),
  ...createdParameters,
  ...sortParameters(['created_at', 'total'], {
    description: '`total` compares the numbers, whatever their currencies',
  }),
})
export type AllQuery = Static<typeof AllQuery>

/** An order in everyone's list. */
export const OrderSummary = Type.Object(
  {
    ...ListedOrder.properties,
    number: Order.properties.number,
    member_id: MemberId,
    refunded_amount: Order.properties.refunded_amount,
  },
  { title: 'OrderSummary' },
)
export type OrderSummary = Static<typeof OrderSummary>
export const AllOrders = listEnvelope(OrderSummary)
