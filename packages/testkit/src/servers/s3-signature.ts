import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The one account there is; the name is S3rver's own. */
export const ACCESS_KEY_ID = 'S3RVER'

/** A clock may be off by this much. */
const SKEW_MS = 15 * 60_000

/** What a request says of its own signature. */
interface Claim {
  /** `<access key>/<date>/<region>/s3/aws4_request` */
  readonly credential: string
  readonly signedHeaders: readonly string[]
  readonly signature: string
  /** `20261121T090000Z` */
  readonly time: string
  /** Seconds that a signed URL works; undefined where the headers carry the signature. */
  readonly expires: number | undefined
  /** SHA-256 of the body, or the word that stands in its place. */
  readonly payload: string
}

/**
 * Checks a request's signature as S3 does (AWS Signature Version 4, in headers or in the query string), so that a URL
 * works for what it was signed for and for nothing else.
 * @returns what is wrong, by S3's names, or undefined
 */
export function signatureFault(request: IncomingMessage, secretAccessKey: string): string | undefined {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const claim = claimIn(request, new URLSearchParams(query))
  if (claim === undefined) return 'AccessDenied'
  const [id, ...scope] = claim.credential.split('/')
  if (id !== ACCESS_KEY_ID) return 'InvalidAccessKeyId'
  const age = Date.now() - timeOf(claim.time)
  if (!(age > -SKEW_MS)) return 'AccessDenied'
  if (!(age < (claim.expires === undefined ? SKEW_MS : claim.expires * 1_000))) return 'AccessDenied'

  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...claim.signedHeaders.map((name) => `${name}:${headerOf(request, name)}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payload,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', claim.time, scope.join('/'), sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return isSame(hmac(key, text).toString('hex'), claim.signature) ? undefined : 'SignatureDoesNotMatch'
}

function claimIn({ headers }: IncomingMessage, query: URLSearchParams): Claim | undefined {
  const header = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
    headers.authorization ?? '',
  )
  if (header) {
    const [, credential = '', signed = '', signature = ''] = header
    return {
      credential,
      signedHeaders: signed.split(';'),
      signature,
      time: String(headers['x-amz-date']),
      expires: undefined,
      payload: String(headers['x-amz-content-sha256']),
    }
  }
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: query.get('X-Amz-Credential') ?? '',
    signedHeaders: (query.get('X-Amz-SignedHeaders') ?? '').split(';'),
    signature: query.get('X-Amz-Signature') ?? '',
    time: query.get('X-Amz-Date') ?? '',
    expires: Number(query.get('X-Amz-Expires')),
    payload: 'UNSIGNED-PAYLOAD',
  }
}

/** As it came over the wire, in the order of the names. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
    .join('&')

const headerOf = (request: IncomingMessage, name: string): string =>
  String(request.headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ')

const timeOf = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
