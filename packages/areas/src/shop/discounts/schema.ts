import { type Static, Type } from 'typebox'
import { Currency as CurrencyIn, nullable, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters } from '#platform/http/page.ts'
import { discountId } from '../ids.ts'
import { Currency, ProductId } from '../products/schema.ts'

const DiscountId = Type.String({
  description: 'The id of a discount',
  examples: ['dsct_01jcq3k8f7e8qtk4m3hbw7rn2w'],
})
export const Code = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
  maxLength: 40,
  description: 'The code that customers enter; upper and lower case are the same',
  examples: ['SPRING10'],
})
const Percent = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100,
  multipleOf: 0.001,
  description: 'The percentage of the price, rounded half up once',
  examples: [10],
})
const Amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: 99_999_999,
  description: 'The amount in its currency; never more than the price of the products',
  examples: [5],
})
const Uses = Type.Integer({ minimum: 1, maximum: 1_000_000_000, examples: [100] })
const Products = Type.Array(ProductId, {
  maxItems: 100,
  uniqueItems: true,
  description: 'The products for which the discount counts; empty: all products',
  examples: [[]],
})
const window = {
  starts_at: nullable(Timestamp({ description: 'The discount is valid from this time on' })),
  ends_at: nullable(
    Timestamp({
      description: 'The discount is valid before this time',
      examples: ['2026-12-31T23:00:00.000Z'],
    }),
  ),
}

export const Discount = Type.Object(
  {
    id: DiscountId,
    code: Code,
    percent: nullable(Percent),
    amount: nullable(Amount),
    currency: nullable(Currency),
    ...window,
    max_uses: nullable(Uses),
    max_uses_per_member: nullable(Uses),
    product_ids: Products,
    used: Type.Integer({
      description: 'The number of orders with the discount, including orders that wait for payment',
      examples: [12],
    }),
    is_active: Type.Boolean(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Discount' },
)
export type Discount = Static<typeof Discount>

const optional = {
  percent: Type.Optional(nullable(Percent)),
  amount: Type.Optional(nullable(Amount)),
  currency: Type.Optional(nullable(CurrencyIn())),
  starts_at: Type.Optional(window.starts_at),
  ends_at: Type.Optional(window.ends_at),
  max_uses: Type.Optional(
    nullable(
      Type.Integer({ ...Uses, description: 'The largest number of uses by all members; null: no limit' }),
    ),
  ),
  max_uses_per_member: Type.Optional(
    nullable(
      Type.Integer({ ...Uses, description: 'The largest number of uses by one member; null: no limit' }),
    ),
  ),
  product_ids: Type.Optional(Products),
  is_active: Type.Optional(Type.Boolean()),
}

export const NewDiscount = strict(
  { code: Code, ...optional },
  { title: 'NewDiscount', examples: [{ code: 'SPRING10', percent: 10 }] },
)
export type NewDiscount = Static<typeof NewDiscount>

export const DiscountChanges = strict(
  { code: Type.Optional(Code), ...optional },
  { title: 'DiscountChanges', examples: [{ is_active: false }] },
)
export type DiscountChanges = Static<typeof DiscountChanges>

export const ById = strict({ id: pathId(discountId, DiscountId) })
export const ListQuery = strict({
  ...pageParameters,
  is_active: Type.Optional(
    Type.Boolean({ description: 'Only active discounts, or only inactive discounts' }),
  ),
  search: searchIn('the code'),
  ...createdParameters,
  ...sortParameters(['created_at', 'code']),
})
export type ListQuery = Static<typeof ListQuery>
