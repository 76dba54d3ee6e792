import { type Static, Type } from 'typebox'
import { envelopeOf, nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { Code } from '../discounts/schema.ts'
import { itemId } from '../ids.ts'
import { Currency, Price, ProductId } from '../products/schema.ts'
import { VariantId } from '../variants/schema.ts'

/** Units of one thing in a cart or an order at the most. */
export const LARGEST_QUANTITY = 10_000
/** Lines of a cart at the most. */
export const MOST_LINES = 100

const ItemId = Type.String({
  description: 'The id of a cart item',
  examples: ['item_01jcq3k8f7e8qtk4m3hbw7rn30'],
})
const Quantity = Type.Integer({ minimum: 1, maximum: LARGEST_QUANTITY, examples: [2] })

/** A cart item as the reference shows it. */
export const CartItem = Type.Object(
  { id: ItemId, product_id: ProductId, quantity: Quantity, created_at: Timestamp() },
  { title: 'CartItem' },
)
export type CartItem = Static<typeof CartItem>
export const AddedItem = envelopeOf({ item: CartItem })

export const NewItem = strict(
  {
    product_id: ProductId,
    quantity: Type.Optional(Type.Integer({ ...Quantity, default: 1, description: 'Default: 1' })),
    variant_id: Type.Optional(VariantId),
  },
  { title: 'NewCartItem', examples: [{ product_id: 'prod_01jcq3k8f7e8qtk4m3hbw7rn2q', quantity: 1 }] },
)
export type NewItem = Static<typeof NewItem>

export const ItemChange = strict(
  { quantity: Quantity },
  { title: 'CartItemChange', examples: [{ quantity: 3 }] },
)
export const ByItem = strict({ item_id: pathId(itemId, ItemId) })

export const FAULTS = [
  'price_changed',
  'out_of_stock',
  'unavailable',
  'currency_changed',
  'discount_invalid',
  'amount_too_small',
] as const
export type Fault = (typeof FAULTS)[number]

export const CartLine = Type.Object(
  {
    id: ItemId,
    product_id: ProductId,
    variant_id: nullable(VariantId),
    name: Type.String({ examples: ['Clay, 5 kg'] }),
    variant_name: Type.String({ examples: ['White'] }),
    sku: nullable(Type.String({ examples: ['CLAY-W-5'] })),
    quantity: Quantity,
    price: Price,
    discount: Type.Number({ examples: [0] }),
    total: Type.Number({ examples: [39.98] }),
    created_at: Timestamp(),
  },
  { title: 'CartLine' },
)

export const Cart = Type.Object(
  {
    lines: Type.Array(CartLine),
    currency: nullable(Currency),
    discount: Type.Union(
      [
        Type.Object({
          code: Code,
          amount: Type.Number({ description: 'The amount that the discount takes off', examples: [4] }),
        }),
        Type.Null(),
      ],
      { description: 'Null if the cart has no discount' },
    ),
    subtotal: Type.Number({ description: 'The price before the discount', examples: [39.98] }),
    tax: Type.Number({ description: 'The tax that the total includes', examples: [6.38] }),
    total: Type.Number({ description: 'The amount to pay', examples: [39.98] }),
    faults: Type.Array(
      Type.Object({
        item_id: nullable(ItemId),
        fault: oneOf(FAULTS),
        message: Type.String({ examples: ['costs 21.5 now, but cost 19.99 when it was added'] }),
      }),
      { description: 'The changes since items were added, and the faults that prevent checkout' },
    ),
  },
  { title: 'Cart' },
)
export type Cart = Static<typeof Cart>

export const NewCode = strict(
  { code: Type.String({ minLength: 1, maxLength: 40, examples: ['SPRING10'] }) },
  { title: 'CartDiscount' },
)
