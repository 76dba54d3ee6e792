import { audit } from '#platform/audit.ts'
import { deriveQuery, mapAnswer } from '#platform/db/query.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import type { PatchValues } from '#platform/http/define-patch.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { MailType } from '#platform/mail/define-mail.ts'
import {
  COMMON_VALUES,
  placeholderFaults,
  type RenderedMail,
  renderMail,
} from '#platform/mail/render-mail.ts'
import type {
  MailSettings,
  MailSettingsChanges,
  Mails,
  MailTemplate,
  PreviewRequest,
  TextChanges,
} from '../schema.ts'
import { lookOf, type OwnTexts, textsOf } from './look.ts'
import {
  changeSettings,
  getProjectName,
  getSettings,
  listTemplates,
  putTemplate,
  removeTemplate,
  takeSettings,
} from './queries.ts'

const OURS: OwnTexts = { subject: null, heading: null, body: null, action: null }

/** Changes what is sent. @throws ApiError 412; 422 for a placeholder that nothing fills in */
export async function updateMailSettings(
  ctx: Context,
  patch: PatchValues<MailSettingsChanges>,
): Promise<MailSettings> {
  const { id } = await takeSettings(ctx, { id: newUuid() })
  const before = await getSettings(ctx)
  const after = await changeSettings(ctx, { id, ...patch })
  const names = Object.keys(patch.changes) as (keyof MailSettings)[]
  const only = (settings: MailSettings) => Object.fromEntries(names.map((name) => [name, settings[name]]))
  if (names.length > 0)
    audit(ctx, {
      action: 'mail_settings.update',
      target: toId('project', ctx.projectId),
      before: only(before),
      after: only(after),
    })
  return after
}

/** Every mail with the texts that it has in this project. */
export const readTemplates = deriveQuery(({ mails }: { mails: Mails }) =>
  mapAnswer(listTemplates(), (rows): MailTemplate[] => {
    const own = new Map(rows.map((row) => [row.mail, row]))
    return [...mails.values()].map((type) => toTemplate(type, own.get(type.name)))
  }),
)

/** Changes the texts that are given, of a project whose settings are taken. @throws ApiError 422 with each placeholder that nothing fills in */
export async function updateMailTemplates(
  ctx: Context,
  mails: Mails,
  changes: Readonly<Record<string, TextChanges | null>>,
): Promise<MailTemplate[]> {
  const faults = Object.entries(changes).flatMap(([name, texts]) =>
    textFaults(mails, name, `${name}.`, texts ?? {}),
  )
  if (faults.length > 0) throw invalidBody(faults)
  const own = new Map((await listTemplates(ctx)).map((row) => [row.mail, row]))
  for (const [mail, texts] of Object.entries(changes)) {
    const next = { ...OURS, ...own.get(mail), ...texts, mail }
    if (texts === null || Object.keys(OURS).every((field) => next[field as keyof OwnTexts] === null))
      removeTemplate(ctx, { mail })
    else putTemplate(ctx, { id: newUuid(), ...next })
  }
  const changed = Object.keys(changes)
  if (changed.length > 0)
    audit(ctx, {
      action: 'mail_templates.update',
      target: toId('project', ctx.projectId),
      after: { changed },
    })
  return readTemplates(ctx, { mails })
}

/** A mail with its example, in this project's look. @throws ApiError 422 with each placeholder that nothing fills in */
export async function previewMail(
  data: Pick<ProjectData, 'read'>,
  mails: Mails,
  { template, ...texts }: PreviewRequest,
): Promise<RenderedMail> {
  const faults = textFaults(mails, template, '', texts)
  if (faults.length > 0) throw invalidBody(faults)
  const type = mails.get(template) as MailType
  const { settings, name, templates } = await data.read({
    settings: getSettings(),
    name: getProjectName(),
    templates: listTemplates(),
  })
  const own = templates.find((row) => row.mail === template) ?? OURS
  const look = lookOf(name, settings)
  const common = { project: look.senderName, address: 'ada@example.com' }
  return renderMail(textsOf(type, { ...own, ...texts }), look, { ...type.example, ...common })
}

const placeholdersOf = ({ values }: MailType): string[] => [
  ...COMMON_VALUES,
  ...Object.keys(values.properties),
]

function textFaults(mails: Mails, mail: string, prefix: string, texts: TextChanges): FieldFault[] {
  const type = mails.get(mail)
  if (type === undefined) return []
  return Object.entries(texts).flatMap(([field, text]: [string, string | null | undefined]) =>
    placeholderFaults(prefix + field, text ?? '', placeholdersOf(type)),
  )
}

function toTemplate(type: MailType, own: OwnTexts | undefined): MailTemplate {
  const { subject, heading, body, action = null } = textsOf(type, own ?? OURS)
  const { name, description } = type
  return {
    name,
    description,
    placeholders: placeholdersOf(type),
    subject,
    heading,
    body,
    action,
    is_own: own !== undefined,
  }
}
