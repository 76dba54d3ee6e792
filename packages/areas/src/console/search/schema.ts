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
          'The form of a submission, the course of a lesson or an enrollment, the thread of a comment, the webhook of a delivery; null for everything else',
        examples: ['form_01jcq3k8f7e8qtk4m3hbw7rn2d'],
      }),
    ),
    exact: Type.Boolean({ description: 'True if it has exactly this id or number', examples: [false] }),
  },
  { title: 'FoundThing' },
)
export type FoundThing = Static<typeof FoundThing>
