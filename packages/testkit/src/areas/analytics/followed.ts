import type { TestApi } from '../../api.ts'
import type { Side } from '../../factories.ts'
import { trueFunnel, trueRetention } from './truth.ts'

interface Body<T> {
  data: T
}

const ZONE = 'America/New_York'
const STEPS = [
  { step: { page: '/' }, condition: `name is null and path = '/'` },
  { step: { page: '/docs/**' }, condition: `name is null and path like '/docs/%'` },
  { step: { event: 'purchase' }, condition: `name = 'purchase'` },
]

/** Where funnels and retention of generated traffic differ from what is true of it. */
export async function followedWrongly(
  api: TestApi,
  side: Side,
  from: string,
  until: string,
): Promise<string[]> {
  return [...(await wrongFunnels(api, side, from, until)), ...(await wrongCohorts(api, side, until))]
}

/** Followed by visitors of a day, and by members over days. */
async function wrongFunnels(api: TestApi, side: Side, from: string, until: string): Promise<string[]> {
  const wrong: string[] = []
  for (const [by, who] of [
    ['visitors', 'visitor'],
    ['members', 'member'],
  ] as const)
    for (const zone of [ZONE, 'Asia/Kathmandu']) {
      const { body } = await side.admin.post<Body<{ steps: { count: number }[] }>>('/analytics/funnel', {
        steps: STEPS.map(({ step }) => step),
        by,
        timezone: zone,
        date_range: { start_date: from, end_date: until },
      })
      const wanted = await trueFunnel(
        api.owner,
        {
          from: `('${from}'::timestamp at time zone '${zone}')`,
          until: `(('${until}'::date + 1)::timestamp at time zone '${zone}')`,
        },
        who,
        STEPS.map(({ condition }) => condition),
      )
      const found = body.data.steps.map(({ count }) => count)
      if (found.join() !== wanted.join() || !found[2])
        wrong.push(`funnel ${by} ${zone}: ${found} for ${wanted}`)
    }
  return wrong
}

/** Who of the members came again. */
async function wrongCohorts(api: TestApi, side: Side, until: string): Promise<string[]> {
  const wrong: string[] = []
  for (const zone of [ZONE, 'Australia/Adelaide'])
    for (const interval of ['day', 'week', 'month'] as const) {
      const { body } = await side.admin.post<Body<{ cohorts: { start: string; returned: number[] }[] }>>(
        '/analytics/retention',
        { interval, periods: 6, timezone: zone, end_date: until },
      )
      const wanted = await trueRetention(api.owner, interval, zone)
      for (const { start, returned } of body.data.cohorts)
        for (const [later, count] of returned.entries()) {
          const other = wanted[`${start} ${later}`] ?? 0
          if (count !== other)
            wrong.push(`retention ${interval} ${zone} ${start} +${later}: ${count} for ${other}`)
        }
    }
  return wrong
}
