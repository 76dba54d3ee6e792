import type { MailType } from '#platform/mail/define-mail.ts'
import * as auth from './auth/mails.ts'
import * as feedback from './feedback/status/mails.ts'
import * as webhooks from './webhooks/mails.ts'

/** Every mail that Guildhall sends, by name. */
export const mailCatalogue: ReadonlyMap<string, MailType> = new Map(
  [auth, feedback, webhooks]
    .flatMap((area) => Object.values(area) as unknown as MailType[])
    .map((type) => [type.name, type]),
)
