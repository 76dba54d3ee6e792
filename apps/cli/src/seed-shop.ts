import { productId } from '#areas/shop/ids.ts'
import type { NewProduct } from '#areas/shop/products/schema.ts'
import { createProduct } from '#areas/shop/products/service.ts'
import type { NewVariant } from '#areas/shop/variants/schema.ts'
import { createVariant } from '#areas/shop/variants/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'

const WOOL: NewProduct = {
  name: 'Wool',
  slug: 'wool',
  description: 'A ball of 100 g, not too thin',
  category: 'material',
  price: 6.9,
  currency: 'eur',
  tax_percent: 19,
}
const NEEDLES: NewProduct = {
  name: 'Needles',
  slug: 'needles',
  description: 'A pair, of bamboo',
  category: 'tools',
  price: 8.5,
  currency: 'eur',
  tax_percent: 19,
}
const PATTERNS: NewProduct = {
  name: 'Book of patterns',
  slug: 'book-of-patterns',
  description: 'Forty patterns to download',
  category: 'books',
  price: 19.99,
  currency: 'eur',
  tax_percent: 7,
  grants: { features: ['patterns'] },
}

const STOCK: readonly (readonly [NewProduct, readonly NewVariant[]])[] = [
  [
    WOOL,
    [
      { name: 'Red', sku: 'WOOL-RED', options: { color: 'red' }, stock: 40, low_stock: 5 },
      { name: 'Blue', sku: 'WOOL-BLUE', options: { color: 'blue' }, stock: 3, low_stock: 5 },
      { name: 'Undyed', sku: 'WOOL-UNDYED', options: { color: 'undyed' }, price: 5.5, stock: 0 },
    ],
  ],
  [
    NEEDLES,
    [
      { name: '4 mm', sku: 'NEEDLES-4', options: { size: '4 mm' }, stock: 12 },
      { name: '6 mm', sku: 'NEEDLES-6', options: { size: '6 mm' }, price: 9.2, stock: 8 },
    ],
  ],
  // What is downloaded never runs out.
  [PATTERNS, [{ name: 'Download', sku: 'PATTERNS' }]],
]

/** Fills a small shop: a product in three colors, one in two sizes, and one to download that opens a feature. */
export async function seedShop(ctx: Context): Promise<void> {
  for (const [input, variants] of STOCK) {
    const product = await createProduct(ctx, input)
    for (const variant of variants) await createVariant(ctx, parseId(productId, product.id) ?? '', variant)
  }
}
