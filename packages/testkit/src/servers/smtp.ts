import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** What the server answers in place of taking something: like `550 5.1.1 No such user`. */
export type Refusal = string

/** When the server refuses what; undefined takes it. */
export interface Manners {
  readonly login?: () => Refusal | undefined
  readonly sender?: (address: string) => Refusal | undefined
  readonly recipient?: (address: string) => Refusal | undefined
  readonly message?: () => Refusal | undefined
}

/** A mail that the server took. */
export interface CaughtMail extends Email {
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** As it came over the wire. */
  readonly raw: string
}

/** A real SMTP server on loopback. */
export interface TestSmtp {
  readonly url: string
  /** What it took, the oldest first. */
  readonly mails: CaughtMail[]
  /** How it behaves from now on. */
  behave(manners: Manners): void
  close(): Promise<void>
}

/** @param port to bring a closed one back */
export async function startSmtp({ port = 0 }: { port?: number } = {}): Promise<TestSmtp> {
  const mails: CaughtMail[] = []
  let manners: Manners = {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth: (auth, _session, done) => {
      const refusal = manners.login?.()
      done(refusal === undefined ? null : toError(refusal), { user: auth.username ?? '' })
    },
    onMailFrom: ({ address }, _session, done) => done(toError(manners.sender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(toError(manners.recipient?.(address))),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const refusal = toError(manners.message?.())
        if (refusal) return done(refusal)
        const raw = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        const envelope = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
        }
        mails.push({ ...(await PostalMime.parse(raw)), envelope, raw: raw.toString() })
        done(null, '2.0.0 Taken')
      })
    },
  })
  // A client may go away in the middle.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    behave: (next) => {
      manners = next
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function toError(refusal: Refusal | undefined): Error | null {
  if (refusal === undefined) return null
  const [, code, text] = /^(\d{3}) (.*)$/.exec(refusal) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}
