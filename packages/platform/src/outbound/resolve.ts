import { Resolver } from 'node:dns/promises'
import { isLocalName } from './outbound-url.ts'

/** All addresses of a host name. @throws an error whose `code` says why there are none */
export type Resolve = (name: string) => Promise<readonly string[]>

/** A name server gets this long for each of two tries, the second twice as long. */
const OPTIONS = { timeout: 2_000, tries: 2 }

/**
 * Asks the name servers. Not `dns.lookup`: that occupies one of libuv's four threads for as long as a customer's name
 * server likes, adds the machine's search domains and believes its hosts file.
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
