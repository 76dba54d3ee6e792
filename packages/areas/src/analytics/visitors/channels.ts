/** Hosts by what they are; a host below one of these is the same. */
const SEARCH: Readonly<Record<string, string>> = {
  google: 'Google',
  bing: 'Bing',
  yahoo: 'Yahoo',
  duckduckgo: 'DuckDuckGo',
  yandex: 'Yandex',
  baidu: 'Baidu',
  ecosia: 'Ecosia',
  qwant: 'Qwant',
  startpage: 'Startpage',
  brave: 'Brave Search',
  kagi: 'Kagi',
  naver: 'Naver',
  seznam: 'Seznam',
}
const SOCIAL: Readonly<Record<string, string>> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  't.co': 'X',
  'x.com': 'X',
  twitter: 'X',
  linkedin: 'LinkedIn',
  'lnkd.in': 'LinkedIn',
  reddit: 'Reddit',
  pinterest: 'Pinterest',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  threads: 'Threads',
  mastodon: 'Mastodon',
  bsky: 'Bluesky',
  ycombinator: 'Hacker News',
  discord: 'Discord',
  telegram: 'Telegram',
  't.me': 'Telegram',
}
const MAIL: Readonly<Record<string, string>> = {
  'mail.google.com': 'Gmail',
  'mail.yahoo.com': 'Yahoo Mail',
  'outlook.live.com': 'Outlook',
  'outlook.office.com': 'Outlook',
}

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
 * @param campaign what the address of the page said of it
 */
export function originOf(
  host: string | null,
  { source, medium, paidClick }: { source: string | null; medium: string | null; paidClick: boolean },
): Origin {
  const tagged = source === null ? undefined : knownName(source.toLowerCase())
  const known = source === null && host !== null ? knownHost(host) : tagged
  const name = known?.name ?? source ?? host ?? 'Direct'
  return {
    source: name,
    channel: channelOf(known?.kind, (medium ?? '').toLowerCase(), paidClick, { source, host }),
  }
}

type Kind = 'search' | 'social' | 'mail'

function channelOf(
  kind: Kind | undefined,
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
  if (kind === 'social' || medium === 'social') return 'Organic Social'
  if (kind === 'search' || medium === 'organic') return 'Organic Search'
  return source || host ? 'Referral' : 'Direct'
}

function knownHost(host: string): { name: string; kind: Kind } | undefined {
  const mail = MAIL[host]
  if (mail !== undefined) return { name: mail, kind: 'mail' }
  const labels = host.split('.')
  for (const [names, kind] of [
    [SEARCH, 'search'],
    [SOCIAL, 'social'],
  ] as const) {
    const found =
      names[host] ?? labels.map((label) => ownName(names, label)).find((name) => name !== undefined)
    if (found !== undefined && found !== null) return { name: found, kind }
  }
  return undefined
}

function knownName(name: string): { name: string; kind: Kind } | undefined {
  for (const [names, kind] of [
    [SEARCH, 'search'],
    [SOCIAL, 'social'],
  ] as const) {
    const found = ownName(names, name)
    if (found !== undefined) return { name: found, kind }
  }
  return undefined
}

const ownName = (names: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(names, name) ? names[name] : undefined
