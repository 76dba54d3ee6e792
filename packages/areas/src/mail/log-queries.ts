import { defineList } from '#platform/db/lists/list.ts'
import { word } from '#platform/db/lists/list-filters.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { mailId, suppressionId } from './ids.ts'
import type { Mail, Suppression } from './schema.ts'

/** Mails of the last 30 days, the newest first; never what was filled in. */
export const listMails = defineList({
  label: 'mails',
  rows: () =>
    query
      .selectFrom('mails')
      .select(['id', 'mail', 'to_address', 'state', 'attempts', 'error', 'smtp_response'])
      .select(['created_at', 'next_attempt_at', 'finished_at']),
  key: 'id',
  filters: { state: word<Mail['state']>('state') },
})

type MailRow = Omit<Mail, 'template' | 'to' | 'response' | 'state' | 'error'> & {
  mail: string
  to_address: string
  state: string
  error: string | null
  smtp_response: string | null
}

export const toMail = ({ mail, to_address, smtp_response, ...row }: MailRow): Mail => ({
  ...row,
  id: toId(mailId, row.id),
  template: mail,
  to: to_address,
  state: row.state as Mail['state'],
  error: row.error as Mail['error'],
  response: smtp_response,
})

/** Addresses that nothing is sent to, the newest first. */
export const listSuppressions = defineList({
  label: 'mail_suppressions',
  rows: () =>
    query.selectFrom('mail_suppressions').select(['id', 'address', 'mail_id', 'smtp_response', 'created_at']),
  key: 'id',
})

interface SuppressionRow {
  id: string
  address: string
  mail_id: string
  smtp_response: string
  created_at: string
}

export const toSuppression = ({ smtp_response, ...row }: SuppressionRow): Suppression => ({
  ...row,
  id: toId(suppressionId, row.id),
  mail_id: toId(mailId, row.mail_id),
  response: smtp_response,
})

const remove = statement('delete_mail_suppression', (v: { id: string }) =>
  query.deleteFrom('mail_suppressions').where('id', '=', v.id).returning('id'),
)

/** Mail is sent there again. @throws ApiError 404 */
export const deleteSuppressionRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Suppression')
