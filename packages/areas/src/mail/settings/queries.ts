import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { OwnLook, OwnTexts } from './look.ts'

/** What a project has set for its mails. */
export interface SettingsRow extends OwnLook {
  readonly reply_to: string | null
  readonly operator_addresses: string[]
}

/** Texts of a project's own for one kind of mail. */
export interface TemplateRow extends OwnTexts {
  readonly mail: string
}

const NOTHING: SettingsRow = {
  sender_name: null,
  reply_to: null,
  accent_color: null,
  background_color: null,
  footer: null,
  operator_addresses: [],
}

const settings = statement('mail_settings', () =>
  query
    .selectFrom('mail_settings')
    .select(['sender_name', 'reply_to', 'accent_color', 'background_color', 'footer', 'operator_addresses']),
)

export const findSettings = (ctx: Context) =>
  ctx.tx.first(settings, {}).map((row): SettingsRow => row ?? NOTHING)

export const listOperators = async (ctx: Context): Promise<readonly string[]> =>
  (await findSettings(ctx)).operator_addresses

const projectName = statement('project_name', () => query.selectFrom('projects').select('name'))

export const findProjectName = (ctx: Context) => ctx.tx.first(projectName, {}).map((row) => row?.name ?? '')

const templates = statement('mail_templates', () =>
  query.selectFrom('mail_templates').select(['mail', 'subject', 'heading', 'body', 'action']),
)

export const listTemplates = (ctx: Context) => ctx.tx.all(templates, {})

const lockSettings = statement('lock_mail_settings', (v: { id: string }) =>
  query
    .insertInto('mail_settings')
    .values({ id: v.id })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((row) => ({ id: row.ref('mail_settings.id') })),
    ),
)

/** Lets one change of a project's settings at a time look at them and put them. */
export const takeSettings = (ctx: Context) => ctx.tx.all(lockSettings, { id: newUuid() })

const put = statement('put_mail_settings', (v: SettingsRow) =>
  query.updateTable('mail_settings').set({
    sender_name: v.sender_name,
    reply_to: v.reply_to,
    accent_color: v.accent_color,
    background_color: v.background_color,
    footer: v.footer,
    operator_addresses: v.operator_addresses,
    updated_at: sql<string>`now()`,
  }),
)

export const putSettings = (ctx: Context, row: SettingsRow): void => ctx.tx.defer(put, row)

const putTexts = statement('put_mail_template', (v: TemplateRow & { id: string }) =>
  query
    .insertInto('mail_templates')
    .values({
      id: v.id,
      mail: v.mail,
      subject: v.subject,
      heading: v.heading,
      body: v.body,
      action: v.action,
    })
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

export const putTemplate = (ctx: Context, row: TemplateRow) => ctx.tx.all(putTexts, { id: newUuid(), ...row })

const remove = statement('delete_mail_template', (v: { mail: string }) =>
  query.deleteFrom('mail_templates').where('mail', '=', v.mail),
)

export const deleteTemplateRow = (ctx: Context, mail: string) => ctx.tx.all(remove, { mail })
