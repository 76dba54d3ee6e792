/** From version 0.1.0 to this one: processes of both on one database with many rows, under traffic. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { newUuid } from '#platform/ids.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { makeFill } from '#testkit/plans/fill-tables.ts'
import { loadMembers, readProjects } from '../bench/data.ts'
import { openReceiver, type Receiver } from '../faults/receivers.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import { register } from '../faults/scenario.ts'
import { HERE, openPostgres } from '../faults/servers.ts'
import { KINDS, startTraffic, type Traffic } from '../load/traffic.ts'
import { watchLocks } from './lock-watch.ts'

/** Rows of large tables, as parts of the members; of the others a hundredth. */
const SHARES: Readonly<Record<string, number>> = {
  ...{ mails: 1, events: 1, comments: 0.5, sessions: 0.5, audit_log: 0.5, analytics_events: 1 },
  ...{ discussions: 0.1, search_documents: 0.1, feedback: 0.1, feedback_votes: 0.3, files: 0.1 },
  ...{ orders: 0.2, subscriptions: 0.2, certificates: 0.1, enrollments: 0.2, comment_likes: 0.5 },
}
/** Work that is due, which a worker would do, and the clock, of which there is one. */
const WORK = [
  'project_clocks',
  'outbox',
  'jobs',
  'webhook_deliveries',
  'webhook_endpoints',
  'payment_notices',
  'invitations',
]

/** Milliseconds that a request, or a lock, may take. */
const BOUND_MS = 1_000

export interface UpgradeOutcome {
  readonly requests: number
  readonly failed: number
  readonly firstFailure: string | undefined
  /** Milliseconds. */
  readonly longestRequest: number
  readonly longestOf: string
  readonly longestWait: number
  readonly locks: readonly (readonly [table: string, mode: string, milliseconds: number])[]
  /** Seconds of `migrate`, and of the slowest files. */
  readonly seconds: number
  readonly slowest: readonly (readonly [name: string, seconds: number])[]
  readonly applied: number
  /** Lines of errors of the processes. */
  readonly errors: readonly string[]
  /** Members that were made, and those of them of which the receiver was told. */
  readonly made: number
  readonly told: number
}

interface Upgrade {
  /** A checkout of the version before. */
  readonly root: string
  readonly members: number
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds of traffic in each state of the upgrade. */
  readonly pauseMs: number
  readonly say: (text: string) => void
}

/** What an upgrade must not do, in words. */
export function faultsOfUpgrade(outcome: UpgradeOutcome): string[] {
  const { failed, firstFailure, longestRequest, longestOf, locks, errors, made, told } = outcome
  const held = locks.filter(([, , milliseconds]) => milliseconds > BOUND_MS)
  return [
    ...(failed > 0 ? [`${failed} requests failed, first ${firstFailure}`] : []),
    ...(longestRequest > BOUND_MS ? [`a request took ${longestRequest} ms (${longestOf})`] : []),
    ...held.map(([table, mode, milliseconds]) => `${table} was held for ${milliseconds} ms by ${mode}`),
    ...(errors.length > 0 ? [`${errors.length} errors were logged, first ${errors[0]?.slice(0, 400)}`] : []),
    ...(told < made ? [`of ${made} new members, ${told} were told of`] : []),
  ]
}

/** Fills a database of the version before, and upgrades it under traffic. */
export async function upgradeLoaded(upgrade: Upgrade): Promise<UpgradeOutcome> {
  const rig = await openRig({
    backend: 'postgres',
    settings: { LOG_LEVEL: 'error', SWEEP_MS: '1000', ALLOW_PRIVATE_NETWORKS: 'true' },
    root: upgrade.root,
    postgres: (folder) => openPostgres(folder, { max_wal_size: '8GB', shared_buffers: '512MB' }),
  })
  const receiver = await openReceiver('healthy')
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  try {
    return await run(rig, owner, receiver, upgrade)
  } finally {
    await owner.end()
    await receiver.close()
    await rig.close()
  }
}

