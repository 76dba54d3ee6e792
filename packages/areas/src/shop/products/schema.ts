import { type Static, Type } from 'typebox'
import { LONGEST_RESERVE_HOURS } from '#areas/billing/service.ts'
import {
  Currency as CurrencyIn,
  envelopeOf,
  nullable,
  pathId,
  strict,
  Timestamp,
  unsettable,
} from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { cursorParameters } from '#platform/http/page.ts'
import { productId } from '../ids.ts'

export const ProductId = Type.String({
  description: 'The id of a product',
  examples: ['prod_01jcq3k8f7e8qtk4m3hbw7rn2q'],
})
const Name = Type.String({ minLength: 1, maxLength: 200, examples: ['Clay, 5 kg'] })
const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 80,
  description: 'Lower-case words joined by hyphens; unique in the project',
  examples: ['clay-5-kg'],
})
const Description = Type.String({ maxLength: 10_000, examples: ['Fine white stoneware clay'] })
const Category = Type.String({ maxLength: 80, examples: ['material'] })
export const Price = Type.Number({
  minimum: 0,
  maximum: 99_999_999,
  description:
    'The price of one unit in the currency, with at most as many decimals as the currency has; tax is included',
  examples: [19.99],
})
export const Currency = Type.String({
  description: 'The currency: an ISO 4217 code in lower case',
  examples: ['eur'],
})
export const TaxPercent = Type.Number({
  minimum: 0,
  maximum: 100,
  multipleOf: 0.001,
  description: 'The tax in percent that the price includes',
  examples: [19],
})
const IsActive = Type.Boolean({
  description: 'True if customers can see and buy the product',
  examples: [true],
})
const FileId = Type.String({ examples: ['file_01jcq3k8f7e8qtk4m3hbw7rn2k'] })
const IMAGES = 'Ids of image files, in the order in which they are shown'
const Images = Type.Array(FileId, {
  maxItems: 20,
  uniqueItems: true,
  description: IMAGES,
  examples: [['file_01jcq3k8f7e8qtk4m3hbw7rn2k']],
})

const grants = {
  plan_id: Type.Optional(Type.String({ examples: ['plan_01jcq3k8f7e8qtk4m3hbw7rn2e'] })),
  features: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
      maxItems: 20,
      uniqueItems: true,
      examples: [['downloads']],
    }),
  ),
  course_id: Type.Optional(Type.String({ examples: ['crs_01jcq3k8f7e8qtk4m3hbw7rn2r'] })),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description:
        'The number of days that each unit lasts. Two units last twice as long: the second one begins when the first one ends. Default: it does not end',
      examples: [30],
    }),
  ),
}
const GRANTS = {
  description: 'The buyer gets this for each line of an order. Only `days` are multiplied by the quantity',
  examples: [{ features: ['downloads'], days: 30 }],
}
export const ProductGrants = Type.Object(grants, { title: 'ProductGrants', ...GRANTS })
export type ProductGrants = Static<typeof ProductGrants>
const NewGrants = strict(grants, { ...GRANTS, minProperties: 1 })

const ReserveHours = Type.Integer({
  minimum: 1,
  maximum: LONGEST_RESERVE_HOURS,
  description:
    'How many hours the stock of an unpaid order is reserved if money is taken by hand; null: the number of the payment account. An order with several products is reserved for the smallest number',
  examples: [72],
})

/** A product as the reference shows it. */
export const Product = Type.Object(
  {
    id: ProductId,
    name: Name,
    description: Description,
    category: Category,
    currency: Currency,
    price: Price,
    is_active: IsActive,
    created_at: Timestamp(),
  },
  { title: 'Product' },
)
export type Product = Static<typeof Product>

export const FullProduct = Type.Object(
  {
    ...Product.properties,
    slug: Slug,
    images: Images,
    tax_percent: nullable(TaxPercent),
    grants: Type.Union([ProductGrants, Type.Null()], GRANTS),
    reserve_hours: nullable(ReserveHours),
    updated_at: Timestamp(),
  },
  { title: 'ProductInFull' },
)
export type FullProduct = Static<typeof FullProduct>

const optional = {
  slug: Type.Optional(Slug),
  description: Type.Optional(Description),
  category: Type.Optional(Category),
  currency: Type.Optional(CurrencyIn()),
  tax_percent: Type.Optional(nullable(TaxPercent)),
  images: Type.Optional(Images),
  grants: Type.Optional(nullable(NewGrants)),
  reserve_hours: Type.Optional(nullable(ReserveHours)),
  is_active: Type.Optional(IsActive),
}

export const NewProduct = strict(
  { name: Name, price: Price, ...optional },
  { title: 'NewProduct', examples: [{ name: 'Clay, 5 kg', price: 19.99, currency: 'eur' }] },
)
export type NewProduct = Static<typeof NewProduct>

export const ProductChanges = strict(
  {
    name: Type.Optional(Name),
    price: Type.Optional(Price),
    ...optional,
    description: Type.Optional(unsettable(Description)),
    category: Type.Optional(unsettable(Category)),
  },
  { title: 'ProductChanges', examples: [{ price: 17.99 }] },
)
export type ProductChanges = Static<typeof ProductChanges>

export const ById = strict({ id: pathId(productId, ProductId) })

/** What the list of the contract leaves out, and `include` brings. */
export const INCLUDES = ['slug', 'images'] as const
const byInclude = (field: (typeof INCLUDES)[number]) => `Present with \`include=${field}\``

export const ListQuery = strict({
  category: Type.Optional(Type.String({ maxLength: 80, description: 'Only products of this category' })),
  slug: Type.Optional(Type.String({ maxLength: 80, description: 'Only the product with this slug' })),
  is_active: Type.Optional(
    Type.Boolean({ description: 'Only active products, or only inactive products; only for secret keys' }),
  ),
  include: includeParameter(INCLUDES),
  search: searchIn('the name'),
  ...createdParameters,
  ...sortParameters(['created_at', 'name', 'price'], {
    description: '`price` compares the numbers, whatever their currencies',
  }),
  ...cursorParameters(50),
})
export type ListQuery = Static<typeof ListQuery>

/** A product in a list. */
export const ListedProduct = Type.Object(
  {
    ...Product.properties,
    slug: Type.Optional({ ...Slug, description: byInclude('slug') }),
    images: Type.Optional({ ...Images, description: `${IMAGES}. ${byInclude('images')}` }),
  },
  { title: 'ListedProduct' },
)
export type ListedProduct = Static<typeof ListedProduct>

export const ProductList = envelopeOf({ products: Type.Array(ListedProduct) })
