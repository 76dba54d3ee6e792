import { isIP } from 'node:net'
import { invalidField } from '#platform/errors.ts'
import { originsOf, type Places } from '#platform/http/project-site.ts'

/**
 * The domain that a passkey is for (WebAuthn's relying party id): the one that is asked for, by itself that of the page
 * that asks, or the only one there is. Pages of that domain and of those below it can use the passkey.
 * @param origin of the page that asks, where a browser says it
 * @throws ApiError 422 where no page of the project may use passkeys of that domain
 */
export function relyingParty(places: Places, wanted: string | undefined, origin: string | undefined): string {
  const origins = originsOf(places)
  const hosts = [...new Set(origins.map(hostOf))]
  const own = origin !== undefined && origins.includes(origin) ? hostOf(origin) : undefined
  const rpId =
    wanted?.toLowerCase() ?? own ?? (origin === undefined && hosts.length === 1 ? hosts[0] : undefined)
  if (rpId === undefined || isIP(rpId) !== 0 || !hosts.some((host) => isWithin(host, rpId)))
    throw invalidField('rp_id', 'allowed', 'is not the domain of a page that this project allows')
  return rpId
}

/** The origins of a project's pages that may use passkeys of a domain. */
export const originsWithin = (places: Places, rpId: string): string[] =>
  originsOf(places).filter((origin) => isWithin(hostOf(origin), rpId))

const hostOf = (origin: string): string => new URL(origin).hostname

/** Browsers refuse what is no domain to register below, such as `com` or `co.uk`; names without a dot we refuse too. */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain.includes('.') && host.endsWith(`.${domain}`))
