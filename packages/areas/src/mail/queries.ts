import { type InferResult, sql } from 'kysely'
import { type AnswerOf, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, contains, equals, hasId, word } from '#platform/lists/list-filters.ts'
import type { FindPage } from '#platform/lists/list-parts.ts'
import { mailId, suppressionId } from './ids.ts'
import type { Mail } from './schema.ts'

/** A mail that is asked for. */
interface NewMail {
  readonly id: string
  /** Its kind. */
  readonly mail: string
  readonly to_address: string
  readonly to_name: string
  /** The stored id of the member whose mail it is, where the address is not the member's present one. */
  readonly member_id: string | null
  readonly sealed_values: Buffer
  readonly useful_until: Date | null
  readonly request_id: string | null
}
export const insertMail = defineQuery('insert_mail', (v: NewMail) =>
  query.insertInto('mails').values({
    ...pick(v, 'id', 'mail', 'to_address', 'to_name', 'sealed_values', 'useful_until'),
    request_id: v.request_id,
    member_id: sql`coalesce(${v.member_id}::uuid,
        (select m.id from members m where m.email_key = lower(${v.to_address}::text) and m.deleted_at is null))`,
  }),
)

/** A mail with all that it is made of; undefined where there is none of that id. */
export const findMailToSend = defineQuery('mail_to_send', (v: { id: string }) =>
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
).first()
export type MailToSend = NonNullable<AnswerOf<typeof findMailToSend>>

/** Why a mail was not sent, or not yet. */
export type MailError = 'deferred' | 'refused' | 'bounced' | 'expired'

export interface Ending {
  readonly id: string
  readonly state: 'sent' | 'failed' | 'suppressed'
  readonly error: MailError | null
  /** The server's response, where it was asked. */
  readonly smtp_response: string | null
}

/** Ends a mail, and deletes the values that were filled in. */
export const endMail = defineQuery('end_mail', (v: Ending) =>
  query
    .updateTable('mails')
    .set({
      ...pick(v, 'state', 'error', 'smtp_response'),
      attempts: sql`attempts + case when ${v.smtp_response}::text is null then 0 else 1 end`,
      next_attempt_at: null,
      sealed_values: null,
      finished_at: sql<string>`now()`,
    })
    .where('id', '=', v.id)
    .where('state', '=', 'queued'),
)

export const deferMail = defineQuery(
  'defer_mail',
  (v: { id: string; smtp_response: string; next_attempt_at: Date }) =>
    query
      .updateTable('mails')
      .set({
        error: 'deferred',
        ...pick(v, 'smtp_response', 'next_attempt_at'),
        attempts: sql`attempts + 1`,
      })
      .where('id', '=', v.id)
      .where('state', '=', 'queued'),
)

/** Nothing is sent to the address any more. */
export const suppressAddress = defineQuery(
  'suppress_address',
  (v: { id: string; address: string; mail_id: string; smtp_response: string }) =>
    query
      .insertInto('mail_suppressions')
      .values({ ...pick(v, 'id', 'mail_id', 'smtp_response'), address: sql`lower(${v.address})` })
      .onConflict((conflict) => conflict.columns(['project_id', 'address']).doNothing()),
)

const mails = () =>
  query
    .selectFrom('mails')
    .select(['id', 'mail', 'to_address', 'state', 'attempts', 'error', 'smtp_response'])
    .select(['created_at', 'next_attempt_at', 'finished_at'])

/** A row as clients see it. */
const toMail = ({
  mail,
  to_address,
  smtp_response,
  ...row
}: InferResult<ReturnType<typeof mails>>[number]): Mail => ({
  ...row,
  id: toId(mailId, row.id),
  template: mail,
  to: to_address,
  state: row.state as Mail['state'],
  error: row.error as Mail['error'],
  response: smtp_response,
})

/** Asks the index of names and addresses, which only a function reaches (decision 0018). */
const searchMails: FindPage = (sought) => sql`app.search_mails(
  lower(${sought.pattern}::text), ${sought.filter('state')}::text, ${sought.filter('template')}::text,
  ${sought.filter('member_id')}::uuid, ${sought.filter('start_date')}::timestamptz, ${sought.filter('end_date')}::timestamptz,
  ${sql.lit(sought.order === 'desc')}, ${sought.afterKey}::uuid, ${sought.limit}::int, ${sought.offset}::int8,
  ${sql.lit(sought.counts)})`

/** Mails of the last 30 days, the newest first; never what was filled in. */
export const listMails = defineList({
  label: 'mails',
  rows: mails,
  map: toMail,
  key: 'id',
  filters: {
    state: word<Mail['state']>('state'),
    template: equals<string>('mail'),
    member_id: hasId('member_id', (id) => parseId('member', id)),
    ...betweenByIds('id', 'created_at'),
  },
  search: { page: searchMails },
  sorts: { created_at: ['id', 'uuid'] },
})

/** One mail as lists show it. @throws ApiError 404 */
export const getMail = defineQuery('mail_by_id', (v: { id: string }) => mails().where('id', '=', v.id))
  .map(toMail)
  .one('Mail')

/** Addresses that nothing is sent to, the newest first. */
export const listSuppressions = defineList({
  label: 'mail_suppressions',
  rows: () =>
    query.selectFrom('mail_suppressions').select(['id', 'address', 'mail_id', 'smtp_response', 'created_at']),
  map: ({ smtp_response, ...row }) => ({
    ...row,
    id: toId(suppressionId, row.id),
    mail_id: toId(mailId, row.mail_id),
    response: smtp_response,
  }),
  key: 'id',
  filters: betweenByIds('id', 'created_at'),
  search: contains({ lowered: 'address' }),
  sorts: { created_at: ['id', 'uuid'] },
})

/** Mail is sent there again. @throws ApiError 404 */
export const removeSuppression = defineQuery('delete_mail_suppression', (v: { id: string }) =>
  query.deleteFrom('mail_suppressions').where('id', '=', v.id).returning('id'),
).one('Suppression')
