import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import type { Reports } from '../report.ts'
import { answerQuery } from './query.ts'

interface Body<T> {
  data: T
  code?: string
  details?: { field: string }[]
}

const NOW = Date.parse('2026-11-18T15:00:00Z')
const at = (text: string) => new Date(Date.parse(text)).toISOString()

let api: TestApi
let side: Side
let other: Side
let ada: string
let max: string

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  api = await startApi()
  const [one, two] = await makeProjects(api)
  side = one.live
  other = two.live
  ada = (await side.makeMember()).id
  max = (await side.makeMember()).id
  const view = (ip: string, time: string, path: string, more: object = {}) => ({
    type: 'pageview',
    url: `https://example.com${path}`,
    timestamp: at(time),
    ip,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ...more,
  })
  const act = (ip: string, time: string, event: string, more: object = {}) => {
    const { type: _, url: __, ...rest } = view(ip, time, '/', more) as { type: string; url: string }
    return { ...rest, event }
  }
  const { body } = await side.admin.post<Body<{ status: string }[]>>('/analytics/batch', {
    events: [
      view('192.0.2.1', '2026-11-16T10:00:00Z', '/pricing', { user_id: ada }),
      act('192.0.2.1', '2026-11-16T10:05:00Z', 'signup', { user_id: ada, properties: { plan: 'patron' } }),
      act('192.0.2.1', '2026-11-16T10:06:00Z', 'pay', { user_id: ada }),
      // Signed up before looking at prices: only the first step counts.
      act('192.0.2.2', '2026-11-16T11:00:00Z', 'signup', { user_id: max }),
      view('192.0.2.2', '2026-11-16T11:05:00Z', '/pricing', { user_id: max }),
      view('192.0.2.3', '2026-11-17T09:00:00Z', '/pricing'),
      act('192.0.2.3', '2026-11-17T09:01:00Z', 'signup', { properties: { plan: 'supporter' } }),
      view('192.0.2.1', '2026-11-18T14:58:30Z', '/home', { user_id: ada }),
      view('192.0.2.4', '2026-11-18T14:40:00Z', '/home'),
    ],
  })
  expect(body.data.every(({ status }) => status === 'accepted')).toBe(true)
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

const post = async <T>(path: string, body: object) =>
  (await side.admin.post<Body<T>>(`/analytics/${path}`, body)).body.data
const week = { start_date: '2026-11-16', end_date: '2026-11-18' }

describe('a funnel', () => {
  const steps = [{ page: '/pricing' }, { event: 'signup' }, { event: 'pay' }]

  test('counts who made each step after the one before', async () => {
    expect(await post('funnel', { steps, date_range: week })).toEqual({
      by: 'visitors',
      steps: [
        { event: null, page: '/pricing', count: 3, conversion_rate: 100, step_rate: 100 },
        { event: 'signup', page: null, count: 2, conversion_rate: 66.67, step_rate: 66.67 },
        { event: 'pay', page: null, count: 1, conversion_rate: 33.33, step_rate: 50 },
      ],
    })
  })

  test('follows members over days', async () => {
    const later = [{ event: 'pay' }, { page: '/home' }]
    const found = await post<{ steps: { count: number }[] }>('funnel', {
      steps: later,
      by: 'members',
      date_range: week,
    })
    expect(found.steps.map(({ count }) => count)).toEqual([1, 1])
    const visitors = await post<{ steps: { count: number }[] }>('funnel', { steps: later, date_range: week })
    expect(visitors.steps.map(({ count }) => count)).toEqual([1, 0])
  })

  test('has two steps to ten, each an event or a page', async () => {
    const hundred = Array.from({ length: 100 }, () => ({ event: 'x' }))
    for (const wrong of [
      [],
      [{ event: 'a' }],
      hundred,
      [{}, { event: 'a' }],
      [{ event: 'a', page: '/' }, { page: '/' }],
    ]) {
      const { status, body } = await side.admin.post<Body<unknown>>('/analytics/funnel', { steps: wrong })
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' })
    }
  })
})

test('retention tells who of a cohort was seen again', async () => {
  const found = await post<{ cohorts: object[] }>('retention', {
    interval: 'day',
    periods: 3,
    end_date: '2026-11-18',
  })
  expect(found.cohorts).toEqual([
    { start: '2026-11-16T00:00:00.000Z', members: 2, returned: [2, 0, 1] },
    { start: '2026-11-17T00:00:00.000Z', members: 0, returned: [0, 0] },
    { start: '2026-11-18T00:00:00.000Z', members: 0, returned: [0] },
  ])
})

test('realtime tells who is there', async () => {
  const { body } =
    await side.admin.get<Body<{ visitors: number; minutes: { pageviews: number }[]; pages: object[] }>>(
      '/analytics/realtime',
    )
  expect(body.data).toMatchObject({ visitors: 1, pages: [{ value: '/home', visitors: 1 }] })
  expect(body.data.minutes).toHaveLength(30)
  expect(body.data.minutes.reduce((sum, { pageviews }) => sum + pageviews, 0)).toBe(2)
})

