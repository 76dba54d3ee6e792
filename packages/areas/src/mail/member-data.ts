import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { mailId } from './ids.ts'

/** A mail that was sent stays counted, to nobody; one that is not sent yet will not be. */
const forget = defineQuery('erase_mails', (v: { emails: readonly string[] }) =>
  query
    .updateTable('mails')
    .set({
      to_address: sql`id || '@anonymized.invalid'`,
      to_name: '',
      smtp_response: null,
      sealed_values: null,
      next_attempt_at: null,
      state: sql`case when state = 'queued' then 'failed' else state end`,
      error: sql`case when state = 'queued' then 'abandoned' else error end`,
      finished_at: sql`coalesce(finished_at, now())`,
    })
    .where('to_key', '=', sql<string>`any (${v.emails}::text[])`),
)

/** What was written to members, by their present address. */
export const memberData = [
  personalData({
    table: 'mails',
    email: 'to_key',
    columns: [
      'id',
      'mail',
      'to_address',
      'to_name',
      'state',
      'error',
      'smtp_response',
      'created_at',
      'finished_at',
    ],
    ids: { id: mailId },
    erase: forget,
  }),
  personalData({
    table: 'mail_suppressions',
    email: 'address',
    columns: ['address', 'smtp_response', 'created_at'],
  }),
]
