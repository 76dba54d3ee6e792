import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { offsetOf } from '#platform/http/page.ts'
import { toId } from '#platform/ids.ts'
import type { ListQuery, Mail, MailQuery, Suppression } from './schema.ts'

interface Variant {
  readonly state?: Mail['state']
}

const matching = ({ state }: Variant) => {
  const mails = query.selectFrom('mails')
  return state === undefined ? mails : mails.where('state', '=', state)
}

const page = statements(
  'mails_page',
  (variant: Variant) => (v: { limit: number; offset: number }) =>
    matching(variant)
      .select(['id', 'mail', 'to_address', 'state', 'attempts', 'error', 'smtp_response'])
      .select(['created_at', 'next_attempt_at', 'finished_at'])
      .orderBy('id', 'desc')
      .limit(v.limit)
      .offset(v.offset),
)
const total = statements(
  'mails_total',
  (variant: Variant) => () => matching(variant).select((row) => row.fn.countAll<number>().as('total')),
)

/** Mails of the last 30 days, the newest first; never what was filled in. */
export function listMails(ctx: Context, { state, ...request }: MailQuery) {
  const variant = state === undefined ? {} : { state }
  return ctx.tx
    .all(page(variant), { limit: request.limit, offset: offsetOf(request) })
    .and(ctx.tx.single(total(variant), {}))
    .map(([rows, { total }]) => ({ mails: rows.map(toMail), total }))
}

type MailRow = Omit<Mail, 'template' | 'to' | 'response' | 'state' | 'error'> & {
  mail: string
  to_address: string
  state: string
  error: string | null
  smtp_response: string | null
}

const toMail = ({ mail, to_address, smtp_response, ...row }: MailRow): Mail => ({
  ...row,
  id: toId('mail', row.id),
  template: mail,
  to: to_address,
  state: row.state as Mail['state'],
  error: row.error as Mail['error'],
  response: smtp_response,
})

const suppressions = statement('mail_suppressions_page', (v: { limit: number; offset: number }) =>
  query
    .selectFrom('mail_suppressions')
    .select(['id', 'address', 'mail_id', 'smtp_response', 'created_at'])
    .orderBy('id', 'desc')
    .limit(v.limit)
    .offset(v.offset),
)
const suppressionTotal = statement('mail_suppressions_total', () =>
  query.selectFrom('mail_suppressions').select((row) => row.fn.countAll<number>().as('total')),
)

/** Addresses that nothing is sent to, the newest first. */
export const listSuppressions = (ctx: Context, request: ListQuery) =>
  ctx.tx
    .all(suppressions, { limit: request.limit, offset: offsetOf(request) })
    .and(ctx.tx.single(suppressionTotal, {}))
    .map(([rows, { total }]) => ({
      total,
      suppressions: rows.map(
        ({ smtp_response, ...row }): Suppression => ({
          ...row,
          id: toId('suppression', row.id),
          mail_id: toId('mail', row.mail_id),
          response: smtp_response,
        }),
      ),
    }))

const remove = statement('delete_mail_suppression', (v: { id: string }) =>
  query.deleteFrom('mail_suppressions').where('id', '=', v.id).returning('id'),
)

/** Mail is sent there again. @throws ApiError 404 */
export const deleteSuppression = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Suppression')
