import { listPayments } from '#areas/billing/service.ts'
import { actingMember, whoActs, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { linkNext, listed } from '#platform/http/page.ts'
import { idFromPath } from '#platform/ids.ts'
import { orderId } from '../ids.ts'
import { getOwnOrder, NO_MEMBER } from './owner.ts'
import { listAll, listOwn } from './queries.ts'
import { toListed, toSummary } from './rows.ts'
import { AllOrders, AllQuery, ById, Order, OwnOrders, OwnQuery } from './schema.ts'
import { withPayment } from './shown.ts'

const tags = ['Shop']

export function orderRoutes(api: Api): void {
  api.get(
    '/shop/orders',
    {
      config: { access: { secret: 'read:commerce', user: 'self' }, actingMember: 'header', reads: 'replica' },
      schema: {
        tags,
        operationId: 'listOwnOrders',
        summary: "List a member's orders",
        description:
          'The newest order comes first. The next page is in the header `Link`. `GET /orders` lists the orders of all members.',
        querystring: OwnQuery,
        response: { 200: OwnOrders },
      },
    },
    async (request, reply) => {
      const who = whoActs(request)
      const [, { rows, pagination }] = await request.inProject((ctx) =>
        actingMember(ctx, who).and(listOwn(ctx, { ...request.query, member: who.memberId ?? NO_MEMBER })),
      )
      linkNext(request, reply, pagination)
      return { success: true as const, orders: rows.map(toListed) }
    },
  )

  api.get(
    '/shop/orders/:id',
    {
      config: { access: { secret: 'read:commerce', user: 'self' }, actingMember: 'optional header' },
      schema: {
        tags,
        operationId: 'getOrder',
        summary: 'Get an order',
        description:
          'A member gets own orders only. A key that names a member gets orders of that member only.',
        params: ById,
        response: { 200: envelope(Order) },
      },
    },
    async (request) => {
      const who = whoMayAct(request)
      const id = idFromPath(orderId, request.params.id)
      return ok(
        await request.inProject((ctx) =>
          getOwnOrder(ctx, who, id)
            .and(listPayments(ctx, { purpose: 'order', ids: [id] }))
            .map(([parts, payments]) => withPayment(parts, payments)),
        ),
      )
    },
  )

  api.get(
    '/orders',
    {
      config: { access: { secret: 'read:commerce' } },
      schema: {
        tags,
        operationId: 'listOrders',
        summary: 'List the orders of all members',
        description: 'The newest order comes first.',
        querystring: AllQuery,
        response: { 200: AllOrders },
      },
    },
    async (request) => listed(await request.inProject((ctx) => listAll(ctx, request.query)), toSummary),
  )
}
