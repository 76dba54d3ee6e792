/** `npm run bench -- stream`: 10,000 open streams on one process, and how late 1,000 events a second reach ten of them each. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { discussionId } from '#areas/discussions/ids.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { benchOf, type Figure, memoize } from '../cases.ts'
import { loadCommunity } from '../community/data.ts'
import { loadMembers, makeKeys, makeTenant, type Tenant } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import { peakOf, residentMiB, type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { type Goal, percentile } from '../table.ts'
import { startWorker } from '../webhooks/customers.ts'
import type { ListenOrder, ListenReport } from './listener.ts'

const LISTENER = fileURLToPath(new URL('listener.ts', import.meta.url))

/** Streams that listen to the same discussion. */
const LISTENERS = 10
const EVENTS_PER_SECOND = 1_000
/** Events that are emitted in one transaction. */
const BATCH = 10

export const benchStream = benchOf({
  full: { streams: 10_000, seconds: 20 },
  quick: { streams: 1_000, seconds: 5 },
  async setUp(stage, { streams, seconds }) {
    const { rig } = stage
    const discussions = streams / LISTENERS
    const tenant = await makeTenant(rig, ['read:community', 'write:community'])
    const topics = await load(stage, tenant, discussions)
    // A process takes a thousand streams of one key.
    const more = Array.from({ length: Math.ceil(streams / 1_000) }, (_, n) => ({
      ...{ type: 'secret' as const, name: `Bench ${n}`, permissions: ['read:community'] },
    }))
    const keys = await makeKeys(stage.place, tenant.projectId, more)
    const members = await activeOf(stage, tenant, discussions)
    const api = await serveApi(rig)
    await startWorker(rig)
    const listener = fork(LISTENER, { execArgv: process.execArgv })
    rig.onClose(async () => {
      listener.kill()
    })
    const measured = memoize(async () => {
      const idle = await residentMiB(api)
      const peak = await peakOf(api, () =>
        openAll(listener, orderOf(api, { topics, keys, members, streams })),
      )
      await sleep(2_000)
      const open = await residentMiB(api)
      say(`${EVENTS_PER_SECOND} events a second for ${seconds} s …`)
      await emitFor(rig, tenant, topics, seconds)
      await sleep(2_000)
      const busy = await residentMiB(api)
      const numbered = await numberedP99(stage)
      const { delays, clientP99 } = await askDelays(listener)
      return {
        peak: peak - idle,
        open: open - idle,
        busy: busy - idle,
        ...{ delays, clientP99, numbered },
      }
    })
    type Measured = Awaited<ReturnType<typeof measured>>
    const figure = (name: string, unit: string, goal: Goal, of: (all: Measured) => number): Figure => ({
      table: `${streams.toLocaleString('en')} streams of one process, each event to ${LISTENERS} of them`,
      ...{ name, unit, ...goal },
      measure: async () => of(await measured()),
    })
    const wanted = seconds * EVENTS_PER_SECOND * LISTENERS
    return [
      figure('memory above idle, streams open', 'MiB', { atMost: 400 }, ({ open }) => open),
      figure('  while they are opened, at the most', 'MiB', {}, ({ peak }) => peak),
      figure('  after all events', 'MiB', { atMost: 400 }, ({ busy }) => busy),
      figure(
        'events that arrived, of those that should',
        '%',
        { digits: 2, atLeast: 100 },
        ({ delays }) => (delays.length / wanted) * 100,
      ),
      figure('from the emit to the client, p50', 'ms', {}, ({ delays }) => percentile(delays, 0.5)),
      figure('  p99', 'ms', { atMost: 250 }, ({ delays }) => percentile(delays, 0.99)),
      figure('  the latest', 'ms', {}, ({ delays }) => percentile(delays, 1)),
      figure('  of that, until it has its number, p99', 'ms', {}, ({ numbered }) => numbered),
      figure('  lateness of the clients themselves, p99', 'ms', {}, ({ clientP99 }) => clientP99),
    ]
  },
})

/** @returns the topics of the discussions, and the stored ids behind them */
async function load(stage: Stage, tenant: Tenant, discussions: number): Promise<string[]> {
  const { owner } = stage
  await loadMembers(owner, [tenant], discussions * 4)
  await loadCommunity(owner, tenant, { discussions, comments: discussions, votes: 100, articles: 1 })
  await vacuumAndCheckpoint(stage)
  const { rows } = await owner.query<{ id: string }>('select id from discussions where project_id = $1', [
    tenant.projectId,
  ])
  return rows.map(({ id }) => toId(discussionId, id))
}

async function activeOf({ owner }: Stage, { projectId }: Tenant, count: number): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    "select id from members where project_id = $1 and status = 'active' limit $2",
    [projectId, count],
  )
  return rows.map(({ id }) => toId('member', id))
}

interface Wanted {
  readonly topics: readonly string[]
  readonly keys: readonly string[]
  readonly members: readonly string[]
  readonly streams: number
}

/** A member has ten streams, and a key a thousand: so many of each one process takes. */
const orderOf = ({ origin }: Server, { topics, keys, members, streams }: Wanted): ListenOrder => ({
  origin,
  streams: Array.from({ length: streams }, (_, n) => ({
    topic: `discussion:${topics[n % topics.length]}`,
    authorization: keys[n % keys.length] as string,
    member: members[n % members.length] as string,
  })),
})

async function openAll(listener: ChildProcess, order: ListenOrder): Promise<void> {
  listener.send(order)
  const [report] = (await once(listener, 'message')) as [ListenReport]
  if (report.kind === 'open' && report.failed > 0) throw new Error(`${report.failed} streams were refused`)
}

async function askDelays(
  listener: ChildProcess,
): Promise<Omit<Extract<ListenReport, { kind: 'delays' }>, 'kind'>> {
  listener.send('delays')
  const [report] = (await once(listener, 'message')) as [ListenReport]
  return report.kind === 'delays' ? report : { delays: [], clientP99: 0 }
}

/** Milliseconds from the emit of an event until the relay has numbered it, of the measured ones. */
async function numberedP99({ owner }: Stage): Promise<number> {
  const { rows } = await owner.query<{ ms: number }>(
    `select percentile_cont(0.99) within group (order by extract(epoch from numbered_at - occurred_at) * 1000)::float8 as ms
     from stream_log where type = 'discussion.updated'`,
  )
  return rows[0]?.ms ?? 0
}

/** Writes events as requests do, and tells the relay: an event and its row of the outbox, in the transaction of both. */
async function emitFor(
  rig: Rig,
  { projectId }: Tenant,
  topics: readonly string[],
  seconds: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: rig.postgres.url })
  await client.connect()
  await client.query("select set_config('app.project_id', $1, false)", [projectId])
  const apart = (BATCH / EVENTS_PER_SECOND) * 1_000
  const begun = performance.now()
  let next = 0
  for (let batch = 0; batch < (seconds * EVENTS_PER_SECOND) / BATCH; batch++) {
    const ids = Array.from({ length: BATCH }, newUuid)
    const payloads = ids.map(() => JSON.stringify({ id: topics[next++ % topics.length] }))
    await client.query(
      `with said as (select * from unnest($1::uuid[], $2::text[]) as e (id, payload)),
        event as (insert into events (id, type, payload) select id, 'discussion.updated', payload::json from said)
       insert into outbox (id, kind, name) select id, 'event', 'discussion.updated' from said`,
      [ids, payloads],
    )
    await client.query('notify guildhall_outbox')
    const early = begun + (batch + 1) * apart - performance.now()
    if (early > 0) await sleep(early)
  }
  await client.end()
}
