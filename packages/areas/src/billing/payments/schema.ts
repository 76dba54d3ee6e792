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
        '`requires_action`: the payer must enter or confirm something, with `client_secret`; `pending`: the payment is not decided yet',
    }),
    amount: Type.Number({ examples: [9.5] }),
    amount_refunded: Type.Number({
      description: 'What was refunded, or is being refunded',
      examples: [0],
    }),
    currency: Type.String({ examples: ['eur'] }),
    client_secret: Type.Optional(
      Type.String({
        description:
          'For the script of the provider in the browser; present only while the payer must do something',
        examples: ['pi_3Mt_secret_YrK'],
      }),
    ),
    provider_reference: nullable(Type.String({ examples: ['pi_3MtwBwLkdIwHu7ix28a3tqPa'] })),
    failure: nullable(
      Type.String({
        description: 'Why the payment failed, in the words of the provider',
        examples: ['card_declined'],
      }),
    ),
    dispute: nullable(
      oneOf(['open', 'won', 'lost'], {
        description:
          'The state of a dispute, in which the payer asked their bank for the money back. `open`: the bank has not decided; `lost`: the payer got the money back, which counts as refunded; null: there is no dispute',
      }),
    ),
    dispute_reason: nullable(
      Type.String({
        description: 'The reason of the dispute, in the words of the provider',
        examples: ['product_not_received'],
      }),
    ),
    created_at: Timestamp(),
  },
  { title: 'Payment' },
)
export type Payment = Static<typeof Payment>
