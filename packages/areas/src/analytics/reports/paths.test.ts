import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { claimDay } from '../roll-ups/claim.ts'
import { rollUpDay } from '../roll-ups/roll-up-day.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const AT = '2026-11-16T10:00:00Z'
const range = 'start_date=2026-11-16&end_date=2026-11-16'
const date_range = { start_date: '2026-11-16', end_date: '2026-11-16' }

interface Body<T> {
  data: T
}
let api: TestApi
let side: Side

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  api = await startApi()
  side = (await makeProjects(api))[0].live
  const view = (ip: string, path: string) => ({
    type: 'pageview',
    url: `https://example.com${path}`,
    referrer: 'https://blog.example.org/pr%C3%A9/',
    timestamp: AT,
    ip,
  })
  // Each of a visitor of its own, and all of them of one page; and another page.
  const paths = ['/caf%C3%A9/menu', '/café/menu/', '/cafe%CC%81//menu', '/caf%c3%a9/menu', '/docs/']
  await side.admin.post('/analytics/batch', { events: paths.map((path, i) => view(`192.0.2.${i}`, path)) })
  // As an event was stored before paths were kept decoded.
  await side.admin.post('/analytics/batch', { events: [view('192.0.2.9', '/old')] })
  await api.owner.query(
    `update analytics_events set path = '/caf%C3%A9/menu/', referrer = 'blog.example.org/pr%C3%A9/'
     where path = '/old' and project_id = $1`,
    [side.projectId],
  )
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

const get = async <T>(path: string) => (await side.admin.get<Body<T>>(`/analytics/${path}`)).body.data
const post = async <T>(path: string, body: object) =>
  (await side.admin.post<Body<T>>(`/analytics/${path}`, body)).body.data
const WAYS = ['/café/menu', '/caf%C3%A9/menu', '/caf%c3%a9/menu/', '/cafe\u0301/menu']

async function rollUp(): Promise<void> {
  const claimed = await side.write((ctx) => claimDay(ctx, Date.now()))
  if (claimed === undefined) return
  await side.write((ctx) => rollUpDay(ctx, claimed, Date.now()))
  await rollUp()
}

describe.each(['from events', 'from roll-ups'])(
  'one page that is written in many ways, counted %s',
  (how) => {
    beforeAll(async () => {
      if (how === 'from events') return
      vi.setSystemTime(NOW + 3_600_000)
      await rollUp()
      const { rows } = await api.owner.query<{ n: number }>(
        'select count(*)::int as n from analytics_values where project_id = $1',
        [side.projectId],
      )
      expect(rows[0]?.n).toBeGreaterThan(0)
    })

    test('is one page of reports, the events that were stored before included', async () => {
      for (const dimension of ['page', 'entry_page', 'exit_page'])
        expect(await get(`breakdown?dimension=${dimension}&metric=visitors&${range}`)).toEqual([
          { value: '/café/menu', visitors: 5 },
          { value: '/docs', visitors: 1 },
        ])
      expect(await get(`breakdown?dimension=referrer&metric=visitors&${range}`)).toEqual([
        { value: 'blog.example.org/pré', visitors: 6 },
      ])
    })

    test.each(WAYS)(
      'is found by a filter, a query, a list of events, a funnel and a goal: %s',
      async (way) => {
        const encoded = encodeURIComponent(way)
        expect(await get(`stats?metric=visitors&path=${encoded}&${range}`)).toMatchObject({ visitors: 5 })
        expect(await get(`stats?metric=visitors&entry_page=${encoded}&${range}`)).toMatchObject({
          visitors: 5,
        })
        expect(await get(`events?path=${encoded}&${range}`)).toHaveLength(5)
        const count = async (operator: string, value: string, dimension = 'page') => {
          const filters = [{ dimension, operator, values: [value] }]
          const [row] = await post<{ metrics: { visitors: number } }[]>('query', {
            ...{ metrics: ['visitors'], filters, date_range },
          })
          return row?.metrics.visitors
        }
        expect(await count('is', way)).toBe(5)
        expect(await count('is_not', way)).toBe(1)
        expect(await count('contains', way.slice(1, -5))).toBe(5)
        expect(await count('matches', way.replace('/menu', '/*'))).toBe(5)
        expect(await count('is', 'blog.example.org/pr%C3%A9/', 'referrer')).toBe(6)
        const { steps } = await post<{ steps: { count: number }[] }>('funnel', {
          steps: [{ page: way }, { event: 'never' }],
          date_range,
        })
        expect(steps[0]?.count).toBe(5)
        const goal = await post<{ id: string }>('goals', { page: way.replace('menu', '**') })
        expect(await get(`stats?metric=conversions&goal=${goal.id}&${range}`)).toMatchObject({
          conversions: 5,
        })
        await side.admin.delete(`/analytics/goals/${goal.id}`)
      },
    )

    test.each([
      ['/docs/**', 1],
      ['/docs/', 1],
      ['/docs/*', 0],
      ['/**', 6],
      ['/*', 1],
      ['/**/menu', 5],
      ['/%2A*', 0],
      ['/do*', 1],
    ])('fits patterns as in page rules: %s', async (page, count) => {
      const { steps } = await post<{ steps: { count: number }[] }>('funnel', {
        steps: [{ page }, { event: 'never' }],
        date_range,
      })
      expect(steps[0]?.count).toBe(count)
    })
  },
)

interface Goal {
  id: string
  name: string
  page: string | null
}

test.each([
  ['/caf%C3%A9/', '/café'],
  ['/cafe\u0301//menu', '/café/menu'],
  ['/caf%c3%a9/**/', '/café/**'],
  ['/%2A*', '/%2A*'],
  ['/caf%C3%A9%2Fx%25', '/café%2Fx%25'],
  ['/', '/'],
])('a goal and a step of a funnel show %s as paths are kept: %s', async (sent, kept) => {
  const { steps } = await post<{ steps: Goal[] }>('funnel', {
    steps: [{ page: sent }, { event: 'never' }, { page: kept }],
    date_range,
  })
  expect(steps.map(({ page }) => page)).toEqual([kept, null, kept])

  const made = await post<Goal>('goals', { page: sent })
  const path = `goals/${made.id}`
  expect(made).toMatchObject({ name: kept, page: kept })
  expect(await get(path)).toMatchObject({ page: kept })
  const change = async (body: object) =>
    (await side.admin.patch<Body<Goal>>(`/analytics/${path}`, body)).body.data.page
  expect(await change({ page: '/other' })).toBe('/other')
  expect(await change({ page: sent })).toBe(kept)
  expect(await change({ page: kept })).toBe(kept)

  // As a goal was stored before.
  await api.owner.query('update analytics_goals set page = $2 where project_id = $1', [side.projectId, sent])
  expect(await get(path)).toMatchObject({ page: kept })
  expect(await get<Goal[]>('goals')).toMatchObject([{ page: kept }])
  expect(await change({ name: 'Renamed' })).toBe(kept)
  await side.admin.delete(`/analytics/${path}`)
})
