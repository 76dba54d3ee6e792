import { sql } from 'kysely'
import { defineQuery, deriveQuery, mapAnswer, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidBody } from '#platform/errors.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { COMMON_VALUES, placeholderFaults } from '#platform/mail/render-mail.ts'
import { normalizeEmail } from '#platform/values/email.ts'
import { type MailSettings, MailSettingsChanges } from '../schema.ts'
import type { OwnTexts } from './look.ts'

const NOTHING: MailSettings = {
  sender_name: null,
  reply_to: null,
  accent_color: null,
  background_color: null,
  footer: null,
  operator_addresses: [],
  operator_sessions_mailed: true,
}

const settings = defineQuery('mail_settings', () =>
  query
    .selectFrom('mail_settings')
    .select(['sender_name', 'reply_to', 'accent_color', 'background_color', 'footer', 'operator_addresses'])
    .select('operator_sessions_mailed'),
).first()
/** What a project has set for its mails. */
export const getSettings = deriveQuery(() => mapAnswer(settings(), (row): MailSettings => row ?? NOTHING))

export const getProjectName = defineQuery('project_name', () => query.selectFrom('projects').select('name'))
  .map(({ name }) => name)
  .single()

/** Makes the row of settings where there is none yet, and lets one change of settings or texts at a time look at it. */
export const takeSettings = defineQuery('lock_mail_settings', (v: { id: string }) =>
  query
    .insertInto('mail_settings')
    .values(pick(v, 'id'))
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((row) => ({ id: row.ref('mail_settings.id') })),
    )
    .returning('id'),
).single()

const colorField = (column: 'accent_color' | 'background_color') =>
  field(
    (color: string | null) => ({ [column]: color?.toLowerCase() ?? null }),
    (v) => ({ [column]: v[column] }),
  )

/** Changes what is sent of the row of settings. @throws ApiError 422 for a placeholder that nothing fills in */
export const changeSettings = definePatch('mail_settings', {
  body: MailSettingsChanges,
  current: deriveQuery((_: { id: string }) => getSettings()),
  columns: ['sender_name', 'operator_sessions_mailed'],
  fields: {
    reply_to: field(
      (address: string | null) => ({ reply_to: address === null ? null : normalizeEmail(address) }),
      (v) => ({ reply_to: v.reply_to }),
    ),
    accent_color: colorField('accent_color'),
    background_color: colorField('background_color'),
    footer: field(
      (text: string | null) => {
        const faults = placeholderFaults('footer', text ?? '', COMMON_VALUES)
        if (faults.length > 0) throw invalidBody(faults)
        return { footer: text === '' ? null : text }
      },
      (v) => ({ footer: v.footer }),
    ),
    operator_addresses: field(
      (addresses: string[]) => ({ operator_addresses: addresses.map(normalizeEmail) }),
      (v) => ({ operator_addresses: v.operator_addresses }),
    ),
  },
  also: { updated_at: sql`now()` },
})

/** Texts of a project's own for kinds of mail. */
export const listTemplates = defineQuery('mail_templates', () =>
  query.selectFrom('mail_templates').select(['mail', 'subject', 'heading', 'body', 'action']),
)

export const putTemplate = defineQuery('put_mail_template', (v: OwnTexts & { id: string; mail: string }) =>
  query
    .insertInto('mail_templates')
    .values(pick(v, 'id', 'mail', 'subject', 'heading', 'body', 'action'))
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'mail']).doUpdateSet((row) => ({
        subject: row.ref('excluded.subject'),
        heading: row.ref('excluded.heading'),
        body: row.ref('excluded.body'),
        action: row.ref('excluded.action'),
        updated_at: sql<string>`now()`,
      })),
    ),
)

export const removeTemplate = defineQuery('delete_mail_template', (v: { mail: string }) =>
  query.deleteFrom('mail_templates').where('mail', '=', v.mail),
)
