import { isIP } from 'node:net'
import type { FieldFault } from '../errors.ts'
import { isReachable, type OutboundRules } from './address.ts'

const MAX_LENGTH = 2_048

/**
 * What is wrong with a URL that a customer gives us to call; undefined where nothing is. To be asked when the URL is
 * registered; `SafeFetch` asks it again, and judges what the name resolves to.
 * @param field where the URL is in the request's body
 */
export function checkOutboundUrl(text: string, rules: OutboundRules, field = 'url'): FieldFault | undefined {
  const fault = (rule: string, message: string): FieldFault => ({ field, rule, message })
  if (text.length > MAX_LENGTH) return fault('length', `must have at most ${MAX_LENGTH} characters`)
  // The URL parser would silently drop line breaks and tabs, and trim the rest.
  if (/[\p{Cc}\s]/u.test(text)) return fault('characters', 'must not contain spaces or control characters')
  const url = URL.parse(text)
  if (url === null) return fault('format', 'must be a URL')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && rules.ALLOW_PRIVATE_NETWORKS))
    return fault('scheme', 'must be an https URL')
  if (url.username !== '' || url.password !== '') return fault('credentials', 'must not contain credentials')
  if (!isPortAllowed(url.port)) return fault('port', 'must use port 443, 80 or one from 1024 to 65535')
  const host = hostOf(url)
  if (isIP(host) > 0 ? !isReachable(host, rules) : isLocalName(host) && !rules.ALLOW_PRIVATE_NETWORKS)
    return fault('address', 'must lead to a public address')
  return undefined
}

/** The name or address that a URL leads to: an address without brackets, a name without its final dot. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** Names that mean this machine, whatever a name server says (RFC 6761). */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** The scheme's own port is the empty one: 443 of https, 80 of http. */
function isPortAllowed(port: string): boolean {
  return port === '' || port === '443' || port === '80' || Number(port) >= 1_024
}
