import type { WebhookEvents } from './api.generated.ts'

/** Why a message is not to be trusted, or cannot be checked. */
export type WebhookFault =
  /** The body was parsed before it was verified: a program's mistake. */
  | 'PARSED_BODY'
  /** The secret, or the public key, is none. */
  | 'WRONG_SECRET'
  | 'MISSING_HEADER'
  /** It is too old, or one of the clocks is wrong. */
  | 'WRONG_TIME'
  | 'WRONG_SIGNATURE'
  | 'NOT_JSON'

export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** A verified message: `event.type` says what `event.data` is. A newer API may send types that are not listed here. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents]

/** `Headers`, or the headers of Node as they come. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const DEFAULT_TOLERANCE_S = 300

/**
 * Checks that a message is from Guildhall, and has not been changed or kept for later.
 * @param body the body as it came, in bytes or text
 * @param secrets the secret `whsec_…` or the public key `whpk_…` of the endpoint; while one is replaced, the old and the new one
 * @param tolerance seconds that the clocks may differ. Default: 300
 * @throws WebhookError: answer 400 then
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = DEFAULT_TOLERANCE_S, now = Date.now() }: { tolerance?: number; now?: number } = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string]
  checkTime(timestamp, now, tolerance)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  if (!(await isSigned(signed, signatures, [secrets].flat())))
    throw new WebhookError(
      'WRONG_SIGNATURE',
      'No signature fits: the message is not from Guildhall, the secret is that of another endpoint, or the body was changed on its way',
    )
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw new WebhookError('NOT_JSON', 'The body is not JSON', error)
  }
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookError(
    'PARSED_BODY',
    'The body was parsed before it was verified, so its bytes are lost. Pass the body as it came: `await request.text()`; in Express by `express.raw({ type: "application/json" })`; in Next.js by `bodyParser: false`; in Fastify by a content type parser with `parseAs: "buffer"`',
  )
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const text = typeof value === 'string' ? value : value?.[0]
  if (text === undefined || text === '')
    throw new WebhookError(
      'MISSING_HEADER',
      `The request has no header ${name}: it is no message of Guildhall`,
    )
  return text
}

function checkTime(timestamp: string, now: number, tolerance: number): void {
  const seconds = Math.round(now / 1000) - Number(timestamp)
  if (Math.abs(seconds) <= tolerance) return
  throw new WebhookError(
    'WRONG_TIME',
    Number.isNaN(seconds)
      ? 'The header webhook-timestamp is no time'
      : seconds > 0
        ? `The message was sent ${seconds} seconds ago by the clock of this machine: it is an old message, or the clock is fast`
        : `The message is from ${-seconds} seconds ahead by the clock of this machine: the clock is slow`,
  )
}

/** Whether one of the signatures fits one of the secrets. */
async function isSigned(
  signed: BufferSource,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const keys = await Promise.all(secrets.map(keyOf))
  for (const signature of signatures.split(' ')) {
    const [version, text = ''] = signature.split(',')
    const given = fromBase64(text)
    if (given === undefined) continue
    for (const { kind, key } of keys)
      if (kind === version && (await crypto.subtle.verify(key.algorithm, key, given, signed))) return true
  }
  return false
}

async function keyOf(secret: string): Promise<{ kind: 'v1' | 'v1a'; key: CryptoKey }> {
  const bytes = fromBase64(secret.slice('whsec_'.length))
  const isKnown = secret.startsWith('whsec_') || secret.startsWith('whpk_')
  if (!isKnown)
    throw new WebhookError(
      'WRONG_SECRET',
      'The secret of an endpoint begins with `whsec_`, and its public key with `whpk_`',
    )
  try {
    if (secret.startsWith('whsec_') && bytes !== undefined)
      return {
        kind: 'v1',
        key: await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
          'verify',
        ]),
      }
    const raw = fromBase64(secret.slice('whpk_'.length)) ?? new Uint8Array()
    return { kind: 'v1a', key: await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']) }
  } catch (error) {
    throw new WebhookError(
      'WRONG_SECRET',
      'The secret is cut off, or has characters that are not its own',
      error,
    )
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
