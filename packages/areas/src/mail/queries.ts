import { sql } from 'kysely'
import type { DeferredResult } from '#platform/db/deferred-result.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'

/** A mail that is asked for. */
export interface NewMailRow {
  readonly id: string
  /** Its kind. */
  readonly mail: string
  readonly to_address: string
  readonly to_name: string
  readonly sealed_values: Buffer
  readonly useful_until: Date | null
}

const insert = statement('insert_mail', (v: NewMailRow) =>
  query.insertInto('mails').values({
    id: v.id,
    mail: v.mail,
    to_address: v.to_address,
    to_name: v.to_name,
    sealed_values: v.sealed_values,
    useful_until: v.useful_until,
  }),
)

export const insertMailRow = (ctx: Context, row: NewMailRow): void => ctx.tx.defer(insert, row)

const toSend = statement('mail_to_send', (v: { id: string }) =>
  query
    .selectFrom('mails as m')
    .leftJoin('projects as p', 'p.id', 'm.project_id')
    .leftJoin('mail_settings as s', 's.project_id', 'm.project_id')
    .leftJoin('mail_templates as t', (on) => on.onRef('t.mail', '=', 'm.mail'))
    .select(['m.id', 'm.mail', 'm.state', 'm.to_address', 'm.to_name', 'm.sealed_values', 'm.attempts'])
    .select(['p.name as project_name', 's.sender_name', 's.reply_to', 's.accent_color', 's.background_color'])
    .select(['s.footer', 't.subject', 't.heading', 't.body', 't.action', 'm.useful_until'])
    .select((row) => [
      sql<boolean>`coalesce(${row.ref('m.useful_until')} < now(), false)`.as('is_too_late'),
      row
        .exists(
          row
            .selectFrom('mail_suppressions as x')
            .select('x.id')
            .where('x.address', '=', sql<string>`lower(${row.ref('m.to_address')})`),
        )
        .as('is_suppressed'),
    ])
    .where('m.id', '=', v.id),
)

/** A mail with all that it is made of; undefined where there is none of that id. */
export const findMailToSend = (ctx: Context, id: string) => ctx.tx.first(toSend, { id })
export type MailToSend = NonNullable<Awaited<ReturnType<typeof findMailToSend>>>

/** Why a mail was not sent, or not yet. */
export type MailError = 'deferred' | 'refused' | 'bounced' | 'expired'

export interface Ending {
  readonly id: string
  readonly state: 'sent' | 'failed' | 'suppressed'
  readonly error: MailError | null
  /** What the server said, where it was asked. */
  readonly response: string | null
}

const end = statement('end_mail', (v: Ending & { asked: number }) =>
  query
    .updateTable('mails')
    .set((row) => ({
      state: v.state,
      error: v.error,
      smtp_response: v.response,
      attempts: row('attempts', '+', v.asked),
      next_attempt_at: null,
      sealed_values: null,
      finished_at: sql<string>`now()`,
    }))
    .where('id', '=', v.id)
    .where('state', '=', 'queued'),
)

/** The mail's end; what was filled in is forgotten with it. */
export const endMail = (ctx: Context, ending: Ending): DeferredResult<unknown> =>
  ctx.tx.all(end, { ...ending, asked: ending.response === null ? 0 : 1 })

const defer = statement('defer_mail', (v: { id: string; response: string; until: Date }) =>
  query
    .updateTable('mails')
    .set((row) => ({
      error: 'deferred',
      smtp_response: v.response,
      attempts: row('attempts', '+', 1),
      next_attempt_at: v.until,
    }))
    .where('id', '=', v.id)
    .where('state', '=', 'queued'),
)

export const deferMail = (ctx: Context, deferral: { id: string; response: string; until: Date }) =>
  ctx.tx.all(defer, deferral)

interface NewSuppression {
  id: string
  address: string
  mail_id: string
  response: string
}

const suppress = statement('suppress_address', (v: NewSuppression) =>
  query
    .insertInto('mail_suppressions')
    .values({
      id: v.id,
      address: sql`lower(${v.address})`,
      mail_id: v.mail_id,
      smtp_response: v.response,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing()),
)

/** Nothing is sent to the address any more. */
export const suppressAddress = (ctx: Context, suppression: Omit<NewSuppression, 'id'>): void =>
  ctx.tx.defer(suppress, { id: newUuid(), ...suppression })
