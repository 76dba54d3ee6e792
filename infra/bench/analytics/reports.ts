/** Reports over what the bench has loaded, read from roll-ups and counted from raw events. */
import type { Tenant } from '../http/data.ts'
import type { Server } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { DAYS } from './data.ts'

/** Milliseconds, with today in it. */
const GOALS = { report: 100, followed: 2_000 }
const ROUNDS = 5
const DAY_MS = 86_400_000

const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

interface Question {
  readonly name: string
  readonly path: string
  readonly body?: object
  readonly goal?: number
  /** Whether the same can be counted from raw events. */
  readonly recount?: string
}

const month = `start_date=${ago(29)}&end_date=${ago(0)}`
const QUESTIONS: readonly Question[] = [
  {
    name: 'stats',
    path: `stats?${month}`,
    goal: GOALS.report,
    recount: `stats?${month}&recount=true`,
  },
  {
    name: 'time series by day',
    path: `timeseries?interval=day&${month}`,
    goal: GOALS.report,
    recount: `timeseries?interval=day&${month}&recount=true`,
  },
  {
    name: 'breakdown by page',
    path: `breakdown?dimension=page&limit=100&${month}`,
    goal: GOALS.report,
    recount: `breakdown?dimension=page&limit=100&${month}&recount=true`,
  },
  { name: 'stats of another zone', path: `stats?${month}&timezone=Asia/Kathmandu` },
  { name: 'stats with a filter, a week', path: `stats?start_date=${ago(6)}&end_date=${ago(0)}&country=DE` },
  {
    name: 'funnel of three pages and events',
    path: 'funnel',
    body: {
      steps: [{ page: '/pages/1*' }, { event: 'signup' }, { event: 'pay' }],
      date_range: { start_date: ago(29), end_date: ago(0) },
    },
    goal: GOALS.followed,
  },
  {
    name: 'funnel of three events',
    path: 'funnel',
    body: {
      steps: [{ event: 'signup' }, { event: 'play' }, { event: 'pay' }],
      date_range: { start_date: ago(29), end_date: ago(0) },
    },
    goal: GOALS.followed,
  },
  {
    name: 'retention of 12 weeks',
    path: 'retention',
    body: { interval: 'week', periods: 12 },
    goal: GOALS.followed,
  },
]

/** @param events how many there are */
export async function benchReports(api: Server, tenant: Tenant, events: number): Promise<void> {
  const rows: string[][] = []
  for (const { name, path, body, goal, recount } of QUESTIONS) {
    const times: number[] = []
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      const ms = await ask(api, tenant, path, body)
      if (round > 0) times.push(ms)
      if (ms > 20_000) break
    }
    const raw = recount === undefined ? undefined : await ask(api, tenant, recount)
    const ms = times.length === 0 ? Number.NaN : median(times)
    rows.push([
      name,
      `${ms.toFixed(0)} ms`,
      raw === undefined ? '' : `${raw.toFixed(0)} ms`,
      goal === undefined ? '' : `≤ ${goal} ms`,
      goal === undefined ? '' : verdict(ms <= goal),
    ])
  }
  printTable(
    `${events.toLocaleString('en')} events of ${DAYS} days; reports of 30 days with today`,
    ['', 'measured', 'from raw events', 'goal', ''],
    rows,
  )
}

async function ask(api: Server, { authorization }: Tenant, path: string, body?: object): Promise<number> {
  const begun = performance.now()
  const answer = await fetch(`${api.origin}/api/v1/analytics/${path}`, {
    headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  return performance.now() - begun
}
