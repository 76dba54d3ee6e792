import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'
import { FIELD_TYPES, FieldId } from '../builder/field-schema.ts'
import { submissionFilter } from '../submissions/schema.ts'

export const SummaryQuery = strict({
  start_date: submissionFilter.start_date,
  end_date: submissionFilter.end_date,
})

const FieldSummary = Type.Object(
  {
    id: FieldId(),
    label: Type.String({ examples: ['How did you like it?'] }),
    type: oneOf(FIELD_TYPES, { examples: ['rating'] }),
    answered: Type.Integer({ description: 'The number of submissions with a value', examples: [3] }),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.String({ examples: ['5'] }),
          label: Type.String({ examples: ['5'] }),
          count: Type.Integer({ examples: [2] }),
        }),
        {
          description:
            'How often each value was chosen. Options are in their order, and options of earlier versions come last. Ratings and checkboxes have counts too',
        },
      ),
    ),
    min: Type.Optional(
      Type.Number({ description: 'The smallest value; for numbers and ratings', examples: [3] }),
    ),
    max: Type.Optional(Type.Number({ examples: [5] })),
    average: Type.Optional(Type.Number({ examples: [4.3] })),
  },
  { title: 'FieldSummary' },
)
export type FieldSummary = Static<typeof FieldSummary>

export const Summary = Type.Object(
  {
    submissions: Type.Integer({ description: 'The number of submissions in the range', examples: [3] }),
    spam: Type.Integer({ description: 'The number of spam submissions in the range', examples: [1] }),
    fields: Type.Array(FieldSummary),
  },
  { title: 'FormSummary' },
)
export type Summary = Static<typeof Summary>
