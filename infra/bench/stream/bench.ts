/** `npm run bench -- stream`: 10,000 open streams on one process, and how late 1,000 events a second reach ten of them each. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { discussionId } from '#areas/discussions/ids.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { loadCommunity } from '../community/data.ts'
import { loadMembers, makeTenant, type Tenant } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import {
  type BenchOptions,
  onStage,
  peakOf,
  residentMiB,
  type Stage,
  say,
  serveApi,
  vacuumAndCheckpoint,
} from '../stage.ts'
import { judged, printJudged } from '../table.ts'
import { startWorker } from '../webhooks/customers.ts'
import { makeKeys } from './keys.ts'
import type { ListenOrder, ListenReport } from './listener.ts'

const LISTENER = fileURLToPath(new URL('listener.ts', import.meta.url))

const STREAMS = 10_000
/** Streams that listen to the same discussion. */
const LISTENERS = 10
const EVENTS_PER_SECOND = 1_000
/** Events that are emitted in one transaction. */
const BATCH = 10

/** Runs the bench and prints its table. */
export const benchStream = (rig: Rig, { quick }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const streams = quick ? STREAMS / 10 : STREAMS
    const seconds = quick ? 5 : 20
    const discussions = streams / LISTENERS
    const tenant = await makeTenant(rig, ['read:community', 'write:community'])
    const topics = await load(stage, tenant, discussions)
    const keys = await makeKeys(rig, tenant, Math.ceil(streams / 1_000))
    const members = await activeOf(stage, tenant, discussions)
    const api = await serveApi(rig)
    await startWorker(rig)
    const idle = await residentMiB(api)
    const listener = fork(LISTENER, { execArgv: process.execArgv })
    rig.onClose(async () => {
      listener.kill()
    })
    try {
      say(`${streams.toLocaleString('en')} streams …`)
      const order = orderOf(api, { topics, keys, members, streams })
      const peak = await peakOf(api, () => openAll(listener, order))
      await sleep(2_000)
      const open = await residentMiB(api)
      say(`${EVENTS_PER_SECOND} events a second for ${seconds} s …`)
      await emitFor(rig, tenant, topics, seconds)
      await sleep(2_000)
      const busy = await residentMiB(api)
      const delays = (await ask(listener, 'delays')).toSorted((a, b) => a - b)
      const at = (part: number) =>
        delays[Math.min(delays.length - 1, Math.floor(delays.length * part))] ?? Number.NaN
      printJudged(
        `${streams.toLocaleString('en')} streams of one process, each event to ${LISTENERS} of them`,
        [
          judged('memory above idle, streams open', open - idle, { unit: 'MiB', atMost: 400 }),
          judged('  while they are opened, at the most', peak - idle, { unit: 'MiB' }),
          judged('  after all events', busy - idle, { unit: 'MiB', atMost: 400 }),
          judged(
            'events that arrived, of those that should',
            (delays.length / (seconds * EVENTS_PER_SECOND * LISTENERS)) * 100,
            {
              ...{ unit: '%', digits: 2, atLeast: 100 },
            },
          ),
          judged('from the emit to the client, p50', at(0.5), { unit: 'ms' }),
          judged('  p99', at(0.99), { unit: 'ms', atMost: 250 }),
          judged('  the latest', at(1), { unit: 'ms' }),
        ],
      )
    } finally {
      listener.disconnect()
    }
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

async function ask(listener: ChildProcess, message: 'delays'): Promise<readonly number[]> {
  listener.send(message)
  const [report] = (await once(listener, 'message')) as [ListenReport]
  return report.kind === 'delays' ? report.delays : []
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
