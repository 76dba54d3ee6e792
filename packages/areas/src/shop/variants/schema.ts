import { type Static, Type } from 'typebox'
import { nullable, oneOf, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { cursorParameters } from '#platform/http/page.ts'
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
  description: 'What tells it from the others',
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
    available: Type.Boolean({ description: 'Whether at least one can be bought now' }),
    on_hand: Type.Optional(
      nullable(
        Type.Integer({
          description: 'What is there and not sold; null where stock is not counted. For secret keys alone',
          examples: [12],
        }),
      ),
    ),
    reserved: Type.Optional(
      Type.Integer({
        description: 'Of what is there, what waits for payment. For secret keys alone',
        examples: [2],
      }),
    ),
    sold: Type.Optional(
      Type.Integer({
        description: 'What was paid for and did not come back. For secret keys alone',
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
  price: Type.Optional(nullable(Type.Number({ ...Price, description: "In place of the product's" }))),
  is_active: Type.Optional(Type.Boolean()),
  low_stock: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LARGEST_STOCK,
      description: '`stock.low` is announced when no more than so many are left',
      examples: [3],
    }),
  ),
}

export const NewVariant = strict(
  {
    ...optional,
    stock: Type.Optional(
      nullable(Type.Integer({ ...Count, description: 'How many there are; null or left out: not counted' })),
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

export const ById = strict({ id: VariantId })

export const StockChange = strict(
  {
    delta: Type.Integer({
      minimum: -LARGEST_STOCK,
      maximum: LARGEST_STOCK,
      not: { const: 0 },
      description: 'How many came, or went where negative',
      examples: [10],
    }),
    reason: Type.String({ minLength: 1, maxLength: 200, examples: ['Delivery of 21 November'] }),
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
        '`adjust` changed the stock; `reserve` and `release` what waits for payment; `sell` turned reserved into sold; `restock` took sold back',
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
