import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { findPeople } from '#areas/members/removal/erase.ts'
import { catalogueOf } from '#platform/area.ts'
import { parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { deleteOldDays } from '../roll-ups/housekeeping.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const START = Date.parse('2026-11-10T12:00:00Z')
const HOUR = 3_600_000

interface Stored {
  visitor: string
  event: string | null
  user_id: string | null
}

let api: TestApi
let side: Side
let publicKey: string

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  api = await startApi({ environment: { TRUST_PROXY: '10.0.0.0/8', COUNTRY_HEADER: 'cf-ipcountry' } })
  side = (await makeProjects(api))[0].live
  publicKey = (await side.makeKey({ type: 'public', capabilities: ['track'] })).key
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

const browser = (headers: Record<string, string> = {}) => ({
  headers: { 'user-agent': FIREFOX, ...headers },
  from: '192.0.2.7',
})
const track = (event: string, more: object = {}, headers: Record<string, string> = {}) =>
  side
    .as(publicKey)
    .post<{ success: boolean; code?: string; details?: { field: string }[] }>(
      '/analytics/track',
      { event, ...more },
      browser(headers),
    )
const stored = async (event: string) =>
  (await side.admin.get<{ data: Stored[] }>(`/analytics/events?bots=include&limit=100&event=${event}`)).body
    .data

describe('a visitor', () => {
  const visitorAt = async (time: number) => {
    vi.setSystemTime(time)
    const event = `seen${time}`
    await track(event)
    return (await stored(event))[0]?.visitor
  }

  test('is the same all day, and another one on another day', async () => {
    const [morning, evening, next] = [
      await visitorAt(START),
      await visitorAt(START + 11 * HOUR),
      await visitorAt(START + 13 * HOUR),
    ]
    expect(evening).toBe(morning)
    expect(next).not.toBe(morning)
  })

  test('of yesterday cannot be computed again once the day and its grace hour are over', async () => {
    const noon = START + 48 * HOUR
    const before = await visitorAt(noon)
    const salts = async () =>
      (await api.owner.query("select day::text from analytics_salts where day = '2026-11-12'")).rows.length
    const about = async (event: string, now: number) => {
      vi.setSystemTime(now)
      await track(event, { timestamp: new Date(noon + HOUR).toISOString() })
      return (await stored(event))[0]?.visitor
    }
    const midnight = Date.parse('2026-11-13T00:00:00Z')
    // In the grace hour a late event still finds its visitor.
    expect(await about('grace', midnight + HOUR - 1)).toBe(before)
    expect(await salts()).toBe(1)
    // The same person, the same day, and nothing that leads from one to the other.
    expect(await about('over', midnight + HOUR)).not.toBe(before)
    expect(await salts()).toBe(0)
    const { rows } = await api.owner.query('select * from analytics_events limit 100')
    expect(JSON.stringify(rows)).not.toContain('192.0.2.7')
    expect(JSON.stringify(rows)).not.toContain(FIREFOX)
    vi.setSystemTime(START)
  })
})

test('what is stored on a member goes with the member, and is counted anew', async () => {
  const { id } = await side.makeMember()
  const other = await side.makeMember()
  for (const user_id of [id, other.id])
    await side.admin.post('/analytics/track', { event: 'private', user_id, properties: { note: 'x' } })
  const part = catalogueOf(areas).memberData.find(({ table }) => table === 'analytics_events')
  await side.write(async (ctx) => {
    const people = await findPeople(ctx, { ids: [parseId('member', id) ?? ''] })
    const { records } = (await part?.list(ctx, people, null, 10)) ?? { records: [] }
    expect(records).toMatchObject([{ name: 'private', properties: { note: 'x' } }])
    await part?.erase(ctx, people)
  })
  expect((await stored('private')).map(({ user_id }) => user_id)).toEqual([other.id])
})

test('what is older than a project keeps is left out of reports, and deleted', async () => {
  await side.admin.post('/analytics/track', { event: 'old' })
  vi.setSystemTime(Date.parse('2028-12-01T00:00:00Z'))
  const { body } = await side.admin.get<{ data: { events: number } }>(
    '/analytics/stats?start_date=2026-11-01&end_date=2026-11-30&metric=events',
  )
  expect(body.data.events).toBe(0)
  await side.write((ctx) => deleteOldDays(ctx, Date.now()))
  const { rows } = await api.owner.query(
    'select count(*)::int as n from analytics_events where project_id = $1',
    [side.projectId],
  )
  expect(rows[0].n).toBe(0)
  vi.setSystemTime(START)
})

test('today is the project’s day, wherever the server is, and zones with quarter hours are taken', async () => {
  const today = async (zone: string) =>
    (
      await side.admin.get<{ data: { points: { start: string }[] } }>(
        `/analytics/timeseries?metric=visitors&timezone=${zone}`,
      )
    ).body.data.points.at(-1)?.start
  vi.setSystemTime(Date.parse('2026-11-18T20:00:00Z'))
  expect(await today('Pacific/Auckland')).toBe('2026-11-18T11:00:00.000Z')
  expect(await today('America/Los_Angeles')).toBe('2026-11-18T08:00:00.000Z')
  expect(await today('Asia/Kathmandu')).toBe('2026-11-18T18:15:00.000Z')
  expect(await today('Australia/Eucla')).toBe('2026-11-18T15:15:00.000Z')
  vi.setSystemTime(START)
})

test('every card of a page counts in the zone of the project, and visitors of a week are the sum of its days', async () => {
  const { live } = (await makeProjects(api))[0]
  await api.owner.query(`update projects set timezone = 'Asia/Kathmandu' where id = $1`, [live.projectId])
  // In Kathmandu midnight is at 18:15 UTC: before and after it, and on the day before that.
  for (const timestamp of ['2026-11-17T18:14:00Z', '2026-11-17T18:16:00Z', '2026-11-16T18:16:00Z']) {
    const event = { url: 'https://example.com/a', ip: '192.0.2.9', user_agent: FIREFOX, timestamp }
    vi.setSystemTime(Date.parse(timestamp) + 1_000)
    await live.admin.post('/analytics/pageview', event)
  }
  const get = async <T>(path: string) => (await live.admin.get<{ data: T }>(`/analytics/${path}`)).body.data
  type Metrics = { visitors: number; pageviews: number }
  for (const [range, visitors, pageviews] of [
    ['start_date=2026-11-17&end_date=2026-11-17', 1, 2],
    ['start_date=2026-11-18&end_date=2026-11-18', 1, 1],
    ['start_date=2026-11-12&end_date=2026-11-18', 2, 3],
  ] as const) {
    const metric = `metric=visitors,pageviews&${range}`
    const sum = (all: Metrics[]) => ({
      visitors: all.reduce((total, each) => total + each.visitors, 0),
      pageviews: all.reduce((total, each) => total + each.pageviews, 0),
    })
    expect(await get(`stats?${metric}`)).toEqual({ visitors, pageviews })
    const { points } = await get<{ points: Metrics[] }>(`timeseries?interval=day&${metric}`)
    expect(sum(points)).toEqual({ visitors, pageviews })
    expect(sum(await get<Metrics[]>(`breakdown?dimension=page&${metric}`))).toEqual({ visitors, pageviews })
  }
  const explained = JSON.stringify(api.api.swagger())
  expect(explained).toContain('for several days the sum of the visitors of each day')
  vi.setSystemTime(START)
})
