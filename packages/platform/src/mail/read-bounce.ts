import type { Attachment } from 'postal-mime'
import { type MailReference, parseMessageId, toResponseText } from './mailer.ts'

/** What a mail server reports, after it had taken a mail, that became of it. */
export interface Bounce {
  readonly mail: MailReference
  /** RFC 3463, like `5.1.1`. */
  readonly status: string
  /** In the server's words, on one line. */
  readonly response: string
}

const OPTIONS = { forceRfc822Attachments: true, attachmentEncoding: 'utf8' } as const
/** Parts that hold the mail that was not delivered, or the head of it. */
const RETURNED = new Set([
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
])
const REPORTS = new Set(['message/delivery-status', 'message/global-delivery-status'])

/**
 * Reads a delivery status notification (RFC 3464) about a mail of ours.
 * @param raw the whole message, as it came to the mailbox of MAIL_FROM
 * @returns undefined for anything else: other mail, notes of delay or success, reports about mails of others
 */
export async function readBounce(raw: Buffer): Promise<Bounce | undefined> {
  const { default: PostalMime } = await import('postal-mime')
  // What cannot be parsed as a mail at all is no bounce.
  const { attachments } = await PostalMime.parse(raw, OPTIONS).catch(() => ({
    attachments: [] as Attachment[],
  }))
  const report = attachments.find(({ mimeType }) => REPORTS.has(mimeType))
  if (report === undefined) return undefined
  const [message = new Map<string, string>(), ...recipients] = blocksOf(textOf(report))
  // Each of our mails goes to one person.
  const failed = recipients.find((fields) => fields.get('action')?.toLowerCase() === 'failed')
  const status = /^[245]\.\d{1,3}\.\d{1,3}/.exec(failed?.get('status') ?? '')?.[0]
  const mail = parseMessageId((await returnedIdIn(attachments)) ?? message.get('original-envelope-id') ?? '')
  if (failed === undefined || status === undefined || mail === undefined) return undefined
  const code = failed.get('diagnostic-code')?.replace(/^smtp;\s*/i, '')
  return { mail, status, response: toResponseText(code ?? status) }
}

async function returnedIdIn(attachments: readonly Attachment[]): Promise<string | undefined> {
  const returned = attachments.find(({ mimeType }) => RETURNED.has(mimeType))
  if (returned === undefined) return undefined
  const { default: PostalMime } = await import('postal-mime')
  return (await PostalMime.parse(textOf(returned), OPTIONS)).messageId
}

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString()

/** Fields of each block, by name in lower case; the first block is about the mail, the others about recipients. */
const blocksOf = (text: string): Map<string, string>[] =>
  text
    .replaceAll('\r\n', '\n')
    // Folded lines.
    .replaceAll(/\n[ \t]+/g, ' ')
    .trim()
    .split(/\n{2,}/)
    .map(
      (block) =>
        new Map(
          block.split('\n').map((line): [string, string] => {
            const colon = line.indexOf(':')
            return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
          }),
        ),
    )