async function run(rig: Rig, owner: pg.Client, receiver: Receiver, upgrade: Upgrade) {
  const { members, rate, pauseMs, say } = upgrade
  const customer = await rig.makeCustomer()
  await register(rig, customer, receiver)
  const tenant = { projectId: customer.projectId, authorization: `Bearer ${customer.key}` }
  // They would remove what they find too old, while it is copied.
  for (const worker of [...rig.workers]) await worker.stop()
  say(`${members.toLocaleString('en')} members`)
  await loadMembers(owner, [tenant], members)
  await fillOthers(owner, members, say)
  await owner.query('vacuum (analyze)')
  await owner.query('checkpoint')
  await (await rig.startWorker()).ready()
  const projects = await readProjects(owner, [tenant], 1_000)
  const traffics: Traffic[] = []
  const begin = (origin: string) => {
    const traffic = startTraffic(origin, projects, rate / 2, KINDS)
    traffics.push(traffic)
    return traffic
  }
  const { DATABASE_URL: databaseUrl = '', SECRET_KEY: secretKey = '' } = rig.environment
  const locks = await watchLocks(databaseUrl)
  const old = begin(rig.origin)
  await sleep(pauseMs)
  say('migrate')
  const began = performance.now()
  const { applied } = await migrate({ databaseUrl, secretKey })
  const seconds = (performance.now() - began) / 1_000
  say(
    `${applied.length} migrations in ${seconds.toFixed(0)} s; the version before goes on alone, then beside this one`,
  )
  await sleep(pauseMs)
  const api = await rig.startApi({ root: HERE })
  const olders = [...rig.workers]
  await (await rig.startWorker({ root: HERE })).ready()
  const fresh = begin(api.origin)
  await sleep(pauseMs)
  for (const older of olders) await older.stop()
  await old.stop()
  await sleep(pauseMs)
  await fresh.stop()
  await migrate({ databaseUrl, secretKey, contract: true })
  const made = traffics.reduce((sum, { byKind }) => sum + (byKind.get('create a member')?.answered ?? 0), 0)
  const deadline = Date.now() + 60_000
  while (receiver.seen.size < made && Date.now() < deadline) await sleep(200)
  await locks.stop()
  const all = traffics.map((traffic) => traffic.all)
  return {
    requests: all.reduce((sum, { answered }) => sum + answered, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    firstFailure: all.find(({ firstFailure }) => firstFailure !== undefined)?.firstFailure,
    ...longestIn(traffics),
    longestWait: locks.waited,
    locks: locks.held(),
    seconds,
    slowest: await slowestOf(owner),
    applied: applied.length,
    errors: await rig.errors(),
    made,
    told: receiver.seen.size,
  }
}

/** The first traffic goes to version 0.1.0, the second to this one. */
function longestIn(traffics: readonly Traffic[]): Pick<UpgradeOutcome, 'longestRequest' | 'longestOf'> {
  const kinds = traffics.flatMap(({ byKind }, i) =>
    [...byKind].map(([kind, { latencies }]) => ({
      longestRequest: Math.round(latencies.max / 1_000),
      longestOf: `${kind}, ${i === 0 ? 'version 0.1.0' : 'this version'}`,
    })),
  )
  return kinds.reduce((longest, each) => (each.longestRequest > longest.longestRequest ? each : longest), {
    longestRequest: 0,
    longestOf: 'none',
  })
}

/** Another project, with rows of all tables. */
async function fillOthers(owner: pg.Client, members: number, say: (text: string) => void): Promise<void> {
  const projectId = newUuid()
  const tables = tenantTables(await readTables(owner))
  const fewer = Object.fromEntries(
    tables.map(({ name }) => [
      name,
      WORK.includes(name) ? 1 : Math.max(2, Math.round(members * (SHARES[name] ?? 0.01))),
    ]),
  )
  const fill = await makeFill(owner, tables, { projectId, fewer })
  await fill(1, members)
  for (const table of WORK) await owner.query(`delete from ${table} where project_id = $1`, [projectId])
  // Workers would look for what was sent of them, in object storage that is not there.
  await owner.query("delete from files where project_id = $1 and status = 'pending'", [projectId])
  // Plans of theirs are missing, so that the worker of neither version could renew them.
  await owner.query(
    "update subscriptions set due_at = now() + interval '1 day' where project_id = $1 and due_at is not null",
    [projectId],
  )
  await owner.query(
    "insert into projects (id, live_id, environment, name, tier) values ($1, $1, 'live', 'Others', 'enterprise')",
    [projectId],
  )
  await owner.query("set session_replication_role = 'origin'")
  say(
    `${Object.values(fewer)
      .reduce((sum, rows) => sum + rows, 0)
      .toLocaleString('en')} rows of other tables`,
  )
}

/** The files that took longest: each is recorded when the one before it is done. */
async function slowestOf(owner: pg.Client): Promise<(readonly [string, number])[]> {
  const { rows } = await owner.query<{ name: string; seconds: number }>(
    `select name, extract(epoch from applied_at - lag(applied_at) over (order by applied_at, name))::float8 as seconds
     from schema_migrations order by 2 desc nulls last limit 200`,
  )
  return rows
    .filter(({ name, seconds }) => seconds !== null && name > '20261125T05')
    .slice(0, 8)
    .map(({ name, seconds }) => [name, seconds] as const)
}
