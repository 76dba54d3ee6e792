import { type Static, Type } from 'typebox'
import { envelope, nullable, oneOf, strict, Timestamp, unsettable } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { Field, FieldId, MAX_FIELDS } from './builder/field-schema.ts'

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
  description: 'What it is for; a `signup` form makes members',
  examples: ['contact'],
})
const Fields = Type.Array(Field, { maxItems: MAX_FIELDS, description: 'In their order' })
const Version = Type.Integer({
  description: 'The version that visitors meet; 0 until the form is published',
  examples: [1],
})
const SubmissionCount = Type.Integer({
  description: 'Submissions that were received, spam not counted',
  examples: [3],
})

const Spam = strict(
  {
    honeypot: Type.Optional(
      FieldId({
        description:
          'A name that the page offers as an input that people do not see. A submission with a value under it is spam',
        examples: ['website_url'],
      }),
    ),
    min_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_600,
        default: 0,
        description:
          'Less time than this between the schema and the submission is spam, and so is a submission without the token of the schema',
      }),
    ),
    duplicate_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 60,
        description:
          'The same answers again by the same sender within this time are spam; 0: never. Of a secret key the sender is known by `member_id` or `X-Client-IP`',
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
    description: 'Of forms of type `signup`: which fields make the member',
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
        description: 'Where the page leads on to after a submission',
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

export const FormDetail = Type.Object(
  {
    id: FormId,
    name: Name,
    description: Description,
    fields: Fields,
    settings: Settings,
    created_at: Timestamp(),
  },
  { title: 'FormDetail' },
)
export type FormDetail = Static<typeof FormDetail>

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
  { version: Version, fields: Fields, settings: Settings, created_at: Timestamp() },
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
      Type.String({ description: 'An input to offer that people do not see', examples: ['website_url'] }),
    ),
    token: Type.String({
      description: 'To be sent along with the submission; says when the form was shown',
      examples: ['1795251600.dGhpcyBpcyBub3QgYSB0b2tlbg'],
    }),
  },
  { title: 'FormSchema', description: 'What a page needs to show the form' },
)
export type FormSchema = Static<typeof FormSchema>

export const NewForm = strict(
  {
    name: Name,
    description: Type.Optional(Description),
    type: Type.Optional(oneOf(FORM_TYPES, { default: 'custom', description: 'What it is for' })),
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
    description: 'Merged into what is there; a setting set to null is removed',
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

export const ById = strict({ id: FormId })

export const ListQuery = strict({
  ...pageParameters,
  status: Type.Optional(oneOf(FORM_STATUSES, { description: 'Forms with this status only' })),
  type: Type.Optional(oneOf(FORM_TYPES, { description: 'Forms of this type only' })),
})
export type ListQuery = Static<typeof ListQuery>

export const FormAnswer = envelope(Form)
