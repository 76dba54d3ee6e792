import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import type { MailType } from '#platform/mail/define-mail.ts'
import { placeholderFaults } from '#platform/mail/placeholders.ts'
import { COMMON_VALUES, type RenderedMail, renderMail } from '#platform/mail/render-mail.ts'
import { normalizeEmail } from '#platform/values/email.ts'
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
  deleteTemplateRow,
  findProjectName,
  findSettings,
  listTemplates,
  putSettings,
  putTemplate,
  takeSettings,
} from './queries.ts'

const OURS: OwnTexts = { subject: null, heading: null, body: null, action: null }

/** Changes what is given. @throws ApiError 422 for a placeholder of the footer that nothing fills in */
export async function updateMailSettings(ctx: Context, changes: MailSettingsChanges): Promise<MailSettings> {
  const faults = placeholderFaults('footer', changes.footer ?? '', COMMON_VALUES)
  if (faults.length > 0) throw invalidBody(faults)
  if (Object.keys(changes).length === 0) return findSettings(ctx)
  await takeSettings(ctx)
  const settings = { ...(await findSettings(ctx)), ...changes }
  const changed = {
    ...settings,
    accent_color: settings.accent_color?.toLowerCase() ?? null,
    background_color: settings.background_color?.toLowerCase() ?? null,
    footer: settings.footer === '' ? null : settings.footer,
    reply_to: settings.reply_to === null ? null : normalizeEmail(settings.reply_to),
    operator_addresses: settings.operator_addresses.map(normalizeEmail),
  }
  putSettings(ctx, changed)
  return changed
}

/** Every mail with the texts that it has in this project. */
export async function readTemplates(ctx: Context, mails: Mails): Promise<MailTemplate[]> {
  const own = new Map((await listTemplates(ctx)).map((row) => [row.mail, row]))
  return [...mails.values()].map((type) => toTemplate(type, own.get(type.name)))
}

/** Changes the texts that are given. @throws ApiError 422 with each placeholder that nothing fills in */
export async function updateMailTemplates(
  ctx: Context,
  mails: Mails,
  changes: Readonly<Record<string, TextChanges | null>>,
): Promise<MailTemplate[]> {
  const faults = Object.entries(changes).flatMap(([name, texts]) =>
    textFaults(mails, name, `${name}.`, texts ?? {}),
  )
  if (faults.length > 0) throw invalidBody(faults)
  if (Object.keys(changes).length === 0) return readTemplates(ctx, mails)
  await takeSettings(ctx)
  const own = new Map((await listTemplates(ctx)).map((row) => [row.mail, row]))
  for (const [mail, texts] of Object.entries(changes)) {
    const next = { ...OURS, ...own.get(mail), ...texts, mail }
    if (texts === null || Object.keys(OURS).every((field) => next[field as keyof OwnTexts] === null))
      deleteTemplateRow(ctx, mail)
    else putTemplate(ctx, next)
  }
  return readTemplates(ctx, mails)
}

/** A mail with its example, in this project's look. @throws ApiError 422 with each placeholder that nothing fills in */
export async function previewMail(
  ctx: Context,
  mails: Mails,
  { template, ...texts }: PreviewRequest,
): Promise<RenderedMail> {
  const faults = textFaults(mails, template, '', texts)
  if (faults.length > 0) throw invalidBody(faults)
  const type = mails.get(template) as MailType
  const [settings, name, templates] = await findSettings(ctx)
    .and(findProjectName(ctx))
    .and(listTemplates(ctx))
    .map(([[settings, name], templates]) => [settings, name, templates] as const)
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
