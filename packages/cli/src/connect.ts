import { createClient, type Guildhall } from '../../sdk/src/guildhall.ts'
import { apiKeyOf, assertUrl, urlOf } from './config.ts'
import { type Kept, readKept } from './credentials.ts'
import { type DeviceTokens, renewTokens } from './device.ts'
import { Failure } from './failure.ts'
import type { Given } from './options.ts'

/** A connection to a project. */
export interface Connection {
  readonly url: string
  readonly guildhall: Guildhall
  readonly kept: Kept
  /** With a log-in by a browser: who that is, and on which project. @throws GuildhallError, Failure */
  readonly operator: (() => Promise<DeviceTokens>) | undefined
}

/** Seconds before its end in which a token is not used any more. */
const MARGIN_S = 30

/**
 * Connects with the key that was given, or the log-in that is kept.
 * @throws Failure where there is neither
 */
export async function connect(given: Given): Promise<Connection> {
  const kept = await credentialOf(given)
  const { url } = kept
  if (kept.kind === 'key')
    return { url, kept, operator: undefined, guildhall: clientOf({ baseUrl: url, key: kept.key }) }
  let tokens: DeviceTokens | undefined
  let endsAt = 0
  let renewing: Promise<DeviceTokens> | undefined
  const renew = () => {
    renewing ??= renewTokens(url, kept.refreshToken).finally(() => {
      renewing = undefined
    })
    return renewing
  }
  const operator = async (refused?: string): Promise<DeviceTokens> => {
    if (tokens === undefined || tokens.access_token === refused || Date.now() > endsAt) {
      tokens = await renew()
      endsAt = Date.now() + (tokens.expires_in - MARGIN_S) * 1_000
    }
    return tokens
  }
  const token = async (refused?: string) => (await operator(refused)).access_token
  return { url, kept, operator: () => operator(), guildhall: clientOf({ baseUrl: url, token }) }
}

async function credentialOf(given: Given): Promise<Kept> {
  const key = apiKeyOf(given)
  const url = urlOf(given)
  const kept = key !== undefined && url !== undefined ? undefined : await readKept()
  if (key !== undefined)
    return { kind: 'key', url: originOf(assertUrl(url ?? kept?.url)), key: secretKeyOf(key) }
  if (kept === undefined)
    throw new Failure('You are not logged in: guildhall-cli login --url https://api.example.com')
  // A log-in is never sent to another address than its own.
  if (url !== undefined && originOf(url) !== kept.url)
    throw new Failure(
      `You are logged in at ${kept.url}: log in at ${originOf(url)}, or leave out the address`,
    )
  return kept
}

/** @throws Failure for anything but a secret key */
export function secretKeyOf(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key) && key.includes('_sk_')) return key
  throw new Failure('This is no secret key: one begins with svc_sk_live_ or svc_sk_test_', 2)
}

/** The address of the API, as it is kept. @throws Failure for one that is none, or that would send a key unencrypted */
export function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url))
    throw new Failure(`'${url}' is no address of an API: give one like https://api.example.com`, 2)
  const { protocol, hostname } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost')
  if (protocol === 'http:' && !isLocal)
    throw new Failure(`${url} is not encrypted: everybody on the way could read the key. Use https://`, 2)
  return url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

function clientOf(options: Parameters<typeof createClient>[0]): Guildhall {
  return createClient({ ...options, headers: { 'user-agent': 'guildhall-cli/0.1.0' } })
}
