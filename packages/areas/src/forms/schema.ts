import { type Static, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { includeParameter } from '#platform/http/include.ts'
import { createdParameters, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { pageParameters, Truncated } from '#platform/http/page.ts'
import { Field, FieldId, MAX_FIELDS } from './builder/field-schema.ts'
import { formId } from './ids.ts'

export const FORM_TYPES = ['signup', 'contact', 'feedback', 'custom'] as const
export type FormType = (typeof FORM_TYPES)[number]
export const FORM_STATUSES = ['published', 'draft', 'archived'] as const
export type FormStatus = (typeof FORM_STATUSES)[number]

export const FormId = Type.String({
  description: 'The id of a form',
  examples: ['form_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})
const Name = Type.String({ minLength: 1, maxLength: 200, examples: ['Contact us'] })
const Description = Type.String({ maxLength: 2_000, examples: ['We answer within a day'] })
const FormTypeField = oneOf(FORM_TYPES, {
  description: 'The purpose of the form; a `signup` form creates members',
  examples: ['contact'],
})
const Fields = Type.Array(Field, {
  maxItems: MAX_FIELDS,
  limited: 'fields of one form',
  description: 'The fields, in the order in which they are shown',
})
const Version = Type.Integer({
  description: 'The version that visitors see; 0 until the form is published',
  examples: [1],
})
const SubmissionCount = Type.Integer({
  description: 'The number of submissions, without spam',
  examples: [3],
})

const Spam = strict(
  {
    honeypot: Type.Optional(
      FieldId({
        description:
          'The name of an input that the page hides from people. A submission with a value for it is spam',
        examples: ['website_url'],
      }),
    ),
    min_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        default: 0,
        description:
          'A submission is spam if it comes in less than this number of seconds after the form was read, or without the token of the form',
      }),
    ),
    duplicate_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 60,
        description:
          'A submission is spam if the same sender submits the same values again within this number of seconds; 0 turns this off. With a secret key the sender is known by `member_id` or `X-Client-IP`',
      }),
    ),
  },
  { title: 'SpamSettings', examples: [{ honeypot: 'website_url', min_seconds: 3 }] },
)

const SignUpSettings = strict(
  {
    email_field: FieldId({ description: 'A required field of type email', examples: ['email'] }),
    password_field: Type.Optional(
      FieldId({ description: 'A required field of type password', examples: ['password'] }),
    ),
    full_name_field: Type.Optional(FieldId({ description: 'A field of type text', examples: ['name'] })),
  },
  {
    title: 'SignUpSettings',
    description: 'For forms of type `signup`: which fields give the values of the member',
    examples: [{ email_field: 'email' }],
  },
)

const Settings = strict(
  {
    submit_button_text: Type.Optional(Type.String({ maxLength: 200, examples: ['Send'] })),
    success_message: Type.Optional(Type.String({ maxLength: 2_000, examples: ['Thank you!'] })),
    redirect_url: Type.Optional(
      Type.String({
        format: 'web-url',
        maxLength: 2_048,
        description: 'The address to which the page leads after a submission',
        examples: ['https://example.com/thanks'],
      }),
    ),
    spam: Type.Optional(Spam),
    signup: Type.Optional(SignUpSettings),
  },
  { title: 'FormSettings', examples: [{ submit_button_text: 'Send', success_message: 'Thank you!' }] },
)
export type Settings = Static<typeof Settings>

export const FormListItem = Type.Object(
  {
    id: FormId,
    name: Name,
    description: Description,
    type: FormTypeField,
    status: oneOf(FORM_STATUSES),
    submission_count: SubmissionCount,
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'FormListItem' },
)
export type FormListItem = Static<typeof FormListItem>

/** What the answer of the contract leaves out, and `include` brings. */
export const INCLUDES = [
  'type',
  'status',
  'version',
  'submission_count',
  'updated_at',
  'published_at',
] as const
const byInclude = (field: (typeof INCLUDES)[number]) => `Present with \`include=${field}\``

