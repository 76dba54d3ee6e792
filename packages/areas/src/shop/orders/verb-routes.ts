import { Type } from 'typebox'
import { accountKeyRefused, amountTooSmall, refundTooLarge } from '#areas/billing/errors.ts'
import type { PaymentHandlers } from '#platform/catalogue/payment-handler.ts'
import { whoMayAct } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, filledText, strict } from '#platform/http/envelope.ts'
import { invalidTransition, refundExceedsPaid, removedFromCourse } from '../errors.ts'
import { refundOrder } from '../refunds/refund.ts'
import { NewRefund } from '../refunds/schema.ts'
import { beginPayment, markPaid, type PaymentProviders, resumePayment, showOrder } from './payments.ts'
import { getOwnOrder, lockOwnOrder } from './queries.ts'
import { ById, Order } from './schema.ts'
import { cancelOrder, completeOrder, fulfillOrder } from './service.ts'

const response = { 200: envelope(Order) }
const team = { access: { secret: 'write:commerce' }, errors: [invalidTransition] } as const
const owner = {
  access: { secret: 'write:commerce', user: 'self' },
  actingMember: 'optional header',
  errors: [invalidTransition],
} as const

export const Reason = strict(
  { reason: Type.Optional(filledText({ maxLength: 500, examples: ['Changed my mind'] })) },
  { title: 'OrderReason', examples: [{ reason: 'Changed my mind' }] },
)
export const Shipment = strict(
  {
    tracking_number: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['1Z999'] })),
    tracking_url: Type.Optional(
      Type.String({
        pattern: '^https?://[^\\s]+$',
        maxLength: 2000,
        examples: ['https://example.com/track/1Z999'],
      }),
    ),
  },
  { title: 'Shipment', examples: [{ tracking_number: '1Z999' }] },
)

interface Parts {
  readonly providers: PaymentProviders
  readonly handlers: PaymentHandlers
}

/** What can be done with an order. Members pay and cancel their own; the rest is for keys. */
export function orderVerbRoutes(api: Api, deps: Parts): void {
  payOrderRoute(api, deps)
  cancelOrderRoute(api)
  markOrderPaidRoute(api, deps)
  fulfillOrderRoute(api)
  completeOrderRoute(api)
  refundOrderRoute(api, deps)
}

function payOrderRoute(api: Api, { providers }: Parts): void {
  api.post(
    '/shop/orders/:id/pay',
    {
      config: {
        ...owner,
        membersAlone: true,
        errors: [...owner.errors, accountKeyRefused, amountTooSmall, removedFromCourse],
      },
      schema: {
        operationId: 'payOrder',
        repeatCosts: true,
        summary: 'Start or resume the payment of an order',
        description: 'If money is taken by hand, the order waits until an operator marks it as paid.',
        params: ById,
        response,
      },
    },
    async (request) => {
      const who = whoMayAct(request)
      const { id } = request.params
      const order = await request.write(async (ctx) => {
        const parts = await getOwnOrder(ctx, { id, who })
        await resumePayment(ctx, parts)
        return showOrder(ctx, parts)
      })
      return beginPayment(providers, request, order)
    },
  )
}

function cancelOrderRoute(api: Api): void {
  api.post(
    '/shop/orders/:id/cancel',
    {
      config: owner,
      schema: {
        operationId: 'cancelOrder',
        summary: 'Cancel an order',
        description:
          'The stock and the use of the discount are released. A paid order cannot be canceled: refund it. But a secret key can cancel an order with the total 0, which was paid at once: the buyer loses its grants, and its products can be sold again.',
        params: ById,
        body: Reason,
        response,
      },
    },
    async (request) => {
      const who = whoMayAct(request)
      const { id } = request.params
      const why = who === undefined ? 'by_operator' : 'by_customer'
      return request.write(async (ctx) => {
        const parts = await lockOwnOrder(ctx, { id, who })
        if (who?.byToken && parts.order.status !== 'pending_payment')
          throw invalidTransition(undefined, {
            message: `The order is ${parts.order.status}: a member can cancel only an order that waits for payment`,
          })
        return showOrder(ctx, await cancelOrder(ctx, parts, why, request.body.reason))
      })
    },
  )
}

function markOrderPaidRoute(api: Api, { handlers }: Parts): void {
  api.post(
    '/shop/orders/:id/mark-paid',
    {
      config: team,
      schema: {
        operationId: 'markOrderPaid',
        summary: 'Mark an order as paid',
        description:
          'The buyer gets the grants of the order, and a receipt by mail. If the order was canceled, its stock is reserved again; if there is not enough stock, the answer is the canceled order with a refund.',
        params: ById,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => showOrder(ctx, await markPaid(ctx, handlers, id)))
    },
  )
}

function fulfillOrderRoute(api: Api): void {
  api.post(
    '/shop/orders/:id/fulfill',
    {
      config: team,
      schema: {
        operationId: 'fulfillOrder',
        summary: 'Mark an order as sent or handed over',
        description: 'The buyer gets a mail.',
        params: ById,
        body: Shipment,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => showOrder(ctx, await fulfillOrder(ctx, id, request.body)))
    },
  )
}

function completeOrderRoute(api: Api): void {
  api.post(
    '/shop/orders/:id/complete',
    {
      config: team,
      schema: {
        operationId: 'completeOrder',
        summary: 'Mark an order as completed',
        params: ById,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => showOrder(ctx, await completeOrder(ctx, id)))
    },
  )
}

function refundOrderRoute(api: Api, { handlers }: Parts): void {
  api.post(
    '/shop/orders/:id/refund',
    {
      config: {
        access: team.access,
        errors: [refundExceedsPaid, refundTooLarge],
      },
      schema: {
        operationId: 'refundOrder',
        repeatCosts: true,
        summary: 'Refund an order',
        description:
          'The request refunds the rest of the order, an amount, or the paid price of lines. A line that is refunded in full loses its grants. When everything is refunded, all grants end and the order is `refunded`. With `restock` the refunded products can be sold again.',
        params: ById,
        body: NewRefund,
        response,
      },
    },
    async (request) => {
      const { id } = request.params
      return request.write(async (ctx) => showOrder(ctx, await refundOrder(ctx, id, request.body, handlers)))
    },
  )
}
