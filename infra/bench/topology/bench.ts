/** `npm run bench -- topology [--pgbouncer=program]`: what a pooler costs a request, and what exports on a replica leave of it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { startStandby } from '../../postgres/standby.ts'
import { keepsStatements, openPgBouncer, versionOf } from '../../scale/servers/pgbouncer.ts'
import { type FormTenant, loadSubmissions } from '../csv/data.ts'
import { readAll } from '../csv/reader.ts'
import { CONNECTIONS } from '../http/connections.ts'
import { loadMembers, pickMembers } from '../http/data.ts'
import { API, apiEnvironment } from '../http/variants.ts'
import { type Generator, startGenerator } from '../load.ts'
import type { BenchOptions } from '../options.ts'
import type { Rig, Server } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { canChooseCores, childrenOf, runOn } from './cores.ts'

interface Plan {
  readonly rows: number
  readonly rounds: number
  readonly seconds: number
}
const FULL: Plan = { rows: 300_000, rounds: 4, seconds: 3 }
const QUICK: Plan = { rows: 100_000, rounds: 3, seconds: 1 }
const MEMBERS = 10_000
/** Exports at a time, beside requests. */
const TOGETHER = 3
/** Clients that ask one after the other beside exports, and leave the machine time to spare. */
const FEW = 4
const GOALS = { ofDirect: 0.85, slowdown: 1.2 }
const REPLICA_MS = 30_000

const say = (text: string) => process.stderr.write(`${text}\n`)
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

interface Apis {
  readonly direct: Server
  /** Two processes that read a replica. */
  readonly replicated: readonly [Server, Server]
  readonly pooled: Server | undefined
}

/** Runs the bench and prints its tables. */
export async function benchTopology(rig: Rig, { quick, pgbouncer }: BenchOptions): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const generator = startGenerator()
  const stopping: (() => Promise<void>)[] = [() => generator.stop(), () => owner.end()]
  try {
    say(`Loading ${plan.rows.toLocaleString('en')} submissions and ${MEMBERS.toLocaleString('en')} members …`)
    const tenant = await loadSubmissions(rig, owner, plan.rows)
    await loadMembers(owner, [tenant], MEMBERS)
    await owner.query('vacuum (analyze)')
    await owner.query('checkpoint')
    const members = await pickMembers(owner, tenant, 1_000)
    const standby = await startStandby(
      { url: rig.postgres.url, dataDir: join(rig.folder, 'postgres') },
      { dataDir: join(rig.folder, 'standby'), settings: { hot_standby_feedback: 'on' } },
    )
    stopping.push(() => standby.stop())
    const pooler = await openPooler(rig, pgbouncer)
    if (pooler) stopping.push(() => pooler.stop())
    const apis = await startApis(rig, standby.url, pooler?.url)
    await standby.untilCaughtUp()
    for (const api of apis.replicated) await untilReplicaIsRead(api)
    const paths = members.map(({ id }) => `/api/v1/members/${id}`)
    await throughput(generator, apis, tenant, paths, plan)
    const { direct, replicated } = apis
    await besideExports(generator, tenant, paths, plan, [
      ['exports of the primary, in the same process', direct, direct],
      ['exports of the replica, in the same process', replicated[0], replicated[0]],
      ['exports of the replica, in another process', ...replicated],
    ])
    if (!canChooseCores()) return
    // As on machines of their own: the replica, the process that exports and whoever reads on one core, all others on another.
    runOn('0', childrenOf(process.pid))
    runOn('1', [standby.pid, replicated[1].pid])
    spawnSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' })
    await besideExports(generator, tenant, paths, plan, [
      ['exports of the replica, in another process, on a core of their own', ...replicated],
    ])
  } finally {
    for (const stop of stopping) await stop()
  }
}

async function openPooler(rig: Rig, program: string | undefined) {
  const version = program === undefined ? undefined : await versionOf(program)
  if (program === undefined || version === undefined || !keepsStatements(version)) {
    say('Behind a pooler: not run, --pgbouncer names no PgBouncer of 1.21 or later.')
    return undefined
  }
  say(`PgBouncer ${version}`)
  return openPgBouncer({
    program,
    folder: rig.folder,
    postgresUrl: rig.postgres.url,
    secretKey: rig.secretKey,
  })
}

async function startApis(rig: Rig, replicaUrl: string, poolerUrl: string | undefined): Promise<Apis> {
  const serve = (name: string, more: Record<string, string>) =>
    rig.serve({ name, script: API, environment: { ...apiEnvironment(rig, rig.redisUrl), ...more } })
  const replicated = { DATABASE_REPLICA_URL: replicaUrl }
  return {
    direct: await serve('direct', {}),
    replicated: [await serve('replicated', replicated), await serve('replicated-too', replicated)],
    pooled:
      poolerUrl === undefined
        ? undefined
        : await serve('pooled', { DATABASE_URL: poolerUrl, DATABASE_DIRECT_URL: rig.postgres.url }),
  }
}

