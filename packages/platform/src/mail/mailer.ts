import { createTransport, type Transporter } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { isMailable, type Mailbox } from './mailbox.ts'
import type { RenderedMail } from './render-mail.ts'

/** A mail on its way to one person. */
export interface OutgoingMail extends RenderedMail {
  /** Becomes the Message-ID, the same at every attempt. */
  readonly id: string
  readonly senderName: string
  readonly to: Mailbox
  readonly replyTo?: string
}

/**
 * What the server said, in its words:
 * - `sent`: it took the mail over
 * - `bounced`: it will never take mail for this address, because there is no such mailbox
 * - `refused`: it will never take this mail
 * - `deferred`: not now; or there is no server, or it does not let us in
 */
export interface SendOutcome {
  readonly outcome: 'sent' | 'bounced' | 'refused' | 'deferred'
  readonly response: string
}

interface Settings {
  readonly SMTP_URL?: string | undefined
  readonly MAIL_FROM: string
}

const CONNECTIONS = 5
const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000
/** A server that trickles its replies is never silent. */
const SEND_TIMEOUT_MS = 60_000
const LONGEST_RESPONSE = 500

/** Hands mails to the SMTP server. Connections are made when they are first needed, and kept for a while. */
export class Mailer {
  readonly #from: string
  readonly #transport: Transporter | undefined

  constructor({ SMTP_URL, MAIL_FROM }: Settings) {
    this.#from = MAIL_FROM
    this.#transport =
      SMTP_URL === undefined
        ? undefined
        : createTransport({
            pool: true,
            url: SMTP_URL,
            maxConnections: CONNECTIONS,
            // Whoever calls keeps the schedule of retries.
            maxRequeues: 0,
            connectionTimeout: CONNECT_TIMEOUT_MS,
            greetingTimeout: CONNECT_TIMEOUT_MS,
            dnsTimeout: CONNECT_TIMEOUT_MS,
            socketTimeout: SILENCE_TIMEOUT_MS,
            disableFileAccess: true,
            disableUrlAccess: true,
          })
  }

  /** Sends a mail once. @throws only where we are at fault; whatever the server does is in the result */
  async send(mail: OutgoingMail): Promise<SendOutcome> {
    if (this.#transport === undefined) return { outcome: 'deferred', response: 'SMTP_URL is not set' }
    const named = [mail.to, { name: mail.senderName, address: mail.replyTo ?? this.#from }]
    if (!named.every(isMailable)) return { outcome: 'refused', response: 'An address or a name is malformed' }
    try {
      const { response } = await this.#transport.sendMail({
        messageId: `<${mail.id}@${this.#from.split('@')[1]}>`,
        from: { name: mail.senderName, address: this.#from },
        to: mail.to,
        envelope: { from: this.#from, to: [mail.to.address] },
        ...(mail.replyTo === undefined ? {} : { replyTo: mail.replyTo }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // No out-of-office notes in return (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      return { outcome: 'sent', response: toText(response ?? '') }
    } catch (error) {
      const failure = error as NodemailerError
      if (failure.code === undefined) throw error
      return { outcome: outcomeOf(failure), response: toText(failure.response ?? failure.message) }
    }
  }

  /** Lets mails that are being sent go out, and closes the connections. */
  close(): void {
    this.#transport?.close()
  }
}

/** Replies to RCPT TO that speak of the mailbox where they carry no enhanced status code (RFC 5321, 7504). */
const NO_SUCH_MAILBOX = new Set([521, 550, 551, 553, 556])

function outcomeOf({
  command,
  responseCode = 0,
  permanent,
  response = '',
}: NodemailerError): SendOutcome['outcome'] {
  // An address that cannot be written down in SMTP.
  if (command === 'API') return 'refused'
  // What concerns our sender or login may be put right on our side.
  if (permanent !== true || (command !== 'RCPT TO' && command !== 'DATA')) return 'deferred'
  if (command === 'DATA') return 'refused'
  const [, subject, detail] = /^\d{3}[ -]5\.(\d{1,3})\.(\d{1,3})\b/.exec(response) ?? []
  if (subject === undefined) return NO_SUCH_MAILBOX.has(responseCode) ? 'bounced' : 'refused'
  // RFC 3463: x.1 is about the address, save .7 and .8, which are about the sender's; x.2.1 is a mailbox that was shut.
  const isGone = (subject === '1' && detail !== '7' && detail !== '8') || (subject === '2' && detail === '1')
  return isGone ? 'bounced' : 'refused'
}

const toText = (response: string): string => response.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_RESPONSE)
