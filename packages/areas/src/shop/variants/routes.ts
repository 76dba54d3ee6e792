import { Type } from 'typebox'
import { limitReached } from '#platform/define-error.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { linkNext } from '#platform/http/page.ts'
import { credentialOf } from '#platform/http/viewer.ts'
import { outOfStock, skuTaken } from '../errors.ts'
import { variantId } from '../ids.ts'
import { getProduct } from '../products/queries.ts'
import { ById as ByProduct } from '../products/schema.ts'
import { getVariant, listVariants, patchVariant, toPublicVariant, toVariant } from './queries.ts'
import { ById, MovesQuery, NewVariant, StockChange, StockMove, Variant, VariantChanges } from './schema.ts'
import { changeStock, createVariant, deleteVariant, updateVariant } from './service.ts'
import { listMoves } from './stock.ts'

const etag = patchVariant.tag
const write = { access: { secret: 'write:commerce' } } as const

export function variantRoutes(api: Api): void {
  listVariantsRoute(api)
  createVariantRoute(api)
  getVariantRoute(api)
  updateVariantRoute(api)
  deleteVariantRoute(api)
  changeStockRoute(api)
  listStockMovesRoute(api)
}

function listVariantsRoute(api: Api): void {
  api.get(
    '/shop/products/:id/variants',
    {
      config: { access: { secret: 'read:commerce', public: 'catalog', user: 'self' } },
      schema: {
        operationId: 'listVariants',
        sdk: 'shop.variants.list',
        summary: 'List the variants of a product',
        description:
          'The oldest variant comes first; the answer has at most 100. Members and public keys get active variants and `available`. Only secret keys get the numbers of the stock.',
        params: ByProduct,
        response: { 200: envelope(Type.Array(Variant)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { isKey } = credentialOf(request)
      const { product, variants } = await request.read({
        product: getProduct({ id }),
        variants: listVariants({ product: id }),
      })
      if (isKey) return variants.map(toVariant)
      if (!product.is_active) throw notFound('Product')
      return variants.filter((row) => row.is_active).map(toPublicVariant)
    },
  )
}

function createVariantRoute(api: Api): void {
  api.post(
    '/shop/products/:id/variants',
    {
      config: {
        oneTransaction: true,
        ...write,
        etag,
        errors: [skuTaken, limitReached],
      },
      schema: {
        operationId: 'createVariant',
        sdk: 'shop.variants.create',
        summary: 'Add a variant to a product',
        description:
          'Without `stock`, the stock of the variant is not counted. Without `price`, the variant has the price of its product.',
        params: ByProduct,
        body: NewVariant,
        response: { 201: envelope(Variant) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => createVariant(ctx, id, request.body))
    },
  )
}

function getVariantRoute(api: Api): void {
  api.get(
    '/shop/variants/:id',
    {
      config: { access: { secret: 'read:commerce' }, etag },
      schema: {
        operationId: 'getVariant',
        summary: 'Get a variant',
        description: 'The answer has the numbers of the stock.',
        params: ById,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { variant } = await request.read({ variant: getVariant({ id }) })
      return variant
    },
  )
}

function updateVariantRoute(api: Api): void {
  api.patch(
    '/shop/variants/:id',
    {
      config: { ...write, etag, errors: [skuTaken] },
      schema: {
        operationId: 'updateVariant',
        summary: 'Change a variant',
        description: 'Only POST /shop/variants/{id}/stock changes the stock.',
        params: ById,
        body: VariantChanges,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { body: changes, ifMatch } = request
      return request.write((ctx) => updateVariant(ctx, { id, changes, ifMatch }))
    },
  )
}

function deleteVariantRoute(api: Api): void {
  api.delete(
    '/shop/variants/:id',
    {
      config: { ...write, etag },
      schema: {
        operationId: 'deleteVariant',
        summary: 'Delete a variant',
        description: 'Existing orders keep their reserved stock.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getVariant)
        await deleteVariant(ctx, id)
      })
      return deleted(variantId, id)
    },
  )
}

function changeStockRoute(api: Api): void {
  api.post(
    '/shop/variants/:id/stock',
    {
      config: { oneTransaction: true, ...write, etag, errors: [outOfStock] },
      schema: {
        operationId: 'changeStock',
        repeatCosts: true,
        summary: 'Change the stock of a variant',
        description:
          'The change is written to the ledger with its reason. Stock that is reserved or sold cannot be removed. From the first change on, the stock of the variant is counted.',
        params: ById,
        body: StockChange,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => changeStock(ctx, id, request.body))
    },
  )
}

function listStockMovesRoute(api: Api): void {
  api.get(
    '/shop/variants/:id/stock',
    {
      config: { access: { secret: 'read:commerce' } },
      schema: {
        operationId: 'listStockMoves',
        summary: 'Read the stock ledger of a variant',
        description:
          'The newest move comes first. The stock is the sum of `adjust`. The reserved stock is the sum of `reserve` minus `release` and `sell`. The sold stock is the sum of `sell` minus `restock`.',
        params: ById,
        querystring: MovesQuery,
        response: { 200: envelope(Type.Array(StockMove)) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { moves } = await request.read({
        variant: getVariant({ id }),
        moves: listMoves({ ...request.query, variant: id }),
      })
      linkNext(request, reply, moves.pagination)
      return moves.rows
    },
  )
}
