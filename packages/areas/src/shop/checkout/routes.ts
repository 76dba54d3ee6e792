import { accountKeyRefused } from '#areas/billing/errors.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { cartChanged, cartEmpty, discountInvalid } from '../errors.ts'
import { beginPayment, type PaymentProviders } from '../orders/payments/begin-payment.ts'
import { Order } from '../orders/schema.ts'
import { checkOut } from './checkout.ts'
import { Checkout } from './schema.ts'

export function checkoutRoutes(api: Api, providers: PaymentProviders): void {
  api.post(
    '/shop/checkout',
    {
      config: {
        access: { secret: 'write:commerce', user: 'self' },
        actingMember: 'header',
        errors: [cartEmpty, cartChanged, discountInvalid, accountKeyRefused],
      },
      schema: {
        tags: ['Shop'],
        operationId: 'checkOut',
        summary: 'Create an order from the cart',
        description: [
          'The stock is reserved for 15 minutes, and the cart becomes empty. If the order is not paid by then, it is canceled and the items return to the cart.',
          'If the order waits for payment and the cart is still empty, a second checkout answers the same order.',
          'An order with nothing to pay is paid at once.',
        ].join(' '),
        body: Checkout,
        response: { 201: envelope(Order) },
      },
    },
    async (request, reply) => {
      const who = whoActs(request)
      const made = await request.inProject((ctx) => checkOut(ctx, who, request.body))
      const order = made.isToBegin
        ? await beginPayment(providers, (work) => request.inProject(work), made.order)
        : made.order
      return reply.code(201).send(ok(order))
    },
  )
}
