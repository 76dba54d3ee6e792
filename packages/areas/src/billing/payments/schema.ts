import { type Static, Type } from 'typebox'
import { nullable, oneOf, Timestamp } from '#platform/http/envelope.ts'

export const PAYMENT_STATUSES = ['requires_action', 'pending', 'succeeded', 'failed', 'canceled'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** What money is asked for. */
export type Purpose = 'bill' | 'order'

export const Payment = Type.Object(
  {
    id: Type.String({ description: 'The id of a payment', examples: ['pay_01jcq3k8f7e8qtk4m3hbw7rn2m'] }),
    status: oneOf(PAYMENT_STATUSES, {
      description:
        '`requires_action`: the payer has to enter or confirm something, with `client_secret`; `pending`: the provider, or whoever takes money by hand, has not decided yet',
    }),
    amount: Type.Number({ examples: [9.5] }),
    amount_refunded: Type.Number({
      description: 'What was given back, or is on its way back',
      examples: [0],
    }),
    currency: Type.String({ examples: ['eur'] }),
    client_secret: Type.Optional(
      Type.String({
        description: 'For the provider’s own code in the browser; only while the payer has something to do',
        examples: ['pi_3Mt_secret_YrK'],
      }),
    ),
    provider_reference: nullable(Type.String({ examples: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] })),
    failure: nullable(
      Type.String({ description: 'Why it failed, in the provider’s word', examples: ['card_declined'] }),
    ),
    created_at: Timestamp(),
  },
  { title: 'Payment' },
)
export type Payment = Static<typeof Payment>
