import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCountryDatabase } from '#testkit/areas/analytics/country-database.ts'
import { followedWrongly } from '#testkit/areas/analytics/followed.ts'
import { makeTraffic, type Sent, SLOT, toBody } from '#testkit/areas/analytics/traffic.ts'
import { TRUE_DIMENSIONS, type TrueGroup, trueGroups, writeTruth } from '#testkit/areas/analytics/truth.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { claimDay } from './roll-ups/claim.ts'
import { rollUpDay } from './roll-ups/roll-up-day.ts'

// A month of traffic, sent as a site's server sends it, with late, repeated and unordered events, bots, and a worker that
// is away for three days and killed twice. Every report is compared with what plain SQL says of everything that was sent.

const ZONE = 'America/New_York'
const DAY = 86_400_000
/** Clocks go back on the 1st of November. */
const FIRST = Date.parse('2026-10-12T00:00:00Z')
const DAYS = 28
const END = FIRST + DAYS * DAY
const AWAY = { from: FIRST + 12 * DAY, until: FIRST + 15 * DAY }
const KILLED = new Set([FIRST + 8 * DAY, FIRST + 20 * DAY])

interface Body<T> {
  data: T
}
type Point = { start: string } & TrueGroup

const folder = mkdtempSync(join(tmpdir(), 'guildhall-month-'))
let api: TestApi
let side: Side
let sent: Sent[]
let members: string[]
const differences: string[] = []

beforeAll(async () => {
  // Clocks are handed in: only dates are made up, timers run as they are.
  vi.useFakeTimers({ toFake: ['Date'], now: FIRST })
  sent = makeTraffic(7, FIRST, DAYS, 40)
  const database = join(folder, 'countries.mmdb')
  writeFileSync(
    database,
    makeCountryDatabase(Object.fromEntries(sent.map(({ ip, country }) => [`${ip}/32`, country]))),
  )
  api = await startApi({ environment: { GEOIP_DATABASE: database } })
  side = (await makeProjects(api))[0].live
  await api.owner.query('update projects set timezone = $1 where id = $2', [ZONE, side.projectId])
  members = []
  for (let i = 0; i < 8; i++) members.push((await side.makeMember()).id)
  for (const goal of [{ event: 'purchase' }, { page: '/docs/**' }, { page: '/welcome' }])
    await side.admin.post('/analytics/goals', goal)
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
  rmSync(folder, { recursive: true })
})

/** Rolls up whatever is due, as the worker does. */
async function work(): Promise<void> {
  for (;;) {
    const now = Date.now()
    const claimed = await side.write((ctx) => claimDay(ctx, now))
    if (claimed === undefined) return
    await side.write((ctx) => rollUpDay(ctx, claimed, now))
  }
}

/** A worker that dies in the middle of a roll-up, having claimed the day. */
async function die(): Promise<void> {
  const claimed = await side.write((ctx) => claimDay(ctx, Date.now()))
  if (claimed === undefined) return
  const dying = side.write(async (ctx) => {
    await rollUpDay(ctx, claimed, Date.now())
    throw new Error('killed')
  })
  await expect(dying).rejects.toThrow('killed')
}

async function send(now: number): Promise<void> {
  vi.setSystemTime(now)
  const events = sent.filter(({ arrival }) => arrival === now).map((each) => toBody(each, members))
  if (events.length === 0) return
  const { body } = await side.admin.post<Body<{ status: string }[]>>('/analytics/batch', { events })
  expect(body.data.filter(({ status }) => status === 'rejected')).toEqual([])
}

/** Sends what is to be sent up to a time, while the worker does what it does. */
async function live(from: number, until: number): Promise<void> {
  for (let now = from; now < until; now += SLOT) {
    await send(now)
    if (now >= AWAY.from && now < AWAY.until) continue
    if (KILLED.has(now)) await die()
    else await work()
  }
}

async function truth(until: number): Promise<void> {
  await writeTruth(
    api.owner,
    ZONE,
    sent.filter(({ arrival }) => arrival < until),
  )
}

function compare(what: string, found: Record<string, TrueGroup>, wanted: Record<string, TrueGroup>): void {
  for (const key of new Set([...Object.keys(found), ...Object.keys(wanted)])) {
    const [one, other] = [found[key], wanted[key]]
    const names = Object.keys({ ...one, ...other }).filter((name) => one?.[name] !== other?.[name])
    if (names.length > 0)
      differences.push(
        `${what} ${key}: ${names.map((name) => `${name} ${one?.[name]} for ${other?.[name]}`)}`,
      )
  }
}

async function get<T>(path: string): Promise<T> {
  const { status, body } = await side.admin.get<Body<T>>(`/analytics/${path}`)
  expect({ path, status, body }).toMatchObject({ status: 200 })
  return body.data
}
/** The beginning of a day in a zone. */
const start = (day: string, zone: string) => `('${day}'::timestamp at time zone '${zone}')`
const range = (from: string, until: string, zone: string) => ({
  from: start(from, zone),
  until: `(('${until}'::date + 1)::timestamp at time zone '${zone}')`,
})

