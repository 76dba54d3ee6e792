import { type Static, Type } from 'typebox'
import { filledText, strict } from '#platform/http/envelope.ts'

export const NewRefund = strict(
  {
    amount: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 99_999_999,
        description:
          'The amount to refund. Default: the paid price of the lines; without lines, the rest of the order',
        examples: [19.99],
      }),
    ),
    lines: Type.Optional(
      Type.Array(
        strict({
          id: Type.String({ examples: ['line_01jcq3k8f7e8qtk4m3hbw7rn2x'] }),
          quantity: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 10_000,
              description: 'Default: everything that is left of the line',
            }),
          ),
        }),
        { minItems: 1, maxItems: 100, description: 'The products that come back or were not delivered' },
      ),
    ),
    restock: Type.Optional(Type.Boolean({ description: 'True if the refunded products can be sold again' })),
    reason: Type.Optional(filledText({ maxLength: 500, examples: ['Broken on arrival'] })),
  },
  { title: 'NewOrderRefund', examples: [{ amount: 5, reason: 'Arrived late' }] },
)
export type NewRefund = Static<typeof NewRefund>
