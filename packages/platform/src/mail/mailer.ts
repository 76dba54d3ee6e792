import { createTransport, type Transporter } from 'nodemailer'
import type { NodemailerError } from 'nodemailer/lib/errors'
import { validate } from 'uuid'
import type { Log } from '../telemetry/log.ts'
import { type ThrottledWarn, throttledWarn } from '../telemetry/throttled-warn.ts'
import type { RenderedMail } from './render-mail.ts'

/** Somebody who receives mail. */
export interface Mailbox {
  /** May be empty. */
  readonly name: string
  readonly address: string
}

/** What could end an address, or a header, and begin another: of the forms that standards allow, the ones in use. */
const ADDRESS = /^[^\s\p{Cc}<>()[\]\\,:;"@]+@[^\s\p{Cc}<>()\\,;"@]+$/u
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** Whether mail can be addressed to somebody: an address in the usual form, and a name of one line. */
export const isMailable = ({ name, address }: Mailbox): boolean =>
  ADDRESS.test(address) && address.length <= 254 && !CONTROL.test(name)

/** A mail on its way to one person. */
export interface OutgoingMail extends RenderedMail, MailReference {
  readonly senderName: string
  readonly to: Mailbox
  readonly replyTo?: string
  /** Where a POST ends mails like it, for mail programs that have a button for that (RFC 8058). */
  readonly unsubscribe?: string
}

/**
 * The server's answer:
 * - `sent`: it accepted the mail
 * - `bounced`: it will never accept mail for this address, because the mailbox does not exist
 * - `refused`: it will never accept this mail
 * - `deferred`: it did not accept the mail now, could not be reached, or refused the login
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
/** A server that sends its replies byte by byte is never idle, so the whole exchange has a limit. */
const SEND_TIMEOUT_MS = 60_000

/** Hands mails to the SMTP server. Connections are made when they are first needed, and kept for a while. */
export class Mailer {
  readonly #from: string
  readonly #transport: Transporter | undefined
  readonly #warn: ThrottledWarn | undefined
  #isUp: boolean | undefined

  /** Whether the server took or refused the last mail, instead of being away; undefined before the first mail. */
  get isUp(): boolean | undefined {
    return this.#isUp
  }

  /** @param log told that the server is away, and that it is back */
  constructor({ SMTP_URL, MAIL_FROM }: Settings, log?: Log) {
    this.#warn = log && throttledWarn(log, 'the mail server is away; mails wait')
    this.#from = MAIL_FROM
    this.#transport =
      SMTP_URL === undefined
        ? undefined
        : createTransport({
            pool: true,
            url: SMTP_URL,
            maxConnections: CONNECTIONS,
            // The caller schedules retries.
            maxRequeues: 0,
            connectionTimeout: CONNECT_TIMEOUT_MS,
            greetingTimeout: CONNECT_TIMEOUT_MS,
            dnsTimeout: CONNECT_TIMEOUT_MS,
            socketTimeout: SILENCE_TIMEOUT_MS,
            disableFileAccess: true,
            disableUrlAccess: true,
          })
  }

  /** Sends a mail once. @throws only for faults of this program; whatever the server answers is in the result */
  async send(mail: OutgoingMail): Promise<SendOutcome> {
    if (this.#transport === undefined) return { outcome: 'deferred', response: 'SMTP_URL is not set' }
    const named = [mail.to, { name: mail.senderName, address: mail.replyTo ?? this.#from }]
    if (!named.every(isMailable)) return { outcome: 'refused', response: 'An address or a name is malformed' }
    const messageId = messageIdOf(mail, this.#from.split('@')[1] ?? '')
    try {
      const { response } = await this.#transport.sendMail({
        messageId,
        from: { name: mail.senderName, address: this.#from },
        to: mail.to,
        envelope: { from: this.#from, to: [mail.to.address] },
        // The server then sends reports of failures, which carry the Message-ID (RFC 3461).
        dsn: { id: messageId, return: 'headers', notify: 'failure' },
        ...(mail.replyTo === undefined ? {} : { replyTo: mail.replyTo }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // No out-of-office notes in return (RFC 3834).
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(mail.unsubscribe !== undefined && {
            'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${mail.unsubscribe}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      })
      this.#note(true)
      return { outcome: 'sent', response: toResponseText(response ?? '') }
    } catch (error) {
      const failure = error as NodemailerError
      if (failure.code === undefined) throw error
      const outcome = outcomeOf(failure)
      // Whatever it says of the mailbox or the mail, the server is there and has accepted the login.
      this.#note(
        outcome !== 'deferred' || failure.command === 'RCPT TO' || failure.command === 'DATA',
        failure,
      )
      return { outcome, response: toResponseText(failure.response ?? failure.message) }
    }
  }

  #note(isUp: boolean, failure?: Error): void {
    this.#isUp = isUp
    if (isUp) this.#warn?.over()
    else this.#warn?.(failure)
  }

  /** Connects and logs in, without sending anything. @throws where the server cannot be reached or refuses the login */
  async verify(): Promise<void> {
    await this.#transport?.verify()
  }

  /** Finishes the mails that are being sent, and closes the connections. */
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
  const status = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1]
  const isGone = status === undefined ? NO_SUCH_MAILBOX.has(responseCode) : isMailboxGone(status)
  return isGone ? 'bounced' : 'refused'
}

/** A mail, and whose it is. */
export interface MailReference {
  readonly id: string
  readonly projectId: string
}

/** The Message-ID of a mail, by which a bounce is matched to it. The same at every attempt. */
export const messageIdOf = ({ id, projectId }: MailReference, domain: string): string =>
  `<${id}.${projectId}@${domain}>`

/** The mail that a Message-ID names, in angle brackets or without; undefined where it is none of ours. */
export function parseMessageId(text: string): MailReference | undefined {
  const [, id = '', projectId = ''] =
    /^\s*<?([0-9a-f-]{36})\.([0-9a-f-]{36})@[^\s<>@]+>?\s*$/.exec(text) ?? []
  return validate(id) && validate(projectId) ? { id, projectId } : undefined
}

/**
 * Whether an enhanced status code (RFC 3463) says that there is no such mailbox: `5.1.x` is about the address, save
 * `.7` and `.8`, which are about the sender's; `5.2.1` is a mailbox that was shut.
 */
export function isMailboxGone(status: string): boolean {
  const [, subject, detail] = /^5\.(\d{1,3})\.(\d{1,3})$/.exec(status) ?? []
  return (subject === '1' && detail !== '7' && detail !== '8') || (subject === '2' && detail === '1')
}

const LONGEST = 500

/** The response of a mail server, as it is stored: one line without control characters, cut. */
export const toResponseText = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
