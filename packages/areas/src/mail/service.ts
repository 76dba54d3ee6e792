import type { Static, TObject } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { MailType } from '#platform/mail/define-mail.ts'
import { isMailable } from '#platform/mail/mailer.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import { currentRequestId } from '#platform/telemetry/request-context.ts'
import { fits } from '#platform/values/fits.ts'
import { deliverMail, SEALED_FOR } from './deliver-mail.job.ts'
import { insertMail } from './queries.ts'
import { getSettings } from './settings/queries.ts'

/** To whom, and what is filled in. */
export interface MailRequest<V extends TObject> {
  readonly to: {
    readonly address: string
    readonly name?: string
    /** The stored id of the member whose mail it is, where the address is not the member's present one. */
    readonly memberId?: string
  }
  readonly values: NoInfer<Static<V>>
  /** After this time the mail is not sent any more, because its code has expired. */
  readonly usefulUntil?: Date
}

/**
 * Adds a mail in the caller's transaction; a transaction that is rolled back sends none. The mail is sent soon after
 * the commit, at least once. Its values are sealed until then, and deleted when it is sent.
 * @returns its id
 * @throws ApiError 422 for an address or a name that could be read as several
 */
export type SendMail = <V extends TObject>(ctx: Context, type: MailType<V>, request: MailRequest<V>) => string

/** Makes what sends mails; once per process, because its key derives from SECRET_KEY. */
export function makeSendMail(keys: SecretKeys): SendMail {
  const box = makeProjectBox(keys, SEALED_FOR)
  return (ctx, type, { to, values, usefulUntil }) => {
    const { address, name = '', memberId } = to
    if (!isMailable({ address, name: '' })) throw invalidField('email', 'format', 'cannot receive mail')
    if (!isMailable({ address, name }))
      throw invalidField('full_name', 'characters', 'must not contain control characters')
    assertValues(type, values)
    const id = newUuid()
    insertMail(ctx, {
      id,
      mail: type.name,
      to_address: address,
      to_name: name,
      member_id: memberId ?? null,
      sealed_values: box.seal(JSON.stringify(values), id, ctx.projectId),
      useful_until: usefulUntil ?? null,
      request_id: currentRequestId(),
    })
    enqueue(ctx, deliverMail, { mail_id: id })
    return id
  }
}

/** Whether members are told that an operator has logged in as them. */
export async function areOperatorSessionsMailed(ctx: Context): Promise<boolean> {
  return (await getSettings(ctx)).operator_sessions_mailed
}

/** Tells the project's operators something. @returns how many they are */
export async function mailOperators<V extends TObject>(
  ctx: Context,
  sendMail: SendMail,
  type: MailType<V>,
  values: NoInfer<Static<V>>,
): Promise<number> {
  const { operator_addresses: addresses } = await getSettings(ctx)
  for (const address of addresses) sendMail(ctx, type, { to: { address }, values })
  return addresses.length
}

/** @throws Error: the values come from us */
function assertValues(type: MailType, values: unknown): void {
  if (!fits(type.values, values)) throw new Error(`the values of a mail ${type.name} do not fit`)
  const { link } = values as { link?: string }
  if (link !== undefined && !/^https?:\/\//.test(link))
    throw new Error(`the link of a mail ${type.name} is none`)
}
