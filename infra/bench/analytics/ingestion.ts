/** Events taken in through the API, against the same rows sent to PostgreSQL as they are. */
import pg from 'pg'
import { COLUMNS } from '#areas/analytics/ingestion/write-hits.ts'
import { newUuid } from '#platform/ids.ts'
import type { Tenant } from '../http/data.ts'
import type { Generator, Load } from '../load.ts'
import type { Rig, Server } from '../rig.ts'
import { median, printTable } from '../table.ts'

const BATCH = 1_000
const CONNECTIONS = 4
/** Clients that send one event each. */
const CLIENTS = 64
const GOALS = { batches: 0.6, single: 0.5, slowdown: 2 }
/** Sent beside requests for members. */
const BESIDE_PER_SECOND = 5_000

const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')
const perSecond = (rate: number) => Math.round(rate).toLocaleString('en')

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'
const event = (n: string) =>
  `{"event":"play","ip":"198.51.100.7","user_agent":"${AGENT}","session_id":"s${n}","properties":{"plan":"supporter","steps":3}}`
const batch = `{"events":[${Array.from({ length: BATCH }, (_, i) => event(`{n}-${i}`)).join(',')}]}`

/** A row of the counterpart: as the API stores one of these events. */
const rowOf = (n: number): Record<keyof typeof COLUMNS, unknown> => ({
  ...(Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, null])) as Record<
    keyof typeof COLUMNS,
    null
  >),
  id: newUuid(),
  at: new Date(),
  received_at: new Date(),
  name: 'play',
  visitor: '5764607523034234881',
  bot: false,
  session_id: `s${n}`,
  source: 'Direct',
  channel: 'Direct',
  device: 'desktop',
  browser: 'Chrome',
  os: 'Windows',
  properties: '{"plan":"supporter","steps":3}',
})
const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const arrays = names.map((name, i) => `$${i + 1}::${COLUMNS[name]}[]`)
const stored = names.map((name) => (name === 'properties' ? 'properties::jsonb' : name))
const INSERT = `insert into analytics_events (${names}) values (${names.map((_, i) => `$${i + 1}`)})`
const UNNEST = `insert into analytics_events (${names}) select ${stored} from unnest(${arrays}) as t (${names})`

/** @param members paths of single members */
export async function benchIngestion(
  rig: Rig,
  api: Server,
  generator: Generator,
  { tenant, members, seconds }: { tenant: Tenant; members: readonly string[]; seconds: number },
): Promise<void> {
  const load = { origin: api.origin, authorizations: [tenant.authorization], seconds } as const
  const post = (path: string, body: string, connections: number): Load => {
    const paths = [`/api/v1/analytics/${path}`]
    return { ...load, method: 'POST', paths, body, connections }
  }
  const get: Load = { ...load, method: 'GET', paths: members, connections: CLIENTS }
  const run = async (wanted: Load) => {
    await generator.run({ ...wanted, seconds: 1 })
    const outcome = await generator.run(wanted)
    if (outcome.errors > 0) throw new Error(`${wanted.paths[0]}: ${outcome.firstError}`)
    return outcome
  }
  const single = await run(post('track', event('{n}'), CLIENTS))
  const reads = await run(get)
  const inserts = await direct(rig, tenant, seconds, 1)
  const batches = (await run(post('batch', batch, CONNECTIONS))).requestsPerSecond * BATCH
  const unnested = await direct(rig, tenant, seconds, BATCH)
  const ratios = { single: single.requestsPerSecond / reads.requestsPerSecond, batches: batches / unnested }
  printTable(
    `Events taken in, ${CONNECTIONS} connections to PostgreSQL under row-level security`,
    ['', 'events/s', 'ratio', 'goal', ''],
    [
      ['GET one member (requests/s)', perSecond(reads.requestsPerSecond), '1.00'],
      [
        `track, ${CLIENTS} clients`,
        perSecond(single.requestsPerSecond),
        ratios.single.toFixed(2),
        `≥ ${GOALS.single}`,
        verdict(ratios.single >= GOALS.single),
      ],
      ['single INSERTs, a commit each', perSecond(inserts)],
      [`unnest of ${BATCH}`, perSecond(unnested), '1.00'],
      [
        `batches of ${BATCH}, ${CONNECTIONS} clients`,
        perSecond(batches),
        ratios.batches.toFixed(2),
        `≥ ${GOALS.batches}`,
        verdict(ratios.batches >= GOALS.batches),
      ],
    ],
  )
  await beside(api, generator, tenant, { ...get, connections: CONNECTIONS })
}

/** The same rows without an API: each of the connections sends one statement after the other. */
async function direct(
  { postgres }: Rig,
  { projectId }: Tenant,
  seconds: number,
  rows: number,
): Promise<number> {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: postgres.url }))
  try {
    const end = performance.now() + seconds * 1_000
    let sent = 0
    await Promise.all(
      clients.map(async (client) => {
        await client.connect()
        // The runtime's role, so that policies are asked as they are of the API.
        await client.query('set role guildhall_api')
        await client.query("select set_config('app.project_id', $1, false)", [projectId])
        while (performance.now() < end) {
          const made = Array.from({ length: rows }, (_, i) => rowOf(sent + i))
          const values = names.map((name) => (rows === 1 ? made[0]?.[name] : made.map((row) => row[name])))
          await client.query({ name: `bench_${rows}`, text: rows === 1 ? INSERT : UNNEST, values })
          sent += rows
        }
      }),
    )
    return sent / seconds
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

/** Requests for single members, without events and beside some, in turn. */
async function beside(api: Server, generator: Generator, tenant: Tenant, get: Load): Promise<void> {
  const quiet: number[] = []
  const busy: number[] = []
  let sent = 0
  let seconds = 0
  for (let round = 0; round <= 3; round++) {
    const without = await generator.run(get)
    const leaving = new AbortController()
    const begun = performance.now()
    const sending = send(api, tenant, leaving.signal)
    const withEvents = await generator.run(get)
    leaving.abort()
    const events = await sending
    if (round === 0) continue
    sent += events
    seconds += (performance.now() - begun) / 1_000
    quiet.push(without.p99)
    busy.push(withEvents.p99)
  }
  const ratio = median(busy.map((p99, round) => p99 / (quiet[round] ?? Number.NaN)))
  printTable(
    `GET one member, ${get.connections} clients`,
    ['', 'measured', 'goal', ''],
    [
      ['p99 without events', `${median(quiet).toFixed(2)} ms`],
      [`p99 beside ${perSecond(sent / seconds)} events/s`, `${median(busy).toFixed(2)} ms`],
      ['ratio', ratio.toFixed(1), `≤ ${GOALS.slowdown}`, verdict(ratio <= GOALS.slowdown)],
    ],
  )
}

/** Sends batches of 50 at a steady rate, as sites' servers do. @returns how many events */
async function send({ origin }: Server, { authorization }: Tenant, signal: AbortSignal): Promise<number> {
  const size = 50
  const body = `{"events":[${Array.from({ length: size }, (_, i) => event(String(i))).join(',')}]}`
  const headers = { authorization, 'content-type': 'application/json' }
  const begun = performance.now()
  let sent = 0
  const under = new Set<Promise<unknown>>()
  while (!signal.aborted) {
    const due = ((performance.now() - begun) / 1_000) * BESIDE_PER_SECOND
    if (sent < due && under.size < 16) {
      const sending = fetch(`${origin}/api/v1/analytics/batch`, { method: 'POST', headers, body })
        .then((answer) => answer.text())
        .finally(() => under.delete(sending))
      under.add(sending)
      sent += size
    } else await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(under)
  return sent
}
