import { amountTooSmall } from '#areas/billing/errors.ts'
import { RESERVE_HOURS } from '#areas/billing/service.ts'
import { whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import {
  cartChanged,
  cartEmpty,
  discountInvalid,
  MOST_OPEN_ORDERS,
  removedFromCourse,
  tooManyOpenOrders,
} from '../errors.ts'
import { type PaymentProviders, tryToBeginPayment } from '../orders/payments.ts'
import { Order } from '../orders/schema.ts'
import { Checkout, checkOut, RESERVED_MINUTES } from './checkout.ts'

export function checkoutRoutes(api: Api, providers: PaymentProviders): void {
  api.post(
    '/shop/checkout',
    {
      config: {
        access: { secret: 'write:commerce', user: 'self' },
        actingMember: 'header',
        membersAlone: true,
        errors: [
          cartEmpty,
          cartChanged,
          discountInvalid,
          amountTooSmall,
          tooManyOpenOrders,
          removedFromCourse,
        ],
      },
      schema: {
        operationId: 'checkOut',
        summary: 'Create an order from the cart',
        description: [
          'The stock is reserved until `reserved_until`, and the cart becomes empty. If the order is not paid by then, it is canceled and the items return to the cart.',
          `With a payment provider, the stock is reserved for ${RESERVED_MINUTES} minutes. If money is taken by hand, it is reserved for \`reserve_hours\` of the product or of the payment account (${RESERVE_HOURS} by default), and a member can have ${MOST_OPEN_ORDERS} unpaid orders.`,
          'If the payment provider cannot be reached, the answer is the order all the same, and `payment` has no `client_secret`: POST /shop/orders/{id}/pay starts the payment.',
          'If the order waits for payment and the cart is still empty, a second checkout answers the same order.',
          'An order with nothing to pay is paid at once.',
          'A course cannot be bought by a member whom a secret key has removed from it.',
        ].join(' '),
        body: Checkout,
        response: { 201: envelope(Order) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const made = await request.write((ctx) => checkOut(ctx, who, request.body))
      const order = made.isToBegin ? await tryToBeginPayment(providers, request, made.order) : made.order
      return order
    },
  )
}
