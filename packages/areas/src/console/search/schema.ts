import { type Static, Type } from 'typebox'
import { nullable, strict } from '#platform/http/envelope.ts'
import { environmentParameter } from '../schema.ts'

export const SearchQuery = strict({
  environment: environmentParameter,
  q: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'An id, the id of a request, an address, a number of an order or a bill, a code, or words',
    examples: ['ada@example.com'],
  }),
})

export const FoundThing = Type.Object(
  {
    type: Type.String({ description: 'The kind of the thing', examples: ['member'] }),
    id: Type.String({ description: 'Its id', examples: ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d'] }),
    title: nullable(Type.String({ description: 'Its name', examples: ['Ada Lovelace <ada@example.com>'] })),
    parent_id: nullable(
      Type.String({
        description:
          'The thing on whose screen it is shown, such as the form of a submission, the course of a lesson, the order of a payment, the member of a session; else null',
        examples: ['form_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    exact: Type.Boolean({ description: 'True if it has exactly this id or number', examples: [false] }),
  },
  { title: 'FoundThing' },
)
export type FoundThing = Static<typeof FoundThing>
