import type { FastifyRequest } from 'fastify'
import { FORWARDED, REFUSED } from '../../cells/forward-header.ts'

/** Headers of one connection, which are not forwarded (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]
/** What proxies say of the client: the signed header says it in their place. */
const OF_PROXIES = [
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
]
const LEFT_OUT = new Set([...HOP_BY_HOP, ...OF_PROXIES, FORWARDED, REFUSED, 'x-request-id', 'content-length'])

/** Headers that the connection names are of it alone. */
const namedIn = (connection: string | undefined): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))

/** The headers of a request for another cell, as a list of names and values. */
export function headersFor(request: FastifyRequest, forwarded: string, body: unknown): string[] {
  const { rawHeaders, headers } = request.raw
  const named = namedIn(headers.connection)
  const sent: string[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = String(rawHeaders[i]).toLowerCase()
    if (!LEFT_OUT.has(name) && !named.has(name)) sent.push(name, String(rawHeaders[i + 1]))
  }
  sent.push(FORWARDED, forwarded, 'x-request-id', request.id)
  // A body that was kept is sent as long as it is; undici says so by itself.
  const length = headers['content-length']
  if (body === request.raw && length !== undefined) sent.push('content-length', length)
  return sent
}

/** The headers of an answer of another cell for its client. */
export function headersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const named = namedIn(typeof headers.connection === 'string' ? headers.connection : undefined)
  const all: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !HOP_BY_HOP.includes(name) && !named.has(name)) all[name] = value
  return all
}
