import { sql } from 'kysely'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { mailId } from './ids.ts'

/** A mail that was sent stays counted, to nobody; one that is not sent yet will not be. */
const forget = defineQuery('erase_mails', (v: { memberIds: readonly string[]; emails: readonly string[] }) =>
  query
    .updateTable('mails')
    .set({
      to_address: sql`id || '@anonymized.invalid'`,
      to_name: '',
      member_id: null,
      smtp_response: null,
      sealed_values: null,
      next_attempt_at: null,
      state: sql`case when state = 'queued' then 'failed' else state end`,
      error: sql`case when state = 'queued' then 'abandoned' else error end`,
      finished_at: sql`coalesce(finished_at, now())`,
    })
    // Each by its index: with `or`, all mails would be read.
    .where(
      sql<boolean>`id = any (array(select id from mails where member_id = any (${v.memberIds}::uuid[])
        union select id from mails where stray_key = any (${v.emails}::text[])))`,
    ),
)

/**
 * What was written to members, whatever their address was. A mail that was sent before its address had a member, such as an
 * invitation, belongs to whoever has the address.
 */
export const memberData = [
  personalData({
    table: 'mails',
    member: 'member_id',
    email: 'stray_key',
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
