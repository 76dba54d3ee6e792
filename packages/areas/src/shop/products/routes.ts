import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { including } from '#platform/http/include.ts'
import { linkNext } from '#platform/http/page.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { slugTaken } from '../errors.ts'
import { productId } from '../ids.ts'
import { getProduct, getShownProduct, listProducts, listProductsWithMore } from './queries.ts'
import { ById, FullProduct, INCLUDES, ListQuery, NewProduct, ProductChanges, ProductList } from './schema.ts'
import { createProduct, deleteProduct, updateProduct } from './service.ts'

const productTag = defineTag('products', ProductChanges)
const read = { access: { secret: 'read:commerce', public: 'catalog', user: 'self' } } as const
const errors = [slugTaken]
const write = { access: { secret: 'write:commerce' } } as const

export function productRoutes(api: Api): void {
  listProductsRoute(api)
  createProductRoute(api)
  getProductRoute(api)
  updateProductRoute(api)
  deleteProductRoute(api)
}

function listProductsRoute(api: Api): void {
  api.get(
    '/shop/products',
    {
      config: { ...read, reads: 'replica', rowBytes: 12 * 1024 },
      schema: {
        operationId: 'listProducts',
        summary: 'List products',
        description:
          'The newest product comes first. The list has active products; a secret key can list the others with `is_active=false`. The next page is in the header `Link`.',
        querystring: ListQuery,
        response: { 200: ProductList },
      },
    },
    async (request, reply) => {
      const { include, ...asked } = request.query
      const { isKey } = credentialOf(request)
      const wanted = { ...asked, is_active: isKey ? (asked.is_active ?? true) : true }
      const { page } = await request.read({
        page: include === undefined ? listProducts(wanted) : listProductsWithMore(wanted),
      })
      linkNext(request, reply, page.pagination)
      const products = include === undefined ? page.rows : page.rows.map(including(INCLUDES, include))
      return { products }
    },
  )
}

function createProductRoute(api: Api): void {
  api.post(
    '/shop/products',
    {
      config: { oneTransaction: true, ...write, etag: productTag, errors },
      schema: {
        operationId: 'createProduct',
        summary: 'Create a product',
        description:
          'By default a product is active and sold in usd. Without `slug`, the slug is made from the name; if another product has this slug, random characters are added. The stock of a product without variants is not counted.',
        body: NewProduct,
        response: { 201: envelope(FullProduct) },
      },
    },
    async (request) => {
      return request.write((ctx) => createProduct(ctx, request.body))
    },
  )
}

function getProductRoute(api: Api): void {
  api.get(
    '/shop/products/:id',
    {
      config: { ...read, etag: productTag },
      schema: {
        operationId: 'getProduct',
        summary: 'Get a product',
        description:
          'Members and public keys get active products only, and see no plan in `grants` that is not public.',
        params: ById,
        response: { 200: envelope(FullProduct) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { isKey } = credentialOf(request)
      const { product } = await request.read({
        product: isKey ? getProduct({ id }) : getShownProduct({ id }),
      })
      if (!product.is_active && !isKey) throw notFound('Product')
      return product
    },
  )
}

function updateProductRoute(api: Api): void {
  api.patch(
    '/shop/products/:id',
    {
      config: { ...write, etag: productTag, errors },
      schema: {
        operationId: 'updateProduct',
        summary: 'Change a product',
        description:
          'Existing orders keep the product as it was bought. Customers with the product in the cart see a new price before they pay. Another `currency` needs a `price`, and no variant may have its own price.',
        params: ById,
        body: ProductChanges,
        response: { 200: envelope(FullProduct) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getProduct)
        return updateProduct(ctx, id, request.body)
      })
    },
  )
}

function deleteProductRoute(api: Api): void {
  api.delete(
    '/shop/products/:id',
    {
      config: { ...write, etag: productTag },
      schema: {
        operationId: 'deleteProduct',
        summary: 'Delete a product',
        description: 'Existing orders keep the name and price of the product.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getProduct)
        await deleteProduct(ctx, id)
      })
      return deleted(productId, id)
    },
  )
}