export const FormDetail = Type.Object(
  {
    id: FormId,
    name: Name,
    description: Description,
    fields: Fields,
    settings: Settings,
    created_at: Timestamp(),
    type: Type.Optional({ ...FormTypeField, description: byInclude('type') }),
    status: Type.Optional(oneOf(FORM_STATUSES, { description: byInclude('status') })),
    version: Type.Optional({ ...Version, description: byInclude('version') }),
    submission_count: Type.Optional({ ...SubmissionCount, description: byInclude('submission_count') }),
    updated_at: Type.Optional(Timestamp({ description: byInclude('updated_at') })),
    published_at: Type.Optional(
      nullable(Timestamp({ description: `When this version was published. ${byInclude('published_at')}` })),
    ),
  },
  { title: 'FormDetail' },
)

/** What builders are answered, and events tell. */
export const Form = Type.Object(
  {
    id: FormId,
    name: Name,
    description: Description,
    type: FormTypeField,
    status: oneOf(FORM_STATUSES),
    fields: Fields,
    settings: Settings,
    version: Version,
    submission_count: SubmissionCount,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    published_at: nullable(Timestamp({ description: 'When this version was published' })),
  },
  { title: 'Form' },
)
export type Form = Static<typeof Form>

export const FormVersion = Type.Object(
  { version: Version, fields: Fields, settings: Settings, created_at: Timestamp(), truncated: Truncated },
  { title: 'FormVersion' },
)
export type FormVersion = Static<typeof FormVersion>

export const FormSchema = Type.Object(
  {
    id: FormId,
    name: Name,
    description: Description,
    type: FormTypeField,
    version: Version,
    fields: Fields,
    settings: Type.Object({
      submit_button_text: Type.Optional(Type.String()),
      success_message: Type.Optional(Type.String()),
      redirect_url: Type.Optional(Type.String()),
    }),
    honeypot: Type.Optional(
      Type.String({
        description: 'The name of an input that the page hides from people',
        examples: ['website_url'],
      }),
    ),
    token: Type.String({
      description: 'Send it with the submission; it says when the form was shown',
      examples: ['1795251600.dGhpcyBpcyBub3QgYSB0b2tlbg'],
    }),
  },
  { title: 'FormSchema', description: 'The data that a page needs to show the form' },
)
export type FormSchema = Static<typeof FormSchema>

export const NewForm = strict(
  {
    name: Name,
    description: Type.Optional(Description),
    type: Type.Optional(oneOf(FORM_TYPES, { default: 'custom', description: 'The purpose of the form' })),
    fields: Type.Optional(Fields),
    settings: Type.Optional(Settings),
  },
  {
    title: 'NewForm',
    examples: [
      {
        name: 'Contact us',
        type: 'contact',
        fields: [
          { id: 'email', type: 'email', label: 'Your email', required: true },
          { id: 'message', type: 'textarea', label: 'Message', validation: { max_length: 5_000 } },
        ],
        settings: { submit_button_text: 'Send', success_message: 'Thank you!' },
      },
    ],
  },
)
export type NewForm = Static<typeof NewForm>

/** Each setting, or null, which removes it. */
const SettingsChanges = strict(
  {
    submit_button_text: Type.Optional(nullable(Settings.properties.submit_button_text)),
    success_message: Type.Optional(nullable(Settings.properties.success_message)),
    redirect_url: Type.Optional(nullable(Settings.properties.redirect_url)),
    spam: Type.Optional(nullable({ ...Spam, title: 'SpamSettingsChange' })),
    signup: Type.Optional(nullable({ ...SignUpSettings, title: 'SignUpSettingsChange' })),
  },
  {
    title: 'FormSettingsChanges',
    description: 'These settings are changed; a setting set to null is removed; other settings are kept',
  },
)
export type SettingsChanges = Static<typeof SettingsChanges>

export const FormChanges = strict(
  {
    name: Type.Optional(Name),
    description: Type.Optional(unsettable(Description)),
    type: Type.Optional(FormTypeField),
    fields: Type.Optional(Fields),
    settings: Type.Optional(SettingsChanges),
  },
  { title: 'FormChanges', examples: [{ settings: { success_message: 'We have got it' } }] },
)
export type FormChanges = Static<typeof FormChanges>

export const GetQuery = strict({ include: includeParameter(INCLUDES) })

export const ById = strict({ id: pathId(formId, FormId) })

export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(FORM_STATUSES, { description: 'Only forms with this status' })),
  type: Type.Optional(oneOf(FORM_TYPES, { description: 'Only forms of this type' })),
  search: searchIn('the name'),
  ...createdParameters,
  ...sortParameters(['created_at', 'name', 'updated_at']),
})
export type ListQuery = Static<typeof ListQuery>
