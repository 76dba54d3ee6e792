import { type Kind, knownHost, knownName } from './known-referrers.ts'

const PAID = /^(cpc|ppc|cpm|cpv|paid.*|retargeting)$/
const DISPLAY = /^(display|banner|interstitial|expandable)$/

/** Where visitors came from: a name, and the kind of way. */
export interface Origin {
  readonly source: string
  readonly channel: string
}

/**
 * Names where somebody came from.
 * @param host of the referring page, or null
 * @param campaign the campaign that the address of the page names
 */
export function originOf(
  host: string | null,
  { source, medium, paidClick }: { source: string | null; medium: string | null; paidClick: boolean },
): Origin {
  const known = source !== null ? knownName(source) : host !== null ? knownHost(host) : undefined
  return {
    source: known?.name ?? source ?? host ?? 'Direct',
    channel: channelOf(known?.kind ?? null, (medium ?? '').toLowerCase(), paidClick, { source, host }),
  }
}

function channelOf(
  kind: Kind,
  medium: string,
  paidClick: boolean,
  { source, host }: { source: string | null; host: string | null },
): string {
  if (DISPLAY.test(medium)) return 'Display'
  if (paidClick || PAID.test(medium)) {
    if (kind === 'search') return 'Paid Search'
    return kind === 'social' ? 'Paid Social' : 'Paid Other'
  }
  if (medium === 'affiliate') return 'Affiliates'
  if (kind === 'mail' || /^e-?mail$|^newsletter$/.test(medium)) return 'Email'
  if (kind === 'assistant') return 'AI Assistants'
  if (kind === 'paid') return 'Paid Other'
  if (kind === 'social' || medium === 'social') return 'Organic Social'
  if (kind === 'search' || medium === 'organic') return 'Organic Search'
  return source || host ? 'Referral' : 'Direct'
}
