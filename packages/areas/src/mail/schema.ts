import { type Static, type TProperties, Type } from 'typebox'
import { nullable, oneOf, pathId, strict, Timestamp } from '#platform/http/envelope.ts'
import { createdParameters, idParameter, searchIn, sortParameters } from '#platform/http/list-parameters.ts'
import { MemberId } from '#platform/http/member-id.ts'
import { pageParameters } from '#platform/http/page.ts'
import type { MailType } from '#platform/mail/define-mail.ts'
import { DEFAULT_LOOK } from '#platform/mail/render-mail.ts'
import { mailId, suppressionId } from './ids.ts'

const Color = (unset: string) =>
  Type.String({
    minLength: 7,
    maxLength: 7,
    pattern: '^#[0-9A-Fa-f]{6}$',
    description: `Null restores the default, ${unset}`,
    examples: ['#7c3aed'],
  })
/** No control characters: it goes into the headers of mails. */
const SenderName = Type.String({
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$',
  minLength: 1,
  maxLength: 80,
  description: 'Null: the name of the project',
  examples: ['The Guild'],
})
const Email = { format: 'email', maxLength: 254 }
const ReplyTo = Type.String({
  ...Email,
  description: 'The address to which recipients reply',
  examples: ['help@example.com'],
})
const Footer = Type.String({
  maxLength: 1000,
  description: 'The text at the end of every mail; it can use `{{project}}` and `{{address}}`',
  examples: ['Guild e.V., 1 Market Square'],
})
const Operators = Type.Array(Type.String({ ...Email, examples: ['ops@example.com'] }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Addresses that get a mail when something is wrong with the project',
  examples: [['ops@example.com']],
})

const SessionsMailed = Type.Boolean({
  description: 'Whether a member gets a mail when an operator logs in as the member',
  examples: [true],
})

export const MailSettings = Type.Object(
  {
    sender_name: nullable(SenderName),
    reply_to: nullable(ReplyTo),
    accent_color: nullable(Color(DEFAULT_LOOK.accentColor)),
    background_color: nullable(Color(DEFAULT_LOOK.backgroundColor)),
    footer: nullable(Footer),
    operator_addresses: Operators,
    operator_sessions_mailed: SessionsMailed,
  },
  { title: 'MailSettings' },
)
export type MailSettings = Static<typeof MailSettings>

export const MailSettingsChanges = strict(
  {
    sender_name: Type.Optional(nullable(SenderName)),
    reply_to: Type.Optional(nullable(ReplyTo)),
    accent_color: Type.Optional(nullable(Color(DEFAULT_LOOK.accentColor))),
    background_color: Type.Optional(nullable(Color(DEFAULT_LOOK.backgroundColor))),
    footer: Type.Optional(nullable(Footer)),
    operator_addresses: Type.Optional(Operators),
    operator_sessions_mailed: Type.Optional(SessionsMailed),
  },
  { title: 'MailSettingsChanges', examples: [{ sender_name: 'The Guild', accent_color: '#7c3aed' }] },
)
export type MailSettingsChanges = Static<typeof MailSettingsChanges>

const placeholders = 'Plain text with placeholders like `{{project}}`'
const texts = {
  subject: Type.String({
    minLength: 1,
    maxLength: 200,
    description: placeholders,
    examples: ['Welcome to {{project}}'],
  }),
  heading: Type.String({ maxLength: 200, description: placeholders, examples: ['Welcome'] }),
  body: Type.String({
    maxLength: 10_000,
    description: `${placeholders}; an empty line ends a paragraph`,
    examples: ['Please confirm that {{address}} is yours.'],
  }),
}
const Action = Type.String({
  minLength: 1,
  maxLength: 80,
  description: 'The text on the button',
  examples: ['Confirm'],
})

export const MailTemplate = Type.Object(
  {
    name: Type.String({ examples: ['verify_email'] }),
    description: Type.String({ description: 'When the mail is sent', examples: ['Somebody signed up'] }),
    placeholders: Type.Array(Type.String(), {
      description: 'The placeholders that the texts can use',
      examples: [['project', 'address', 'code']],
    }),
    ...texts,
    action: nullable(Action),
    is_own: Type.Boolean({
      description: 'True if the project has changed a text of this mail',
      examples: [true],
    }),
  },
  { title: 'MailTemplate' },
)
export type MailTemplate = Static<typeof MailTemplate>

/** Every mail that an area declares, by name. */
export type Mails = ReadonlyMap<string, MailType>

/** Texts of a project's own for one mail; null goes back to ours. */
export interface TextChanges {
  subject?: string | null
  heading?: string | null
  body?: string | null
  action?: string | null
}

const changes = (hasButton: boolean): TProperties => ({
  subject: Type.Optional(nullable(texts.subject)),
  heading: Type.Optional(nullable(texts.heading)),
  body: Type.Optional(nullable(texts.body)),
  ...(hasButton ? { action: Type.Optional(nullable(Action)) } : {}),
})