async function compareStats(from: string, until: string, zone: string, more = ''): Promise<void> {
  const path = `stats?start_date=${from}&end_date=${until}&timezone=${zone}${more}`
  const found = await get<TrueGroup>(path)
  const wanted = await trueGroups(api.owner, range(from, until, zone))
  compare(path, found.visits === 0 ? {} : { '': found }, wanted)
}

async function compareSeries(interval: string, from: string, until: string, zone: string): Promise<void> {
  const path = `timeseries?interval=${interval}&start_date=${from}&end_date=${until}&timezone=${zone}`
  const { points } = await get<{ points: Point[] }>(path)
  const found = points.map(({ start, ...numbers }) => [start, numbers as TrueGroup] as const)
  const by = `to_char(date_trunc('${interval}', at, '${zone}') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const wanted = await trueGroups(api.owner, { ...range(from, until, zone), by })
  // A point where nothing happened is there, and is all zeros.
  const empty = found.filter(([, { visits }]) => visits === 0)
  for (const [key, numbers] of empty)
    if (Object.values(numbers).some((number) => number !== 0)) differences.push(`${path} ${key} is not empty`)
  compare(path, Object.fromEntries(found.filter(([, { visits }]) => visits !== 0)), wanted)
}

async function compareBreakdown(
  dimension: string,
  from: string,
  until: string,
  zone: string,
  filter: { query: string; where: string } = { query: '', where: 'not bot' },
): Promise<void> {
  const path = `breakdown?dimension=${dimension}&start_date=${from}&end_date=${until}&timezone=${zone}&limit=100${filter.query}`
  const data = await get<({ value: string } & TrueGroup)[]>(path)
  const found = Object.fromEntries(
    data.map(({ value, ...numbers }) => [value, numbers as unknown as TrueGroup]),
  )
  const by = TRUE_DIMENSIONS[dimension] ?? ''
  compare(path, found, await trueGroups(api.owner, { ...range(from, until, zone), by, where: filter.where }))
}

const ZONES = [ZONE, 'Asia/Kathmandu', 'Australia/Adelaide', 'UTC']

async function compareAll(from: string, until: string): Promise<void> {
  for (const zone of ZONES) {
    await compareStats(from, until, zone)
    await compareStats(until, until, zone)
    for (const interval of ['day', 'week', 'month']) await compareSeries(interval, from, until, zone)
  }
  await compareStats(from, until, ZONE, '&recount=true')
  for (const dimension of Object.keys(TRUE_DIMENSIONS)) await compareBreakdown(dimension, from, until, ZONE)
  for (const dimension of ['page', 'source', 'exit_page'])
    await compareBreakdown(dimension, from, until, 'Asia/Kathmandu')
  for (const [query, where] of FILTERS) await compareBreakdown('browser', from, until, ZONE, { query, where })
}

const FILTERS = [
  ['&bots=include', 'true'],
  ['&bots=only', 'bot'],
  ['&country=DE', "not bot and country = 'DE'"],
  ['&path=/pricing', "not bot and name is null and path = '/pricing'"],
  ['&entry_page=/&source=Google', "not bot and entry_page = '/' and v_source = 'Google'"],
] as const

const states = async () =>
  (
    await api.owner.query<{ state: string; days: number }>(
      `select case when due_at is null then 'clean' else 'dirty' end as state, count(*)::int as days
       from analytics_days group by 1 order by 1`,
    )
  ).rows

describe('a month of traffic', () => {
  test('is reported as it was while the worker is away and days wait to be rolled up', async () => {
    await live(FIRST, AWAY.until - 6 * 3_600_000)
    await truth(AWAY.until - 6 * 3_600_000)
    expect(sent.length).toBeGreaterThan(2_000)
    expect((await states()).map(({ state }) => state)).toEqual(['clean', 'dirty'])
    await compareAll('2026-10-12', '2026-10-27')
    differences.push(...(await followedWrongly(api, side, '2026-10-12', '2026-10-27')))
    expect(differences).toEqual([])
  })

  test('is reported as it was when all of it is rolled up, with a day of 25 hours in it', async () => {
    await live(AWAY.until - 6 * 3_600_000, END + 9 * DAY)
    await truth(END + 9 * DAY)
    expect(await states()).toMatchObject([{ state: 'clean' }])
    await compareAll('2026-10-12', '2026-11-15')
    differences.push(...(await followedWrongly(api, side, '2026-10-12', '2026-11-15')))
    for (const zone of ZONES) await compareSeries('hour', '2026-10-30', '2026-11-02', zone)
    expect(differences).toEqual([])
  })

  test('is rolled up to the same when it is rolled up again', async () => {
    const sums = async () =>
      (
        await api.owner.query(
          `select md5(string_agg(t::text, '' order by t::text)) from (
             select day, dimension, value, visitors, visits, duration_ms, conversions from analytics_values
             union all select day, '', starts_at::text, visitors, visits, duration_ms, conversions from analytics_hours
           ) t`,
        )
      ).rows
    const before = await sums()
    await api.owner.query(`update analytics_days set timezone = null, due_at = '2026-10-01'`)
    await work()
    expect(await sums()).toEqual(before)
  })
})
