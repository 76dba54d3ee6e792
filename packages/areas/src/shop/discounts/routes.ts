import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged, defineTag } from '#platform/http/etag.ts'
import { codeTaken } from '../errors.ts'
import { discountId } from '../ids.ts'
import { getDiscount, listDiscounts } from './queries.ts'
import { ById, Discount, DiscountChanges, ListQuery, NewDiscount } from './schema.ts'
import { createDiscount, deleteDiscount, updateDiscount } from './service.ts'

const discountTag = defineTag('discounts', DiscountChanges)
const read = { access: { secret: 'read:commerce' } } as const
const write = { access: { secret: 'write:commerce' } } as const
const errors = [codeTaken]

export function discountRoutes(api: Api): void {
  listDiscountsRoute(api)
  createDiscountRoute(api)
  getDiscountRoute(api)
  updateDiscountRoute(api)
  deleteDiscountRoute(api)
}

function listDiscountsRoute(api: Api): void {
  api.get(
    '/shop/discounts',
    {
      config: read,
      schema: {
        operationId: 'listDiscounts',
        summary: 'List discounts',
        description: 'The newest discount comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Discount) },
      },
    },
    async (request) => {
      const { discounts } = await request.read({ discounts: listDiscounts(request.query) })
      return discounts
    },
  )
}

function createDiscountRoute(api: Api): void {
  api.post(
    '/shop/discounts',
    {
      config: { oneTransaction: true, ...write, etag: discountTag, errors },
      schema: {
        operationId: 'createDiscount',
        summary: 'Create a discount',
        description:
          'A discount is a percentage or an amount. A cart has one discount at a time. A use is counted at checkout, and is not counted any more when the order is canceled.',
        body: NewDiscount,
        response: { 201: envelope(Discount) },
      },
    },
    async (request) => {
      return request.write((ctx) => createDiscount(ctx, request.body))
    },
  )
}

function getDiscountRoute(api: Api): void {
  api.get(
    '/shop/discounts/:id',
    {
      config: { ...read, etag: discountTag },
      schema: {
        operationId: 'getDiscount',
        summary: 'Get a discount',
        params: ById,
        response: { 200: envelope(Discount) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { discount } = await request.read({ discount: getDiscount({ id }) })
      return discount
    },
  )
}

function updateDiscountRoute(api: Api): void {
  api.patch(
    '/shop/discounts/:id',
    {
      config: { ...write, etag: discountTag, errors },
      schema: {
        operationId: 'updateDiscount',
        summary: 'Change a discount',
        description: 'Existing orders keep their discount.',
        params: ById,
        body: DiscountChanges,
        response: { 200: envelope(Discount) },
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getDiscount)
        return updateDiscount(ctx, id, request.body)
      })
    },
  )
}

function deleteDiscountRoute(api: Api): void {
  api.delete(
    '/shop/discounts/:id',
    {
      config: { ...write, etag: discountTag },
      schema: {
        operationId: 'deleteDiscount',
        summary: 'Delete a discount',
        description: 'Existing orders keep their discount.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getDiscount)
        await deleteDiscount(ctx, id)
      })
      return deleted(discountId, id)
    },
  )
}
