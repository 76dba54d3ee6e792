import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { linkNext } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { outOfStock, skuTaken, variantLimit } from '../errors.ts'
import { productId, variantId } from '../ids.ts'
import { getProduct } from '../products/queries.ts'
import { ById as ByProduct } from '../products/schema.ts'
import { getVariant, listVariants } from './queries.ts'
import { toMove, toVariant } from './rows.ts'
import { ById, MovesQuery, NewVariant, StockChange, StockMove, Variant, VariantChanges } from './schema.ts'
import { changeStock, createVariant, deleteVariant, updateVariant } from './service.ts'
import { listMoves } from './stock-queries.ts'

const tags = ['Shop']
const variantTag = defineTag('product_variants', VariantChanges)
const write = { access: { secret: 'write:commerce' } } as const

const current = (ctx: Context, id: string) => ({
  id,
  read: () => getVariant(ctx, id).map((row) => toVariant(row, true)),
})

export function variantRoutes(api: Api): void {
  api.get(
    '/shop/products/:id/variants',
    {
      config: { access: { secret: 'read:commerce', public: 'catalog', user: 'self' } },
      schema: {
        tags,
        operationId: 'listVariants',
        summary: 'List the variants of a product',
        description:
          'The oldest variant comes first; the answer has at most 100. Members and public keys get active variants and `available`. Only secret keys get the numbers of the stock.',
        params: ByProduct,
        response: { 200: envelope(Type.Array(Variant)) },
      },
    },
    async (request) => {
      const id = idFromPath(productId, request.params.id)
      const isTeam = request.key?.type === 'secret'
      const [product, variants] = await request.inProject((ctx) =>
        getProduct(ctx, id).and(listVariants(ctx, id)),
      )
      if (!product.is_active && !isTeam) throw notFound('Product')
      return ok(variants.filter((row) => isTeam || row.is_active).map((row) => toVariant(row, isTeam)))
    },
  )

  api.post(
    '/shop/products/:id/variants',
    {
      config: {
        oneTransaction: true,
        ...write,
        etag: variantTag,
        errors: [skuTaken, variantLimit],
      },
      schema: {
        tags,
        operationId: 'createVariant',
        summary: 'Add a variant to a product',
        description:
          'Without `stock`, the stock of the variant is not counted. Without `price`, the variant has the price of its product.',
        params: ByProduct,
        body: NewVariant,
        response: { 201: envelope(Variant) },
      },
    },
    async (request, reply) => {
      const id = idFromPath(productId, request.params.id)
      const variant = await request.inProject((ctx) => createVariant(ctx, id, request.body))
      return reply.code(201).send(ok(toVariant(variant, true)))
    },
  )

  api.get(
    '/shop/variants/:id',
    {
      config: { access: { secret: 'read:commerce' }, etag: variantTag },
      schema: {
        tags,
        operationId: 'getVariant',
        summary: 'Get a variant',
        description: 'The answer has the numbers of the stock.',
        params: ById,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const id = idFromPath(variantId, request.params.id)
      return ok(toVariant(await request.inProject((ctx) => getVariant(ctx, id)), true))
    },
  )

  api.patch(
    '/shop/variants/:id',
    {
      config: { ...write, etag: variantTag, errors: [skuTaken] },
      schema: {
        tags,
        operationId: 'updateVariant',
        summary: 'Change a variant',
        description: 'Only POST /shop/variants/{id}/stock changes the stock.',
        params: ById,
        body: VariantChanges,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const id = idFromPath(variantId, request.params.id)
      return ok(
        toVariant(
          await request.inProject((ctx) =>
            ifUnchanged(ctx, request, current(ctx, id), () => updateVariant(ctx, id, request.body)),
          ),
          true,
        ),
      )
    },
  )

  api.delete(
    '/shop/variants/:id',
    {
      config: { ...write, etag: variantTag },
      schema: {
        tags,
        operationId: 'deleteVariant',
        summary: 'Delete a variant',
        description: 'Existing orders keep their reserved stock.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(variantId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, current(ctx, id), () => deleteVariant(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )

  api.post(
    '/shop/variants/:id/stock',
    {
      config: { oneTransaction: true, ...write, etag: variantTag, errors: [outOfStock] },
      schema: {
        tags,
        operationId: 'changeStock',
        summary: 'Change the stock of a variant',
        description:
          'The change is written to the ledger with its reason. Stock that is reserved or sold cannot be removed. From the first change on, the stock of the variant is counted.',
        params: ById,
        body: StockChange,
        response: { 200: envelope(Variant) },
      },
    },
    async (request) => {
      const id = idFromPath(variantId, request.params.id)
      return ok(toVariant(await request.inProject((ctx) => changeStock(ctx, id, request.body)), true))
    },
  )

  api.get(
    '/shop/variants/:id/stock',
    {
      config: { access: { secret: 'read:commerce' } },
      schema: {
        tags,
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
      const id = idFromPath(variantId, request.params.id)
      const [, { rows, pagination }] = await request.inProject((ctx) =>
        getVariant(ctx, id).and(listMoves(ctx, { ...request.query, variant: id })),
      )
      linkNext(request, reply, pagination)
      return ok(rows.map(toMove))
    },
  )
}
