import { createHmac, randomBytes } from 'node:crypto'
import { Failure } from '../failure.ts'

const PREFIX = 'whsec_'
/** 256 bits, within the 192 to 512 of Standard Webhooks. */
const KEY_BYTES = 32

/** A new signing secret, as an endpoint has one. */
export const makeSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64')

/** Signs messages as webhooks are signed, by Standard Webhooks. */
export class Signer {
  readonly #key: Buffer

  /** @throws Failure for what is no secret `whsec_…` */
  constructor(secret: string) {
    this.#key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    if (!secret.startsWith(PREFIX) || this.#key.length < 24 || this.#key.length > 64)
      throw new Failure('--secret needs a signing secret: whsec_ and 24 to 64 bytes in base64', 2)
  }

  /** The headers of a message that is sent now. */
  sign(id: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', this.#key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  }
}
