import { type Static, Type } from 'typebox'
import { strict } from '#platform/http/envelope.ts'
import { NewAddresses } from '../orders/schema.ts'

export const Checkout = strict(
  {
    addresses: Type.Optional(NewAddresses),
    note: Type.Optional(Type.String({ maxLength: 2000, examples: ['Please ring twice'] })),
    payment_account_id: Type.Optional(
      Type.String({
        description: 'The account with which the order is paid. Default: the default account of the project',
        examples: ['pacc_01jcq3k8f7e8qtk4m3hbw7rn31'],
      }),
    ),
    save_payment_method: Type.Optional(
      Type.Boolean({
        description:
          'Whether the provider saves the card of the buyer for later purchases. Default: false. The cards of subscriptions do not change',
      }),
    ),
  },
  { title: 'Checkout', examples: [{ note: 'Please ring twice' }] },
)
export type Checkout = Static<typeof Checkout>
