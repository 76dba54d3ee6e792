/** `npm run bench -- analytics`: what a site's events take on their way in, and in reports. */
import { claimDay } from '#areas/analytics/roll-ups/claim.ts'
import { rollUpDay } from '#areas/analytics/roll-ups/roll-up-day.ts'
import { openOperator } from '../../../apps/cli/src/operator.ts'
import { beside } from '../compare.ts'
import { loadMembers, makeTenant, pickMembers, type Tenant } from '../data.ts'
import type { Load } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import {
  type BenchOptions,
  onStage,
  poster,
  type Stage,
  say,
  serveApi,
  vacuumAndCheckpoint,
} from '../stage.ts'
import { judged, median, printJudged } from '../table.ts'
import { DAYS, loadEvents } from './data.ts'
import { AGENT, batchOf, eventOf, insertBatches } from './events.ts'
import { QUESTIONS } from './reports.ts'

const FULL = { events: 50_000_000, seconds: 10 }
const QUICK = { events: 500_000, seconds: 3 }
const MEMBERS = 10_000
const REPORT_ROUNDS = 5
const BATCH = 1_000
const BATCH_CLIENTS = 4
/** Clients that send one event each. */
const CLIENTS = 64
/** Events a second, sent beside requests for members. */
const BESIDE_PER_SECOND = 5_000

/** Runs the bench and prints its tables. */
export const benchAnalytics = (rig: Rig, { quick, rows }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = { ...(quick ? QUICK : FULL), ...(rows !== undefined && { events: rows }) }
    const tenant = await makeTenant(rig, ['read:members', 'read:analytics', 'write:analytics'])
    say(`Loading ${plan.events.toLocaleString('en')} events …`)
    const events = await loadEvents(stage.owner, tenant, plan.events)
    await loadMembers(stage.owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    say('Rolling them up …')
    const rate = events / (await rollUpAll(rig, tenant))
    await vacuumAndCheckpoint(stage)
    const api = await serveApi(rig)
    // What has come since the last roll-up is counted from raw events.
    await trackVisits(api, tenant)
    say('Reporting …')
    printJudged(`${events.toLocaleString('en')} events of ${DAYS} days; reports of 30 days with today`, [
      judged('events rolled up by one worker, a second', rate, { atLeast: 20_000 }),
      ...(await askReports(api, tenant)),
    ])
    say('Taking events in …')
    printJudged('Events taken in', await takeIn(stage, api, tenant, plan.seconds))
  })

/** Rolls up all that is due, by one worker. @returns seconds */
async function rollUpAll({ postgres, secretKey }: Rig, { projectId }: Tenant): Promise<number> {
  const operator = openOperator({ databaseUrl: postgres.url, secretKey })
  const begun = performance.now()
  try {
    for (;;) {
      const now = Date.now()
      const claimed = await (await operator.dataOf(projectId)).write((ctx) => claimDay(ctx, now))
      if (claimed === undefined) return (performance.now() - begun) / 1_000
      await (await operator.dataOf(projectId)).write((ctx) => rollUpDay(ctx, claimed, now))
    }
  } finally {
    await operator.close()
  }
}

/** A thousand page views of now, by a hundred visitors. */
const trackVisits = ({ origin }: Server, tenant: Tenant): Promise<unknown> =>
  poster(origin, tenant)('/analytics/batch', {
    events: Array.from({ length: 1_000 }, (_, i) => ({
      type: 'pageview',
      url: `https://www.example.com/pages/${i % 200}`,
      ip: `198.51.100.${i % 100}`,
      user_agent: AGENT,
    })),
  })

async function askReports({ origin }: Server, { authorization }: Tenant): Promise<string[][]> {
  const rows: string[][] = []
  for (const { name, path, body, goal } of QUESTIONS) {
    const times: number[] = []
    // The first round warms up.
    for (let round = 0; round <= REPORT_ROUNDS; round++) {
      const begun = performance.now()
      const answer = await fetch(`${origin}/api/v1/analytics/${path}`, {
        headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
      if (round > 0) times.push(performance.now() - begun)
    }
    rows.push(judged(name, median(times), { unit: 'ms', atMost: goal }))
  }
  return rows
}

async function takeIn(stage: Stage, api: Server, tenant: Tenant, seconds: number): Promise<string[][]> {
  const { rig, generator, owner } = stage
  const load = { origin: api.origin, authorizations: [tenant.authorization], seconds } as const
  const members = (await pickMembers(owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
  const get: Load = { ...load, method: 'GET', paths: members, connections: CLIENTS }
  const post = (path: string, body: string, connections: number): Load => {
    const paths = [`/api/v1/analytics/${path}`]
    return { ...load, method: 'POST', paths, body, connections }
  }
  const rateOf = async (wanted: Load) => {
    await generator.run({ ...wanted, seconds: 1 })
    const outcome = await generator.run(wanted)
    if (outcome.errors > 0) throw new Error(`${wanted.paths[0]}: ${outcome.firstError}`)
    return outcome.requestsPerSecond
  }
  const single = await rateOf(post('track', eventOf('{n}'), CLIENTS))
  const reads = await rateOf(get)
  const batches = (await rateOf(post('batch', batchOf(BATCH, '{n}-'), BATCH_CLIENTS))) * BATCH
  const unnested = await insertBatches(rig, tenant, { seconds, rows: BATCH, connections: BATCH_CLIENTS })
  const { ratio } = await beside(generator, { ...get, connections: BATCH_CLIENTS }, 3, () =>
    sending(api, tenant),
  )
  return [
    judged(`track by ${CLIENTS} clients, of GET one member`, single / reads, { digits: 2, atLeast: 0.5 }),
    judged(`batches of ${BATCH}, of an unnest of the same rows`, batches / unnested, {
      digits: 2,
      atLeast: 0.6,
    }),
    judged(`p99 of GET one member beside ${BESIDE_PER_SECOND} events/s, to without`, ratio, {
      digits: 1,
      atMost: 2,
    }),
  ]
}

/** Begins to send batches of 50 at a steady rate, as sites' servers do. @returns how to end it */
function sending({ origin }: Server, tenant: Tenant): () => Promise<void> {
  const size = 50
  const body = JSON.parse(batchOf(size, '')) as object
  const post = poster(origin, tenant)
  const begun = performance.now()
  let going = true
  const all = (async () => {
    const under = new Set<Promise<unknown>>()
    for (let sent = 0; going; ) {
      const due = ((performance.now() - begun) / 1_000) * BESIDE_PER_SECOND
      if (sent < due && under.size < 16) {
        const one = post('/analytics/batch', body).finally(() => under.delete(one))
        under.add(one)
        sent += size
      } else await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await Promise.all(under)
  })()
  return () => {
    going = false
    return all
  }
}
