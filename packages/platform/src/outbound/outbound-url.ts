import { isIP } from 'node:net'
import type { FieldFault } from '../errors.ts'
import { allowsLoopback, isAllowedNetwork, isReachable, type OutboundRules } from './address.ts'

const MAX_LENGTH = 2_048

/**
 * The fault of a URL of a customer that we are to call; undefined if there is none. Check it when the URL is stored;
 * `SafeFetch` checks it again, together with the addresses of the host.
 * @param field the field of the URL in the body
 */
export function checkOutboundUrl(text: string, rules: OutboundRules, field = 'url'): FieldFault | undefined {
  const fault = (rule: string, message: string): FieldFault => ({ field, rule, message })
  if (text.length > MAX_LENGTH) return fault('length', `must have at most ${MAX_LENGTH} characters`)
  // The URL parser would remove line breaks and tabs silently, and trim the rest.
  if (/[\p{Cc}\s]/u.test(text)) return fault('characters', 'must not contain spaces or control characters')
  const url = URL.parse(text)
  if (url === null) return fault('format', 'must be a URL')
  const host = hostOf(url)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBePlain(host, rules)))
    return fault('scheme', 'must be an https URL')
  if (url.username !== '' || url.password !== '') return fault('credentials', 'must not contain credentials')
  if (!isPortAllowed(url.port)) return fault('port', 'must use port 443, 80 or one from 1024 to 65535')
  if (isIP(host) > 0 ? !isReachable(host, rules) : isLocalName(host) && !allowsLoopback(rules))
    return fault('address', 'must lead to a public address')
  return undefined
}

/** The host of a URL: an address without brackets, or a name without its final dot. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/**
 * Whether http may lead to a host: a public address needs https. The addresses of a name are known only when it is called, and
 * `SafeFetch` checks them.
 */
function mayBePlain(host: string, rules: OutboundRules): boolean {
  if (rules.ALLOW_PRIVATE_NETWORKS.length === 0) return false
  return isIP(host) === 0 || isAllowedNetwork(host, rules) || !isReachable(host, rules)
}

/** Names that mean this machine, whatever a name server says (RFC 6761). */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

/** The default port of the scheme is empty: 443 for https, 80 for http. */
function isPortAllowed(port: string): boolean {
  return port === '' || port === '443' || port === '80' || Number(port) >= 1_024
}
