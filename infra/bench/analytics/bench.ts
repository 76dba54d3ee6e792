/** `npm run bench -- analytics`: what a site's events take on their way in, and in reports. */
import { claimDay } from '#areas/analytics/roll-ups/claim.ts'
import { rollUpDay } from '#areas/analytics/roll-ups/roll-up-day.ts'
import { openOperator } from '../../../apps/cli/src/operator.ts'
import { benchOf, beside, type Figure, getsOf } from '../cases.ts'
import { loadMembers, makeTenant, pickMembers, type Tenant } from '../data.ts'
import type { Load } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { poster, type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { DAYS, loadEvents } from './data.ts'
import { AGENT, batchOf, eventOf, insertBatches } from './events.ts'
import { QUESTIONS } from './reports.ts'

const MEMBERS = 10_000
const BATCH = 1_000
const BATCH_CLIENTS = 4
/** Clients that send one event each. */
const CLIENTS = 64
/** Events a second, sent beside requests for members. */
const BESIDE_PER_SECOND = 5_000

export const benchAnalytics = benchOf({
  // Of events; the seconds are those of events taken in.
  full: { rows: 50_000_000, seconds: 10 },
  quick: { rows: 500_000, seconds: 3 },
  async setUp(stage, { rows, seconds }) {
    const { rig, owner } = stage
    const tenant = await makeTenant(rig, ['read:members', 'read:analytics', 'write:analytics'])
    say(`Loading ${rows.toLocaleString('en')} events …`)
    const events = await loadEvents(owner, tenant, rows)
    await loadMembers(owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    say('Rolling them up …')
    const rolledUp = events / (await rollUpAll(rig, tenant))
    await vacuumAndCheckpoint(stage)
    const api = await serveApi(rig)
    // What has come since the last roll-up is counted from raw events.
    await trackVisits(api, tenant)
    const { authorization } = tenant
    return [
      {
        ...{ table: 'Roll-ups', name: 'events rolled up by one worker, a second', atLeast: 20_000 },
        measure: async () => rolledUp,
      },
      {
        name: `${events.toLocaleString('en')} events of ${DAYS} days; reports of 30 days with today`,
        ...{ connections: 1, rounds: 3, seconds: 1 },
        asked: QUESTIONS.map(({ name, path, body, goal }) => ({
          ...{ name, server: api, p50: goal },
          load: {
            ...{ method: body ? 'POST' : 'GET', paths: [`/api/v1/analytics/${path}`] },
            ...{ authorizations: [authorization], ...(body && { body: JSON.stringify(body) }) },
          },
        })),
      },
      ...(await takeIn(stage, api, tenant, seconds)),
    ]
  },
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

async function takeIn(stage: Stage, api: Server, tenant: Tenant, seconds: number): Promise<Figure[]> {
  const { rig, generator, owner } = stage
  const members = (await pickMembers(owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
  const get: Load = { ...getsOf(tenant, members), origin: api.origin, seconds, connections: CLIENTS }
  const post = (path: string, body: string, connections: number): Load => {
    const paths = [`/api/v1/analytics/${path}`]
    return { ...get, method: 'POST', paths, body, connections }
  }
  const rateOf = async (wanted: Load) => {
    await generator.run({ ...wanted, seconds: 1 })
    const outcome = await generator.run(wanted)
    if (outcome.errors > 0) throw new Error(`${wanted.paths[0]}: ${outcome.firstError}`)
    return outcome.requestsPerSecond
  }
  const table = 'Events taken in'
  return [
    {
      ...{ table, name: `track by ${CLIENTS} clients, of GET one member`, digits: 2, atLeast: 0.5 },
      measure: async () => (await rateOf(post('track', eventOf('{n}'), CLIENTS))) / (await rateOf(get)),
    },
    {
      ...{ table, name: `batches of ${BATCH}, of an unnest of the same rows`, digits: 2, atLeast: 0.6 },
      measure: async () => {
        const batches = (await rateOf(post('batch', batchOf(BATCH, '{n}-'), BATCH_CLIENTS))) * BATCH
        return (
          batches / (await insertBatches(rig, tenant, { seconds, rows: BATCH, connections: BATCH_CLIENTS }))
        )
      },
    },
    {
      ...{ table, name: `p99 of GET one member beside ${BESIDE_PER_SECOND} events/s, to without` },
      ...{ digits: 1, atMost: 2 },
      measure: async () => {
        const few = { ...get, connections: BATCH_CLIENTS }
        return (await beside(stage, few, 3, () => sending(api, tenant))).ratio
      },
    },
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
