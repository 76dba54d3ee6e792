/** Traffic of a site as it is sent: made from a seed, so that every run has the same. */

/** An event that somebody sends, and what is true of it. */
export interface Sent {
  /** When it is sent, and when it happened, in milliseconds. */
  readonly arrival: number
  readonly at: number
  readonly event_id: string | null
  readonly ip: string
  readonly agent: Agent
  readonly country: string
  /** The place of the member among those of the project; null for strangers. */
  readonly member: number | null
  readonly name: string | null
  readonly path: string | null
  readonly origin: Origin
  readonly campaign: string | null
  readonly plan: string | null
}

interface Agent {
  readonly text: string
  readonly bot: boolean
  readonly device: string | null
  readonly browser: string | null
  readonly os: string | null
}
const AGENTS: readonly Agent[] = [
  {
    text: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36',
    ...{ bot: false, device: 'desktop', browser: 'Chrome', os: 'Windows' },
  },
  {
    text: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...{ bot: false, device: 'desktop', browser: 'Firefox', os: 'Linux' },
  },
  {
    text: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    ...{ bot: false, device: 'mobile', browser: 'Safari', os: 'iOS' },
  },
]
const BOT: Agent = {
  text: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ...{ bot: true, device: null, browser: 'Googlebot', os: null },
}

interface Origin {
  readonly referrer: string
  /** What is kept of it. */
  readonly kept: string | null
  readonly source: string
  readonly channel: string
}
const DIRECT: Origin = { referrer: '', kept: null, source: 'Direct', channel: 'Direct' }
const ORIGINS: readonly Origin[] = [
  DIRECT,
  {
    referrer: 'https://www.google.com/search?q=a',
    ...{ kept: 'google.com/search', source: 'Google', channel: 'Organic Search' },
  },
  { referrer: 'https://t.co/abc', kept: 't.co/abc', source: 'X', channel: 'Organic Social' },
  {
    referrer: 'https://blog.example.org/post',
    ...{ kept: 'blog.example.org/post', source: 'blog.example.org', channel: 'Referral' },
  },
]

const PAGES = ['/', '/pricing', '/docs/a', '/docs/b', '/docs/b/c', '/welcome', '/blog/été']
const PLANS = ['supporter', 'patron']
const COUNTRIES = ['DE', 'US'] as const
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
/** What is sent in the same so many hours comes as one. */
export const SLOT = 6 * HOUR

/** Numbers from 0 up to 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** @param first a midnight in UTC, in milliseconds */
export function makeTraffic(seed: number, first: number, days: number, people: number): Sent[] {
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const sent: Sent[] = []
  for (let person = 0; person < people; person++) {
    const agent = person % 9 === 8 ? BOT : pick(AGENTS)
    const who = {
      ip: `198.51.100.${person}`,
      agent,
      country: COUNTRIES[person % 2] as string,
      member: person % 5 === 0 ? person / 5 : null,
    }
    let at = first + random() * 2 * DAY
    while (at < first + days * DAY) {
      // A visit, or several: pauses are longer than half an hour now and then.
      const origin = pick(ORIGINS)
      const campaign = origin === DIRECT && random() < 0.3 ? pick(['spring', 'autumn']) : null
      const length = 1 + Math.floor(random() * 6)
      for (let step = 0; step < length; step++) {
        const isEvent = step > 0 && random() < 0.3
        const late = random() < 0.05 ? random() * 5.5 * DAY : random() * 20 * MINUTE
        const event: Sent = {
          ...who,
          at: Math.floor(at),
          arrival: Math.ceil((at + late) / SLOT) * SLOT,
          event_id: random() < 0.3 ? `e${sent.length}` : null,
          name: isEvent ? pick(['signup', 'purchase', 'play']) : null,
          path: isEvent ? null : pick(PAGES),
          origin: step === 0 ? origin : DIRECT,
          campaign: step === 0 ? campaign : null,
          plan: isEvent ? pick(PLANS) : null,
        }
        sent.push(event)
        // Some come twice: at once, or days later.
        if (event.event_id !== null && random() < 0.3)
          sent.push({
            ...event,
            arrival: Math.min(event.arrival + Math.floor(random() * 8) * SLOT, latest(event)),
          })
        at += MINUTE + random() * (random() < 0.15 ? 50 : 14) * MINUTE
      }
      at += (0.3 + random() * 2.2) * DAY
    }
  }
  return shuffled(sent, random)
}

/** The last time at which an event is still taken. */
const latest = ({ at }: { at: number }) => Math.floor((at + 7 * DAY) / SLOT) * SLOT

function shuffled<T>(values: T[], random: () => number): T[] {
  const result = [...values]
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[result[i], result[j]] = [result[j] as T, result[i] as T]
  }
  return result
}

/** The event as a server sends it. */
export function toBody(sent: Sent, members: readonly string[]): object {
  const { at, event_id, ip, agent, member, name, path, origin, campaign, plan } = sent
  return {
    timestamp: new Date(at).toISOString(),
    ip,
    user_agent: agent.text,
    ...(event_id !== null && { event_id }),
    ...(member !== null && { user_id: members[member] }),
    ...(name === null
      ? {
          type: 'pageview',
          url: `https://www.example.com${path}${campaign === null ? '?q=1#top' : `?utm_source=news&utm_medium=email&utm_campaign=${campaign}`}`,
          referrer: origin.referrer,
        }
      : { event: name, properties: { plan, steps: 3 } }),
  }
}
