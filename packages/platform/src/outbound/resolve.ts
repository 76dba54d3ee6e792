import { Resolver } from 'node:dns/promises'
import { isLocalName } from './outbound-url.ts'

/** All addresses of a host name. @throws an error whose `code` says why there are none */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The timeout of the first of two queries; the second has twice as long. */
const OPTIONS = { timeout: 2_000, tries: 2 }

/**
 * Queries name servers. It does not use `dns.lookup`, which occupies one of four threads of libuv until a slow name
 * server answers, adds the search domains of the machine and reads its hosts file.
 */
export function makeResolve(): Resolve {
  const resolver = new Resolver(OPTIONS)
  return async (name) => {
    if (isLocalName(name)) return ['127.0.0.1', '::1']
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [ipv4, ipv6].flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    if (found.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
    return found
  }
}
