import { originOf } from './channels.ts'
import { siteOfApp } from './known-referrers.ts'
import { shortPath } from './page-path.ts'

/** What the address of a page, and of the one before, say. */
export interface PageAddress {
  readonly host: string | null
  readonly path: string | null
  readonly referrer: string | null
  readonly source: string
  readonly channel: string
  readonly utm_source: string | null
  readonly utm_medium: string | null
  readonly utm_campaign: string | null
  readonly utm_term: string | null
  readonly utm_content: string | null
}

/** Characters that are kept of each. */
const LONGEST_PATH = 1_000
const LONGEST_REFERRER = 500
const LONGEST_TAG = 200
const PAID_CLICKS = ['gclid', 'msclkid']

/**
 * Reads the address of a page. Its query is not kept, because it can tell who somebody is; of it count the campaign's
 * tags alone.
 */
export function readPageAddress(url: string | undefined, referrer: string | undefined): PageAddress {
  if (url === undefined && (referrer === undefined || referrer === '')) return NOWHERE
  const page = url === undefined ? null : URL.parse(url)
  const before = referrer === undefined || referrer === '' ? null : URL.parse(referrer)
  const host = page === null ? null : siteOf(page.hostname)
  const from = before === null ? null : senderOf(before)
  // A page of the same site is no way to it.
  const outside = from === host ? null : from
  const tag = (name: string) => page?.searchParams.get(name)?.trim().slice(0, LONGEST_TAG) || null
  const source = tag('utm_source') ?? tag('ref')
  const medium = tag('utm_medium')
  return {
    host,
    path: page === null ? null : shortPath(page.pathname, LONGEST_PATH),
    referrer:
      outside === null || before === null ? null : shortPath(outside + before.pathname, LONGEST_REFERRER),
    ...originOf(outside, { source, medium, paidClick: PAID_CLICKS.some((name) => tag(name) !== null) }),
    utm_source: tag('utm_source'),
    utm_medium: medium,
    utm_campaign: tag('utm_campaign'),
    utm_term: tag('utm_term'),
    utm_content: tag('utm_content'),
  }
}

/** Of events that name no page. */
const NOWHERE: PageAddress = {
  ...{ host: null, path: null, referrer: null },
  ...originOf(null, { source: null, medium: null, paidClick: false }),
  ...{ utm_source: null, utm_medium: null, utm_campaign: null, utm_term: null, utm_content: null },
}

/** The site or the app of a referrer; null where it is neither. */
function senderOf({ protocol, hostname }: URL): string | null {
  if (/^https?:$/.test(protocol)) return siteOf(hostname)
  return protocol === 'android-app:' && hostname !== '' ? siteOfApp(hostname) : null
}

/** A name at the root of all names ends with a dot, and is the same without. */
const siteOf = (host: string): string => host.replace(/^www\./, '').replace(/\.$/, '')
