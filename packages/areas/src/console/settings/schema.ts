import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { LOST_DISPUTE_ACTS, MEMBER_ACTS } from '#areas/billing/service.ts'
import { NAME_SOURCES, PROFILE_FIELDS } from '#areas/profiles/service.ts'
import { nullable, oneOf, pathId, strict } from '#platform/http/envelope.ts'
import { LANGUAGES } from '#platform/values/languages.ts'
import { Environment } from '../projects/schema.ts'
import { ProjectId } from '../schema.ts'

const Words = (description: string, example: string[]) =>
  Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 100, description, examples: [example] })
const Days = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000, description, examples: [example] })
const Url = (description: string, example: string) =>
  nullable(Type.String({ maxLength: 2_000, description: `${description}; null: none`, examples: [example] }))
const Switch = (description: string) => Type.Boolean({ description, examples: [false] })

const properties = {
  email_confirmation: Switch('Whether new email addresses must be confirmed'),
  redirect_urls: Words('URLs to which links in mails may lead; paths below them are allowed, too', [
    'https://example.com/account',
  ]),
  origins: Words('Browser origins from which public keys work', ['https://example.com']),
  moderator_roles: Words('Members with one of these roles are moderators', ['admin', 'moderator']),
  timezone: Type.String({
    maxLength: 100,
    description: 'The IANA time zone of the days of the project',
    examples: ['Europe/Berlin'],
  }),
  language: oneOf(LANGUAGES, { description: 'The language of certificates', examples: ['en'] }),
  analytics_retention_months: Days('How many months events of analytics are kept, from 1 to 120', 24),
  respect_do_not_track: Switch('Whether visitors who ask not to be tracked are not stored'),
  report_threshold: Days('How many reports hide a post until a moderator decides, at least 1', 3),
  discussion_url: Url(
    'The page of a discussion, with {id} for its id. Mails lead there',
    'https://example.com/discussions/{id}',
  ),
  feedback_url: Url(
    'The page of an item of feedback, with {id} for its id. Mails lead there',
    'https://example.com/feedback/{id}',
  ),
  profiles_public: Switch('Whether visitors without a log-in see profiles'),
  display_name_from: oneOf(NAME_SOURCES, {
    description: 'The name of members without a display name; `none`: "Member" and four letters of the id',
    examples: ['none'],
  }),
  profile_fields: Words(`The fields of profiles besides the name: ${PROFILE_FIELDS.join(', ')}`, ['bio']),
  certificate_url: Url(
    'The page that verifies a certificate, with {code} for its code. Without it, a page of Guildhall does',
    'https://example.com/certificates/{code}',
  ),
  billing_url: Url('The page where members pay. Mails lead there', 'https://example.com/account/billing'),
  renewal_notice_days: Days(
    'Days before a renewal at which its member is notified, 60 at the most; 0: never',
    7,
  ),
  retry_days: Type.Array(Type.Integer({ minimum: 1, maximum: 28 }), {
    maxItems: 10,
    description: 'Days after a failed renewal at which the card is charged again, in their order',
    examples: [[1, 3, 5, 7]],
  }),
  member_may: Words(`The acts that members may do with their own subscriptions: ${MEMBER_ACTS.join(', ')}`, [
    'cancel',
  ]),
  on_lost_dispute: oneOf(LOST_DISPUTE_ACTS, {
    description: 'Whether a lost dispute takes what was paid for',
    examples: ['revoke'],
  }),
}

/** The settings of one side. */
export const ProjectSettings = Type.Object(properties, { title: 'ProjectSettings' })
export type ProjectSettings = Static<typeof ProjectSettings>

type AllOptional<T extends TProperties> = { [K in keyof T]: ReturnType<typeof Type.Optional<T[K]>> }
const allOptional = <T extends TProperties>(from: T) =>
  Object.fromEntries(
    Object.entries(from).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]),
  ) as AllOptional<T>

export const ProjectSettingsChanges = strict(allOptional(properties), { title: 'ProjectSettingsChanges' })
export type ProjectSettingsChanges = Static<typeof ProjectSettingsChanges>

export const BySide = strict({ id: pathId('project', ProjectId), environment: Environment })
