import { type Static, Type } from 'typebox'
import { oneOf, strict } from '#platform/http/envelope.ts'

export const FIELD_TYPES = [
  'text',
  'textarea',
  'email',
  'url',
  'phone',
  'number',
  'date',
  'select',
  'multi_select',
  'checkbox',
  'radio',
  'rating',
  'file',
  'password',
  'hidden',
  'consent',
  'section',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'greater_than',
  'less_than',
  'is_empty',
  'is_not_empty',
] as const
export type Operator = (typeof OPERATORS)[number]

/** Begins with a letter, so that it is no name that an object has by itself. */
const FIELD_ID_PATTERN = '^[A-Za-z][A-Za-z0-9_-]*$'

export const FieldId = (options: object = {}) =>
  Type.String({
    pattern: FIELD_ID_PATTERN,
    maxLength: 64,
    description: 'The id of a field of this form',
    examples: ['email'],
    ...options,
  })

const Count = (description: string, maximum = 100_000) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description, examples: [200] }))

/** A number, or a date as text. */
const Bound = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | string>({ type: ['number', 'string'], maxLength: 10, description, examples: [1] }),
  )

const Validation = strict(
  {
    min: Bound('The least number, the first date, or the fewest choices'),
    max: Bound('The greatest number or rating (5 unless given), the last date, or the most choices'),
    min_length: Count('The fewest characters'),
    max_length: Count('The most characters'),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'A regular expression in RE2 syntax that the whole text must match; without look-around and back-references, so that it takes linear time',
        examples: ['[A-Z]{2}[0-9]{4}'],
      }),
    ),
    allowed_types: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 127,
          pattern: '^[a-z0-9.+-]+/([a-z0-9.+-]+|\\*)$',
          examples: ['application/pdf'],
        }),
        {
          minItems: 1,
          maxItems: 50,
          description: 'Types of files, like `image/*`; a file is what its bytes show',
        },
      ),
    ),
    max_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 4,
        description: 'Bytes of the largest file; 10 MiB unless given',
        examples: [5_000_000],
      }),
    ),
  },
  { title: 'FieldValidation', examples: [{ max_length: 200 }] },
)
export type Validation = Static<typeof Validation>

const Condition = strict(
  {
    field: FieldId({ description: 'A field that stands before this one' }),
    operator: oneOf(OPERATORS),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 1_000,
        description: 'What it is compared with; none for `is_empty` and `is_not_empty`',
        examples: ['ada@example.com'],
      }),
    ),
  },
  { title: 'FieldCondition' },
)
export type Condition = Static<typeof Condition>

const VisibleIf = strict(
  {
    match: Type.Optional(oneOf(['all', 'any'], { default: 'all' })),
    conditions: Type.Array(Condition, { minItems: 1, maxItems: 20 }),
  },
  {
    title: 'VisibleIf',
    description:
      'When the field is shown; evaluated on the server. The value of a hidden field is dropped and counts as empty in later conditions. A hidden section hides the fields below it, up to the next section',
    examples: [{ match: 'all', conditions: [{ field: 'email', operator: 'is_not_empty' }] }],
  },
)
export type VisibleIf = Static<typeof VisibleIf>

const Option = strict(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What is submitted',
      examples: ['red'],
    }),
    label: Type.Optional(
      Type.String({ maxLength: 200, description: 'What people read; the value unless given' }),
    ),
  },
  { title: 'FieldOption', examples: [{ value: 'red', label: 'Red' }] },
)

/** A field as it is given, stored and shown. What it must be beyond this, check-form.ts says. */
export const Field = strict(
  {
    id: FieldId({ description: 'Unique in the form; answers and columns of exports are kept under it' }),
    type: oneOf(FIELD_TYPES, { examples: ['email'] }),
    label: Type.String({ minLength: 1, maxLength: 500, examples: ['Your email'] }),
    required: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'While it is shown. A required checkbox or consent must be ticked',
        examples: [true],
      }),
    ),
    placeholder: Type.Optional(Type.String({ maxLength: 500, examples: ['ada@example.com'] })),
    help_text: Type.Optional(Type.String({ maxLength: 2_000, examples: ['We answer to it'] })),
    default: Type.Optional(
      Type.Unsafe<string | number | boolean | string[]>({
        // The serializer takes the first that fits, and to it an array fits a string.
        type: ['array', 'string', 'number', 'boolean'],
        items: { type: 'string', maxLength: 200 },
        maxLength: 10_000,
        maxItems: 200,
        description: 'The value where none is submitted',
        examples: ['ada@example.com'],
      }),
    ),
    options: Type.Optional(
      Type.Array(Option, { minItems: 1, maxItems: 200, description: 'Of select, multi_select and radio' }),
    ),
    validation: Type.Optional(Validation),
    visible_if: Type.Optional(VisibleIf),
  },
  {
    title: 'FormField',
    examples: [{ id: 'email', type: 'email', label: 'Your email', required: true }],
  },
)
export type Field = Static<typeof Field>

export const MAX_FIELDS = 200
