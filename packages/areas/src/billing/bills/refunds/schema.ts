import { type Static, Type } from 'typebox'
import { filledText, nullable, oneOf, strict, Timestamp } from '#platform/http/envelope.ts'

const Amount = (options: object = {}) =>
  Type.Number({ exclusiveMinimum: 0, maximum: 99_999_999, examples: [5], ...options })
export const LineId = Type.String({
  description: 'The id of a line of a bill',
  examples: ['bline_01jcq3k8f7e8qtk4m3hbw7rn2s'],
})
export const RefundId = Type.String({
  description: 'The id of a refund',
  examples: ['rfnd_01jcq3k8f7e8qtk4m3hbw7rn2t'],
})

/** A refund of a bill. */
export const BillRefund = Type.Object(
  {
    id: RefundId,
    amount: Type.Number({ examples: [5] }),
    to: oneOf(['payment', 'credit'], {
      description:
        '`payment`: the money goes back to its payer; `credit`: the member has it for the next bills',
    }),
    status: oneOf(['pending', 'succeeded', 'failed'], {
      description: '`failed`: the payer does not have the money, so that it can be refunded again',
    }),
    cause: oneOf(['request', 'provider', 'dispute'], {
      description:
        '`request`: with this API; `provider`: an operator refunded it there; `dispute`: a bank gave it back',
    }),
    lines: Type.Array(Type.Object({ id: LineId, amount: Type.Number({ examples: [5] }) }), {
      description: 'The refunded amount of each line of the bill',
    }),
    reason: nullable(Type.String({ examples: ['The service was down on Monday'] })),
    created_at: Timestamp(),
  },
  { title: 'BillRefund' },
)

export const NewBillRefund = strict(
  {
    to: oneOf(['payment', 'credit'], {
      description: '`payment`: pay the money back; `credit`: keep it for the next bills of the member',
      examples: ['payment'],
    }),
    amount: Type.Optional(
      Amount({
        description:
          'The amount to refund. Default: the rest of the lines; without lines, the rest of the bill',
      }),
    ),
    lines: Type.Optional(
      Type.Array(
        strict({
          id: LineId,
          amount: Type.Optional(Amount({ description: 'Default: everything that is left of the line' })),
        }),
        { minItems: 1, maxItems: 20, description: 'The lines to refund. Default: all lines, in their order' },
      ),
    ),
    reason: Type.Optional(filledText({ maxLength: 500, examples: ['The service was down on Monday'] })),
  },
  {
    title: 'NewBillRefund',
    examples: [{ to: 'credit', amount: 5, reason: 'The service was down on Monday' }],
  },
)
export type NewBillRefund = Static<typeof NewBillRefund>
