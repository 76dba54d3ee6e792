import { listPayments } from '#areas/billing/service.ts'
import { actingMember, whoActs, whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { linkNext } from '#platform/http/page.ts'
import { getOwnOrder, listAll, listOwn, withPayment } from './queries.ts'
import { AllOrders, AllQuery, ById, Order, OwnOrders, OwnQuery } from './schema.ts'

export function orderRoutes(api: Api): void {
  listOwnOrdersRoute(api)
  getOrderRoute(api)
  listOrdersRoute(api)
}

function listOwnOrdersRoute(api: Api): void {
  api.get(
    '/shop/orders',
    {
      config: { access: { secret: 'read:commerce', user: 'self' }, actingMember: 'header', reads: 'replica' },
      schema: {
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
      // A request without an id is refused here.
      const member = who.memberId ?? (await request.read({ member: actingMember(who) })).member.id
      const { orders } = await request.read({
        member: actingMember(who),
        orders: listOwn({ ...request.query, member }),
      })
      linkNext(request, reply, orders.pagination)
      return { orders: orders.rows }
    },
  )
}

function getOrderRoute(api: Api): void {
  api.get(
    '/shop/orders/:id',
    {
      config: { access: { secret: 'read:commerce', user: 'self' }, actingMember: 'optional header' },
      schema: {
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
      const { id } = request.params
      const { parts, payments } = await request.read({
        parts: getOwnOrder({ id, who }),
        payments: listPayments({ purpose: 'order', ids: [id] }),
      })
      return withPayment(parts, payments)
    },
  )
}

function listOrdersRoute(api: Api): void {
  api.get(
    '/orders',
    {
      config: { access: { secret: 'read:commerce' } },
      schema: {
        operationId: 'listOrders',
        summary: 'List the orders of all members',
        description: 'The newest order comes first, unless `sort` says otherwise.',
        querystring: AllQuery,
        response: { 200: AllOrders },
      },
    },
    async (request) => {
      const { orders } = await request.read({ orders: listAll(request.query) })
      return orders
    },
  )
}