/** By name of the mail. */
export const mailTemplateChanges = (mails: Mails) =>
  Type.Unsafe<Record<string, TextChanges | null>>(
    strict(
      Object.fromEntries(
        [...mails.values()].map(({ name, description, texts }) => [
          name,
          Type.Optional(
            nullable(
              strict(changes(texts.action !== undefined), {
                description: `${description}. Null restores the default texts`,
              }),
            ),
          ),
        ]),
      ),
      { title: 'MailTemplateChanges', examples: [{ verify_email: { subject: 'Welcome to {{project}}' } }] },
    ),
  )

export const previewRequest = (mails: Mails) =>
  strict(
    {
      template: oneOf([...mails.keys()]),
      subject: Type.Optional(texts.subject),
      heading: Type.Optional(texts.heading),
      body: Type.Optional(texts.body),
      action: Type.Optional(Action),
    },
    {
      title: 'MailPreviewRequest',
      examples: [{ template: 'verify_email', subject: 'Welcome to {{project}}' }],
    },
  )
export type PreviewRequest = Static<ReturnType<typeof previewRequest>>

export const Preview = Type.Object(
  {
    subject: Type.String({ examples: ['Welcome to The Guild'] }),
    text: Type.String({ examples: ['Please confirm that ada@example.com is yours.'] }),
    html: Type.String({
      description: 'A complete HTML page; show it in a sandboxed frame',
      examples: ['<!doctype html>…'],
    }),
  },
  { title: 'MailPreview' },
)

export const MAIL_STATES = ['queued', 'sent', 'failed', 'suppressed'] as const
const Response = nullable(
  Type.String({ description: 'The last answer of the mail server', examples: ['250 2.0.0 Accepted'] }),
)

export const Mail = Type.Object(
  {
    id: Type.String({ examples: ['mail_01jcq3k8f7e8qtk4m3hbw7rn2j'] }),
    template: Type.String({ examples: ['verify_email'] }),
    to: Type.String({ format: 'email', examples: ['ada@example.com'] }),
    state: oneOf(MAIL_STATES, { description: '`suppressed`: not sent, because the address does not exist' }),
    attempts: Type.Integer({
      description: 'How often the mail server was asked to accept the mail',
      examples: [1],
    }),
    error: nullable(
      oneOf(['deferred', 'refused', 'bounced', 'expired', 'abandoned'], {
        description:
          '`deferred`: the server did not accept the mail yet; `refused`: the server will never accept it; `bounced`: the mailbox does not exist; `expired`: the code in the mail was no longer valid',
      }),
    ),
    response: Response,
    created_at: Timestamp(),
    next_attempt_at: nullable(Timestamp()),
    finished_at: nullable(Timestamp()),
  },
  { title: 'Mail' },
)
export type Mail = Static<typeof Mail>

export const MailQuery = strict({
  ...pageParameters,
  state: Type.Optional(oneOf(MAIL_STATES, { description: 'Only mails in this state' })),
  template: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only mails of this template' }),
  ),
  member_id: idParameter(MemberId, 'Only mails to this member'),
  search: searchIn('the address or the name that they went to'),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
export type MailQuery = Static<typeof MailQuery>

const SuppressionId = Type.String({
  description: 'The id of a suppressed address',
  examples: ['sup_01jcq3k8f7e8qtk4m3hbw7rn2k'],
})

export const Suppression = Type.Object(
  {
    id: SuppressionId,
    address: Type.String({
      format: 'email',
      description: 'The address in lower case',
      examples: ['nobody@example.com'],
    }),
    mail_id: Type.String({
      description: 'The mail that bounced',
      examples: ['mail_01jcq3k8f7e8qtk4m3hbw7rn2j'],
    }),
    response: Type.String({ examples: ['550 5.1.1 No such user'] }),
    created_at: Timestamp(),
  },
  { title: 'MailSuppression' },
)
export type Suppression = Static<typeof Suppression>

export const ById = strict({ id: pathId(suppressionId, SuppressionId) })
export const ByMail = strict({
  id: pathId(
    mailId,
    Type.String({ description: 'The id of a mail', examples: ['mail_01jcq3k8f7e8qtk4m3hbw7rn2j'] }),
  ),
})
export const MailInFull = Type.Object(
  {
    ...Mail.properties,
    ...Preview.properties,
    has_own_values: Type.Boolean({
      description: 'False: the mail was sent, so that its values are deleted, and these are examples',
      examples: [false],
    }),
  },
  { title: 'MailInFull' },
)
export type MailInFull = Static<typeof MailInFull>

export const SentCopy = Type.Object(
  {
    id: Type.String({ description: 'The id of the copy', examples: ['mail_01jcq3k8f7e8qtk4m3hbw7rn2j'] }),
    to: Type.String({ description: 'The address of the operator', examples: ['ada@example.com'] }),
  },
  { title: 'SentCopy' },
)
export const ListQuery = strict({
  ...pageParameters,
  search: searchIn('the address'),
  ...createdParameters,
  ...sortParameters(['created_at']),
})
export type ListQuery = Static<typeof ListQuery>
