import { type Static, Type } from 'typebox'
import {
  filledText,
  nullable,
  oneOf,
  pathId,
  strict,
  Timestamp,
  unsettable,
} from '#platform/http/envelope.ts'
import { cursorParameters } from '#platform/http/page.ts'
import { variantId } from '../ids.ts'
import { Price, ProductId } from '../products/schema.ts'

export const VariantId = Type.String({
  description: 'The id of a variant',
  examples: ['var_01jcq3k8f7e8qtk4m3hbw7rn2s'],
})
const Name = Type.String({ maxLength: 200, examples: ['White'] })
const Sku = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'Unique in the project',
  examples: ['CLAY-W-5'],
})
const Options = Type.Record(Type.String({ minLength: 1, maxLength: 40 }), Type.String({ maxLength: 80 }), {
  maxProperties: 10,
  description: 'The attributes in which the variant differs from the others',
  examples: [{ color: 'white' }],
})
const LARGEST_STOCK = 1_000_000_000
const Count = Type.Integer({ minimum: 0, maximum: LARGEST_STOCK, examples: [12] })

export const Variant = Type.Object(
  {
    id: VariantId,
    product_id: ProductId,
    name: Name,
    sku: nullable(Sku),
    options: Type.Unsafe<Record<string, string>>({ ...Options, additionalProperties: true }),
    price: nullable(Price),
    is_active: Type.Boolean(),
    available: Type.Boolean({ description: 'True if at least one can be bought now' }),
    on_hand: Type.Optional(
      nullable(
        Type.Integer({
          description:
            'The units that are there and not sold; null if the stock is not counted. Only for secret keys',
          examples: [12],
        }),
      ),
    ),
    reserved: Type.Optional(
      Type.Integer({
        description: 'The units that unpaid orders reserve. Only for secret keys',
        examples: [2],
      }),
    ),
    sold: Type.Optional(
      Type.Integer({
        description: 'The units that were paid for and not returned. Only for secret keys',
        examples: [30],
      }),
    ),
    low_stock: Type.Optional(Type.Integer({ examples: [3] })),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Variant' },
)
export type Variant = Static<typeof Variant>

const optional = {
  name: Type.Optional(Name),
  sku: Type.Optional(nullable(Sku)),
  options: Type.Optional(Options),
  price: Type.Optional(
    nullable(
      Type.Number({ ...Price, description: 'The price of the variant. Default: the price of the product' }),
    ),
  ),
  is_active: Type.Optional(Type.Boolean()),
  low_stock: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LARGEST_STOCK,
      description: '`stock.low` is sent when the number of units falls to this number',
      examples: [3],
    }),
  ),
}

export const NewVariant = strict(
  {
    ...optional,
    stock: Type.Optional(
      nullable(
        Type.Integer({
          ...Count,
          description: 'The number of units. Null or absent: the stock is not counted',
        }),
      ),
    ),
  },
  { title: 'NewVariant', examples: [{ name: 'White', sku: 'CLAY-W-5', stock: 12 }] },
)
export type NewVariant = Static<typeof NewVariant>

export const VariantChanges = strict(
  { ...optional, name: Type.Optional(unsettable(Name)) },
  { title: 'VariantChanges', examples: [{ price: 21.5 }] },
)
export type VariantChanges = Static<typeof VariantChanges>

export const ById = strict({ id: pathId(variantId, VariantId) })

export const StockChange = strict(
  {
    delta: Type.Integer({
      minimum: -LARGEST_STOCK,
      maximum: LARGEST_STOCK,
      not: { const: 0 },
      description: 'The number of units that were added; negative for units that were removed',
      examples: [10],
    }),
    reason: filledText({ maxLength: 200, examples: ['Delivery of 21 November'] }),
  },
  { title: 'StockChange' },
)
export type StockChange = Static<typeof StockChange>

export const MOVE_KINDS = ['adjust', 'reserve', 'release', 'sell', 'restock'] as const

export const StockMove = Type.Object(
  {
    id: Type.String({ examples: ['stock_01jcq3k8f7e8qtk4m3hbw7rn2t'] }),
    kind: oneOf(MOVE_KINDS, {
      description:
        '`adjust`: the stock was changed; `reserve` and `release`: units for orders that wait for payment; `sell`: reserved units became sold; `restock`: sold units came back',
    }),
    quantity: Type.Integer({ examples: [10] }),
    order_id: nullable(Type.String({ examples: ['ord_01jcq3k8f7e8qtk4m3hbw7rn2v'] })),
    reason: nullable(Type.String({ examples: ['Delivery of 21 November'] })),
    created_at: Timestamp(),
  },
  { title: 'StockMove' },
)
export type StockMove = Static<typeof StockMove>

export const MovesQuery = strict(cursorParameters(100))
