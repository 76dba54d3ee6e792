import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { isMailboxGone } from '#platform/mail/mailer.ts'
import type { Bounce } from '#platform/mail/read-bounce.ts'
import { type MailError, suppressAddress } from '../queries.ts'

/** What a report changed: `suppressed` also means that nothing is sent to the address any more. */
export type BounceOutcome = 'suppressed' | 'failed' | 'ignored'

const fail = defineQuery('fail_sent_mail', (v: { id: string; error: MailError; smtp_response: string }) =>
  query
    .updateTable('mails')
    .set({
      state: 'failed',
      ...pick(v, 'error', 'smtp_response'),
      next_attempt_at: null,
      sealed_values: null,
      finished_at: sql<string>`now()`,
    })
    .where('id', '=', v.id)
    // A server may report before the worker has recorded that the server accepted the mail.
    .where((mail) => mail.or([mail('state', '=', 'sent'), mail('state', '=', 'queued')]))
    .returning('to_address'),
).first()

/**
 * Records a report about a mail that a server had accepted. The address that is suppressed is the one that the mail was
 * sent to, whatever the report says. A forged report needs an id that only the recipient has seen, so it can harm
 * nobody else.
 */
export async function recordBounce(ctx: Context, { mail, status, response }: Bounce): Promise<BounceOutcome> {
  const isGone = isMailboxGone(status)
  const error = isGone ? 'bounced' : 'refused'
  const failed = await fail(ctx, { id: mail.id, error, smtp_response: response })
  if (failed === undefined) return 'ignored'
  if (!isGone) return 'failed'
  suppressAddress(ctx, {
    ...{ id: newUuid(), address: failed.to_address, mail_id: mail.id, smtp_response: response },
  })
  return 'suppressed'
}
