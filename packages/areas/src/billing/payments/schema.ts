import { type Static, Type } from 'typebox'
import { nullable, oneOf, Timestamp } from '#platform/http/envelope.ts'
import { MemberId } from '#platform/http/member-id.ts'

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
      description: 'The refunds of the order, finished or under way',
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
    publishable_key: Type.Optional(
      Type.String({
        description:
          'The publishable key of the payment account, for the script of the provider; present with `client_secret` if the account has one',
        examples: ['pk_test_TYooMQauvdEDq54NiTphI7jx'],
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

const { id, client_secret: _secret, publishable_key: _key, ...rest } = Payment.properties
const paidFor = {
  member_id: MemberId,
  bill_id: nullable(Type.String({ examples: ['bill_01jcq3k8f7e8qtk4m3hbw7rn2m'] })),
  order_id: nullable(
    Type.String({ examples: [null], description: 'The object of the payment: a bill or an order' }),
  ),
}

/** A payment as events tell it. */
export const PaymentData = Type.Object({ id, ...paidFor, ...rest }, { title: 'PaymentData' })
export type PaymentData = Static<typeof PaymentData>

/** A refund as events tell it. */
export const RefundData = Type.Object(
  {
    id: Type.String({ description: 'The id of a refund', examples: ['rfnd_01jcq3k8f7e8qtk4m3hbw7rn2y'] }),
    payment_id: id,
    ...paidFor,
    status: oneOf(['pending', 'succeeded', 'failed']),
    amount: Type.Number({ examples: [9.5] }),
    currency: Type.String({ examples: ['eur'] }),
    reason: nullable(Type.String({ examples: ['Broken on arrival'] })),
    provider_reference: nullable(
      Type.String({
        description: 'The refund or the dispute at the provider',
        examples: ['re_3MtwBwLkdIwHu7ix0T8'],
      }),
    ),
    created_at: Timestamp(),
  },
  { title: 'RefundData' },
)
export type RefundData = Static<typeof RefundData>

/** A dispute as events tell it. */
export const DisputeData = Type.Object(
  {
    ...PaymentData.properties,
    dispute: oneOf(['open', 'won', 'lost'], { description: '`lost`: the payer got the money back' }),
    disputed_amount: Type.Number({
      description: 'The product or service that the payer disputes',
      examples: [9.5],
    }),
    dispute_reference: Type.String({
      description: 'The dispute at the provider',
      examples: ['dp_1MtJUT2eZvKYlo2C8'],
    }),
  },
  { title: 'DisputeData' },
)
export type DisputeData = Static<typeof DisputeData>
