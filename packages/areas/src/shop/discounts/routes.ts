import type { Context } from '#platform/db/tenant.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { defineTag, ifUnchanged } from '#platform/http/etag.ts'
import { listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { codeTaken } from '../errors.ts'
import { discountId } from '../ids.ts'
import { getDiscount, listDiscounts } from './queries.ts'
import { toDiscount } from './rows.ts'
import { ById, Discount, DiscountChanges, ListQuery, NewDiscount } from './schema.ts'
import { createDiscount, deleteDiscount, updateDiscount } from './service.ts'

const tags = ['Shop']
const discountTag = defineTag('discounts', DiscountChanges)
const read = { access: { secret: 'read:commerce' } } as const
const write = { access: { secret: 'write:commerce' } } as const
const errors = [codeTaken]

const current = (ctx: Context, id: string) => ({ id, read: () => getDiscount(ctx, id).map(toDiscount) })

export function discountRoutes(api: Api): void {
  api.get(
    '/shop/discounts',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listDiscounts',
        summary: 'List discounts',
        description: 'The newest discount comes first.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Discount) },
      },
    },
    async (request) =>
      listed(await request.inProject((ctx) => listDiscounts(ctx, request.query)), toDiscount),
  )

  api.post(
    '/shop/discounts',
    {
      config: { oneTransaction: true, ...write, etag: discountTag, errors },
      schema: {
        tags,
        operationId: 'createDiscount',
        summary: 'Create a discount',
        description:
          'A discount is a percentage or an amount. A cart has one discount at a time. A use is counted at checkout, and is not counted any more when the order is canceled.',
        body: NewDiscount,
        response: { 201: envelope(Discount) },
      },
    },
    async (request, reply) => {
      const discount = await request.inProject((ctx) => createDiscount(ctx, request.body))
      return reply.code(201).send(ok(discount))
    },
  )

  api.get(
    '/shop/discounts/:id',
    {
      config: { ...read, etag: discountTag },
      schema: {
        tags,
        operationId: 'getDiscount',
        summary: 'Get a discount',
        params: ById,
        response: { 200: envelope(Discount) },
      },
    },
    async (request) => {
      const id = idFromPath(discountId, request.params.id)
      return ok(toDiscount(await request.inProject((ctx) => getDiscount(ctx, id))))
    },
  )

  api.patch(
    '/shop/discounts/:id',
    {
      config: { ...write, etag: discountTag, errors },
      schema: {
        tags,
        operationId: 'updateDiscount',
        summary: 'Change a discount',
        description: 'Existing orders keep their discount.',
        params: ById,
        body: DiscountChanges,
        response: { 200: envelope(Discount) },
      },
    },
    async (request) => {
      const id = idFromPath(discountId, request.params.id)
      return ok(
        await request.inProject((ctx) =>
          ifUnchanged(ctx, request, current(ctx, id), () => updateDiscount(ctx, id, request.body)),
        ),
      )
    },
  )

  api.delete(
    '/shop/discounts/:id',
    {
      config: { ...write, etag: discountTag },
      schema: {
        tags,
        operationId: 'deleteDiscount',
        summary: 'Delete a discount',
        description: 'Existing orders keep their discount.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(discountId, request.params.id)
      await request.inProject((ctx) =>
        ifUnchanged(ctx, request, current(ctx, id), () => deleteDiscount(ctx, id)),
      )
      return deleted(request.params.id)
    },
  )
}