describe('the events', () => {
  test('are listed, the newest first, in pages that go on where the one before ended', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { data: { id: string }[]; pagination: { next_cursor: string | null } } } =
        await side.admin.get(`/analytics/events?limit=4${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.pagination.next_cursor
    }
    expect(new Set(seen).size).toBe(9)
  })

  test('are found by kind, name, page and member', async () => {
    const count = async (query: string) =>
      (await side.admin.get<Body<unknown[]>>(`/analytics/events?${query}`)).body.data.length
    expect(await count('type=event')).toBe(4)
    expect(await count('event=signup')).toBe(3)
    expect(await count('path=/pricing')).toBe(3)
    expect(await count(`user_id=${ada}`)).toBe(4)
    expect(await count('user_id=mem_01jcq3k8f7e8qtk4m3hbw7rn2d')).toBe(0)
    expect((await other.admin.get<Body<unknown[]>>('/analytics/events')).body.data).toEqual([])
  })
})

describe('a query', () => {
  test('answers metrics by dimensions and time, filtered, ordered and compared', async () => {
    const found = await post('query', {
      metrics: ['visitors', 'events'],
      dimensions: ['event', 'time:day'],
      filters: [{ dimension: 'event', operator: 'is_not', values: ['pay'] }],
      date_range: { start_date: '2026-11-17', end_date: '2026-11-17' },
      compare: 'previous',
    })
    expect(found).toEqual([
      {
        dimensions: { event: 'signup', 'time:day': '2026-11-17T00:00:00.000Z' },
        metrics: { visitors: 1, events: 1 },
        previous: { visitors: 2, events: 2 },
      },
    ])
    const byPlan = await post('query', {
      metrics: ['visitors'],
      dimensions: ['property:plan'],
      date_range: week,
      order_by: [{ field: 'property:plan', direction: 'desc' }],
    })
    expect(byPlan).toEqual([
      { dimensions: { 'property:plan': 'supporter' }, metrics: { visitors: 1 } },
      { dimensions: { 'property:plan': 'patron' }, metrics: { visitors: 1 } },
    ])
    expect(await post('query', { metrics: ['visitors', 'members'], date_range: week })).toEqual([
      { dimensions: {}, metrics: { visitors: 5, members: 2 } },
    ])
  })

  test('reads nothing of the period before but the groups that it shows', async () => {
    const events = Array.from({ length: 90 }, (_, i) => ({
      ...{
        event: `only-before-${i}`,
        timestamp: at('2026-11-10T10:00:00Z'),
        ip: '192.0.2.1',
        user_agent: 'x',
      },
    }))
    await side.admin.post('/analytics/batch', { events })
    const body = {
      metrics: ['events' as const],
      dimensions: ['event'],
      date_range: { start_date: '2026-11-15', end_date: '2026-11-18' },
      compare: 'previous' as const,
    }
    const rows: number[] = []
    const data: Reports = {
      read: async (asks) => {
        const answers = await side.read(asks)
        for (const answer of Object.values(answers)) if (Array.isArray(answer)) rows.push(answer.length)
        return answers
      },
    }
    const found = await answerQuery(data, body, NOW)
    expect(found.length).toBeGreaterThan(1)
    expect(Math.max(...rows)).toBeLessThanOrEqual(found.length)
  })

  test('takes patterns and parts of values', async () => {
    const visitors = async (filter: object) =>
      (
        await post<{ metrics: { visitors: number } }[]>('query', {
          metrics: ['visitors'],
          filters: [filter],
          date_range: week,
        })
      )[0]?.metrics.visitors
    expect(await visitors({ dimension: 'page', operator: 'matches', values: ['/pri*', '/nothing/**'] })).toBe(
      3,
    )
    expect(await visitors({ dimension: 'page', operator: 'contains', values: ['RIC'] })).toBe(3)
    expect(await visitors({ dimension: 'entry_page', operator: 'not_contains', values: ['ric'] })).toBe(2)
  })

  test('refuses what there is not, by its place', async () => {
    const fault = async (body: object) => {
      const answer = await side.admin.post<Body<unknown>>('/analytics/query', {
        metrics: ['visitors'],
        ...body,
      })
      return `${answer.status} ${answer.body.details?.[0]?.field}`
    }
    expect(await fault({ metrics: ['money'] })).toBe('422 metrics[0]')
    expect(await fault({ dimensions: ["page'; drop table members"] })).toBe('422 dimensions[0]')
    expect(await fault({ dimensions: ['time:day', 'time:week'] })).toBe('422 dimensions[1]')
    expect(await fault({ filters: [{ dimension: 'nothing', values: ['x'] }] })).toBe(
      '422 filters[0].dimension',
    )
    expect(await fault({ order_by: [{ field: 'events' }] })).toBe('422 order_by[0].field')
    expect(await fault({ timezone: 'Mars/Olympus' })).toBe('422 timezone')
    expect(await fault({ date_range: { start_date: '1926-01-01' } })).toBe('422 start_date')
    expect(await fault({ date_range: { start_date: '2026-11-18', end_date: '2026-11-17' } })).toBe(
      '422 end_date',
    )
    for (const name of ["a'; drop table members; --", '__proto__', '"quoted"', '$1'])
      expect(await post('query', { metrics: ['visitors'], dimensions: [`property:${name}`] })).toEqual([])
  })
})

test('query strings meet the same rules', async () => {
  const fault = async (path: string) => {
    const { status, body } = await side.admin.get<Body<unknown>>(`/analytics/${path}`)
    return `${status} ${body.details?.[0]?.field}`
  }
  expect(await fault('stats?metric=visitors,money')).toBe('400 metric')
  expect(await fault('breakdown?dimension=nothing')).toBe('400 dimension')
  expect(await fault('stats?timezone=Nowhere')).toBe('400 timezone')
  expect(await fault('stats?timezone=%2B05:30')).toBe('400 timezone')
  expect(await fault('stats?start_date=1926-01-01')).toBe('400 start_date')
  expect(await fault('timeseries?interval=hour&start_date=2025-01-01')).toBe('400 interval')
  expect(await fault('breakdown?cursor=bm90aGluZw')).toBe('400 cursor')
  expect(await fault('stats?goal=goal_01jcq3k8f7e8qtk4m3hbw7rn2d')).toBe('400 goal')
})
