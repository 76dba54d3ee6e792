/** `npm run bench -- topology [--pgbouncer=program]`: what a pooler costs a request, and what exports on a replica leave of it. */
import { join } from 'node:path'
import { startStandby } from '../../postgres/standby.ts'
import { keepsStatements, openPgBouncer, versionOf } from '../../scale/servers/pgbouncer.ts'
import { benchOf, beside, getsOf } from '../cases.ts'
import { loadSubmissions, readingExports } from '../csv/data.ts'
import { loadMembers, pickMembers } from '../data.ts'
import { treeOf } from '../process-tree.ts'
import type { Rig, Server } from '../rig.ts'
import { say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { canChooseCores, runOn } from './cores.ts'

const MEMBERS = 10_000
const CONNECTIONS = 32
/** Exports at a time, beside requests. */
const TOGETHER = 3
/** Clients that ask one after the other beside exports, and leave the machine time to spare. */
const FEW = 4
const REPLICA_MS = 30_000

export const benchTopology = benchOf({
  full: { rows: 300_000, rounds: 4, seconds: 3 },
  quick: { rows: 100_000, rounds: 3, seconds: 1 },
  async setUp(stage, { rows, rounds, seconds }, { pgbouncer }) {
    const { rig, owner } = stage
    say(`Loading ${rows.toLocaleString('en')} submissions and ${MEMBERS.toLocaleString('en')} members …`)
    const tenant = await loadSubmissions(rig, owner, rows)
    await loadMembers(owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    const members = (await pickMembers(owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
    const standby = await startStandby(
      { url: rig.postgres.url, dataDir: join(rig.folder, 'postgres') },
      { dataDir: join(rig.folder, 'standby'), settings: { hot_standby_feedback: 'on' } },
    )
    rig.onClose(() => standby.stop())
    const serve = (name: string, more: Record<string, string>) =>
      serveApi(rig, name, { REDIS_URL: rig.redisUrl ?? '', ...more })
    const direct = await serve('direct', {})
    const replicated = await serve('replicated', { DATABASE_REPLICA_URL: standby.url })
    const exporting = await serve('replicated-too', { DATABASE_REPLICA_URL: standby.url })
    const pooler = await openPooler(rig, pgbouncer)
    const pooled =
      pooler && (await serve('pooled', { DATABASE_URL: pooler, DATABASE_DIRECT_URL: rig.postgres.url }))
    await standby.untilCaughtUp()
    for (const api of [replicated, exporting]) await untilReplicaIsRead(api)

    const requests = Object.entries({
      'GET one member': members,
      'GET a page of members': ['/api/v1/members?limit=20'],
    }).map(([name, paths]) => {
      const load = getsOf(tenant, paths)
      return {
        ...{ name, connections: CONNECTIONS },
        asked: [
          { name: 'direct', server: direct, load },
          ...(pooled ? [{ name: 'through PgBouncer', server: pooled, load, goal: 0.85 }] : []),
          { name: 'with a replica', server: replicated, load },
        ],
      }
    })
    const besideExports = (name: string, before: () => void) => ({
      table: `p99 of GET one member beside ${TOGETHER} exports of the replica by another process, to without`,
      ...{ name, digits: 2, atMost: 1.2 },
      measure: async () => {
        before()
        const load = { ...getsOf(tenant, members), origin: replicated.origin, connections: FEW, seconds }
        const { ratio } = await beside(stage, load, rounds, () => readingExports(exporting, tenant, TOGETHER))
        return ratio
      },
    })
    /** As on machines of their own: the replica, the process that exports and whoever reads on one core, all others on another. */
    const separate = () => {
      runOn('0', [...treeOf(process.pid).keys()])
      runOn('1', [...treeOf(standby.pid).keys(), ...treeOf(exporting.pid).keys(), process.pid])
    }
    return [
      ...requests,
      besideExports('all on the same cores', () => undefined),
      ...(canChooseCores() ? [besideExports('exports on a core of their own', separate)] : []),
    ]
  },
})

/** @returns the address of the pooler, or undefined where there is none */
async function openPooler(rig: Rig, program: string | undefined): Promise<string | undefined> {
  const version = program === undefined ? undefined : await versionOf(program)
  if (program === undefined || version === undefined || !keepsStatements(version)) {
    say('Behind a pooler: not run, --pgbouncer names no PgBouncer of 1.21 or later.')
    return undefined
  }
  say(`PgBouncer ${version}`)
  const { folder, secretKey } = rig
  const pooler = await openPgBouncer({ program, folder, postgresUrl: rig.postgres.url, secretKey })
  rig.onClose(() => pooler.stop())
  return pooler.url
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
