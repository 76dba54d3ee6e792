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
    min: Bound('The smallest number, the earliest date, or the smallest number of choices'),
    max: Bound('The largest number or rating (default 5), the latest date, or the largest number of choices'),
    min_length: Count('The smallest number of characters'),
    max_length: Count('The largest number of characters'),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'A regular expression in RE2 syntax that must match the whole text. RE2 has no look-around and no back-references, and always runs in linear time',
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
          description: 'Allowed file types, like `image/*`; the type of a file is detected from its bytes',
        },
      ),
    ),
    max_size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1024 ** 4,
        description: 'The largest file in bytes. Default: 10 MiB',
        examples: [5_000_000],
      }),
    ),
  },
  { title: 'FieldValidation', examples: [{ max_length: 200 }] },
)
export type Validation = Static<typeof Validation>

const Condition = strict(
  {
    field: FieldId({ description: 'The id of a field that comes before this one' }),
    operator: oneOf(OPERATORS),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean>({
        type: ['string', 'number', 'boolean'],
        maxLength: 1_000,
        description: 'The value to compare with; not allowed with `is_empty` and `is_not_empty`',
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
      'When the field is shown. The server evaluates the conditions. The value of a hidden field is removed and counts as empty in later conditions. A hidden section hides the fields after it, up to the next section',
    examples: [{ match: 'all', conditions: [{ field: 'email', operator: 'is_not_empty' }] }],
  },
)
export type VisibleIf = Static<typeof VisibleIf>

const Option = strict(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The value that is submitted',
      examples: ['red'],
    }),
    label: Type.Optional(
      Type.String({ maxLength: 200, description: 'The text that people read. Default: the value' }),
    ),
  },
  { title: 'FieldOption', examples: [{ value: 'red', label: 'Red' }] },
)

/** A field as it is given, stored and shown. What it must be beyond this, check-form.ts says. */
export const Field = strict(
  {
    id: FieldId({
      description: 'The id is unique in the form. Values and columns of exports are stored under it',
    }),
    type: oneOf(FIELD_TYPES, { examples: ['email'] }),
    label: Type.String({ minLength: 1, maxLength: 500, examples: ['Your email'] }),
    required: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: the field needs a value while it is shown. A required checkbox or consent must be ticked',
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
        description: 'The value if none is submitted',
        examples: ['ada@example.com'],
      }),
    ),
    options: Type.Optional(
      Type.Array(Option, {
        minItems: 1,
        maxItems: 200,
        description: 'The options of a select, multi_select or radio field',
      }),
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