async function untilReplicaIsRead({ origin }: Server): Promise<void> {
  const deadline = Date.now() + REPLICA_MS
  for (;;) {
    const answer = await fetch(`${origin}/readyz`)
    const { dependencies } = (await answer.json()) as { dependencies: { replicas: { ok: boolean }[] } }
    if (dependencies.replicas.every(({ ok }) => ok)) return
    if (Date.now() > deadline) throw new Error('the replica is not read')
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** Requests per second of the same requests, in turn on each process. */
async function throughput(
  generator: Generator,
  { direct, replicated, pooled }: Apis,
  { authorization }: FormTenant,
  members: readonly string[],
  { rounds, seconds }: Plan,
): Promise<void> {
  const servers: [name: string, server: Server][] = [
    ['direct', direct],
    ...(pooled === undefined ? [] : [['through PgBouncer', pooled] as [string, Server]]),
    ['with a replica', replicated[0]],
  ]
  const cases = { 'GET one member': members, 'GET a page of members': ['/api/v1/members?limit=20'] }
  for (const [name, paths] of Object.entries(cases)) {
    say(`${name} …`)
    const measured = servers.map(() => [] as { rate: number; p99: number }[])
    let errors = 0
    for (let round = 0; round <= rounds; round++)
      for (const [i, [, { origin }]] of servers.entries()) {
        const load = { origin, method: 'GET', paths, authorizations: [authorization] } as const
        const outcome = await generator.run({ ...load, connections: CONNECTIONS, seconds })
        errors += outcome.errors
        if (round > 0) measured[i]?.push({ rate: outcome.requestsPerSecond, p99: outcome.p99 })
      }
    const base = measured[0] ?? []
    const rows = servers.map(([server], i) => {
      const own = measured[i] ?? []
      const ratio = median(own.map(({ rate }, round) => rate / (base[round]?.rate ?? Number.NaN)))
      const isGoal = server === 'through PgBouncer' && paths === members
      return [
        server,
        median(own.map(({ rate }) => rate)).toFixed(0),
        median(own.map(({ p99 }) => p99)).toFixed(2),
        ratio.toFixed(2),
        isGoal ? `≥ ${GOALS.ofDirect}` : '',
        isGoal ? verdict(ratio >= GOALS.ofDirect) : '',
      ]
    })
    printTable(
      `${name}, ${CONNECTIONS} clients${errors > 0 ? `, INVALID: ${errors} errors` : ''}`,
      ['', 'requests/s', 'p99 ms', 'of direct', 'goal', ''],
      rows,
    )
  }
}

/** The slowest hundredth of requests for single members, with exports and without, in turn. */
async function besideExports(
  generator: Generator,
  tenant: FormTenant,
  paths: readonly string[],
  { rounds, seconds }: Plan,
  cases: readonly (readonly [name: string, asked: Server, exporting: Server])[],
): Promise<void> {
  const authorizations = [tenant.authorization]
  const run = ({ origin }: Server) =>
    generator.run({ origin, method: 'GET', paths, authorizations, connections: FEW, seconds })
  const measured = cases.map(() => [] as { quiet: number; busy: number; mibs: number }[])
  let errors = 0
  for (let round = 0; round <= rounds; round++)
    for (const [i, [name, asked, exporting]] of cases.entries()) {
      say(`${name}, ${round === 0 ? 'warming up' : `${round} of ${rounds}`} …`)
      const quiet = await run(asked)
      const leaving = new AbortController()
      const url = `${exporting.origin}/api/v1/forms/${tenant.form.id}/submissions/export?format=csv`
      let bytes = 0
      const reading = Array.from({ length: TOGETHER }, async () => {
        while (!leaving.signal.aborted) {
          const read = await readAll(url, tenant.authorization, leaving.signal)
          bytes += read.bytes
        }
      })
      const [busy] = await Promise.all([run(asked).finally(() => leaving.abort()), ...reading])
      errors += quiet.errors + busy.errors
      if (round > 0) measured[i]?.push({ quiet: quiet.p99, busy: busy.p99, mibs: bytes / seconds / 2 ** 20 })
    }
  const rows = cases.map(([name], i) => {
    const own = measured[i] ?? []
    const ratio = median(own.map(({ quiet, busy }) => busy / quiet))
    return [
      name,
      median(own.map(({ quiet }) => quiet)).toFixed(2),
      median(own.map(({ busy }) => busy)).toFixed(2),
      ratio.toFixed(2),
      median(own.map(({ mibs }) => mibs)).toFixed(0),
      ...(name.includes('replica') ? [`≤ ${GOALS.slowdown}`, verdict(ratio <= GOALS.slowdown)] : []),
    ]
  })
  printTable(
    `GET one member, ${FEW} clients, beside ${TOGETHER} exports${errors > 0 ? `, INVALID: ${errors} errors` : ''}`,
    ['', 'p99 alone', 'p99 beside', 'ratio', 'exports, MiB/s', 'goal', ''],
    rows,
  )
}
