import { randomBytes } from 'node:crypto'
import { dayAt } from '#areas/analytics/calendar.ts'
import { createGoal } from '#areas/analytics/goals/service.ts'
import type { Hit } from '#areas/analytics/ingestion/hit.ts'
import { writeHits } from '#areas/analytics/ingestion/write-hits.ts'
import { readPageAddress } from '#areas/analytics/visitors/page-address.ts'
import { readUserAgent } from '#areas/analytics/visitors/user-agent.ts'
import { visitorOf } from '#areas/analytics/visitors/visitor.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { type Dice, rollDice } from '#platform/values/dice.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const ZONE = 'UTC'
/** Events that are stored with one statement. */
const BATCH = 2_000
/** The traffic is the same at each start. */
const SEED = 20_261_123

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
]
const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://news.ycombinator.com/',
  'https://blog.example.org/clubs',
]
const PAGES = ['/', '/pricing', '/courses', '/courses/analysis', '/blog/first-year', '/join']
const COUNTRIES = ['DE', 'US', 'GB', 'FR', 'IN', null]

/**
 * Makes three months of traffic of a site that grows, with weekends, bots, two goals and members among its visitors.
 * @param memberIds stored ids
 */
export async function seedAnalytics(
  ctx: Context,
  memberIds: readonly string[],
  now = Date.now(),
): Promise<void> {
  await createGoal(ctx, { name: 'Signed up', event: 'signup' })
  await createGoal(ctx, { name: 'Looked at prices', page: '/pricing' })
  const hits: Hit[] = []
  const dice = rollDice(SEED)
  for (let back = DAYS - 1; back >= 0; back--)
    hits.push(...trafficOf(dice, now - back * DAY_MS, { back, memberIds, now }))
  for (let start = 0; start < hits.length; start += BATCH)
    await writeHits(ctx, hits.slice(start, start + BATCH))
}

interface Traffic {
  /** Days before today. */
  readonly back: number
  readonly memberIds: readonly string[]
  readonly now: number
}

function trafficOf(dice: Dice, time: number, { back, memberIds, now }: Traffic): Hit[] {
  const midnight = Date.parse(`${dayAt(ZONE, time)}T00:00:00Z`)
  const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay())
  const visits = Math.round((30 + (DAYS - back) / 2) * (isWeekend ? 0.6 : 1) * (0.8 + part(dice) * 0.4))
  // Thrown away with this function, as salts are.
  const salt = randomBytes(32).toString('base64')
  return Array.from({ length: visits }, (_, i) => {
    const begins = midnight + (7 + part(dice) * 15) * 60 * MINUTE_MS
    return visitOf(dice, { salt, begins, person: i }, memberIds)
  })
    .flat()
    .filter(({ at }) => at.getTime() <= now)
}

interface Visit {
  readonly salt: string
  /** In milliseconds. */
  readonly begins: number
  readonly person: number
}

function visitOf(dice: Dice, { salt, begins, person }: Visit, memberIds: readonly string[]): Hit[] {
  const agent = dice.one(AGENTS)
  const country = dice.one(COUNTRIES)
  const member = dice.chance(0.1) ? dice.one(memberIds) : null
  const length = 1 + dice.upTo(5)
  const day = dayAt(ZONE, begins)
  return Array.from({ length }, (_, step): Hit => {
    const at = begins + step * (0.5 + part(dice) * 4) * MINUTE_MS
    const name = step > 0 && dice.chance(0.15) ? dice.one(['signup', 'play', 'download']) : null
    const url = `https://example.com${step === 0 && dice.chance(0.2) ? '/?utm_source=newsletter&utm_medium=email' : dice.one(PAGES)}`
    return {
      id: newUuid(),
      at: new Date(at),
      received_at: new Date(at),
      name,
      visitor: visitorOf(salt, day, `${person} ${agent}`),
      ...readUserAgent(agent),
      member_id: member ?? null,
      session_id: null,
      title: null,
      ...readPageAddress(url, step === 0 ? dice.one(REFERRERS) : 'https://example.com/'),
      country: country ?? null,
      screen: null,
      properties: name === null ? null : JSON.stringify({ plan: dice.one(['free', 'supporter']) }),
      event_key: null,
      day,
    }
  })
}

/** A number from 0 to 1. */
const part = (dice: Dice): number => dice.upTo(10_000) / 10_000
