import type { MailTexts, MailType } from '#platform/mail/define-mail.ts'
import { DEFAULT_LOOK, type MailLook } from '#platform/mail/render-mail.ts'

/** What a project may have set; null where it has not. */
export interface OwnLook {
  readonly sender_name: string | null
  readonly accent_color: string | null
  readonly background_color: string | null
  readonly footer: string | null
}

export interface OwnTexts {
  readonly subject: string | null
  readonly heading: string | null
  readonly body: string | null
  readonly action: string | null
}

/** How the mails of a project look: its own way, where it has one. */
export const lookOf = (projectName: string, own: OwnLook): MailLook => ({
  senderName: own.sender_name ?? projectName,
  accentColor: own.accent_color ?? DEFAULT_LOOK.accentColor,
  backgroundColor: own.background_color ?? DEFAULT_LOOK.backgroundColor,
  footer: own.footer ?? DEFAULT_LOOK.footer,
})

/** What a mail of a project says: its own words, where it has some. */
export function textsOf({ texts }: MailType, own: OwnTexts): MailTexts {
  return {
    subject: own.subject ?? texts.subject,
    heading: own.heading ?? texts.heading,
    body: own.body ?? texts.body,
    ...(texts.action === undefined ? {} : { action: own.action ?? texts.action }),
  }
}
