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
    answered: Type.Integer({ description: 'Submissions with a value', examples: [3] }),
    values: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.String({ examples: ['5'] }),
          label: Type.String({ examples: ['5'] }),
          count: Type.Integer({ examples: [2] }),
        }),
        {
          description:
            'How often each was chosen: of choices in the order of the options, those of earlier versions last; of ratings and boxes too',
        },
      ),
    ),
    min: Type.Optional(Type.Number({ description: 'Of numbers and ratings', examples: [3] })),
    max: Type.Optional(Type.Number({ examples: [5] })),
    average: Type.Optional(Type.Number({ examples: [4.3] })),
  },
  { title: 'FieldSummary' },
)
export type FieldSummary = Static<typeof FieldSummary>

export const Summary = Type.Object(
  {
    submissions: Type.Integer({ description: 'Received in the range', examples: [3] }),
    spam: Type.Integer({ description: 'Kept apart in the range', examples: [1] }),
    fields: Type.Array(FieldSummary),
  },
  { title: 'FormSummary' },
)
export type Summary = Static<typeof Summary>
