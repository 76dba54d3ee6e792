/** `npm run bench -- topology [--pgbouncer=program]`: what a pooler costs a request, and what exports on a replica leave of it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { startStandby } from '../../postgres/standby.ts'
import { keepsStatements, openPgBouncer, versionOf } from '../../scale/servers/pgbouncer.ts'
import { beside, compare } from '../compare.ts'
import { type FormTenant, loadSubmissions, readingExports } from '../csv/data.ts'
import { loadMembers, pickMembers } from '../data.ts'
import type { Rig, Server } from '../rig.ts'
import { type BenchOptions, onStage, type Stage, say, serveApi, vacuumAndCheckpoint } from '../stage.ts'
import { judged, printJudged } from '../table.ts'
import { canChooseCores, childrenOf, runOn } from './cores.ts'

const FULL = { rows: 300_000, rounds: 4, seconds: 3 }
const QUICK = { rows: 100_000, rounds: 3, seconds: 1 }
const MEMBERS = 10_000
const CONNECTIONS = 32
/** Exports at a time, beside requests. */
const TOGETHER = 3
/** Clients that ask one after the other beside exports, and leave the machine time to spare. */
const FEW = 4
const REPLICA_MS = 30_000

/** Runs the bench and prints its tables. */
export const benchTopology = (rig: Rig, { quick, pgbouncer }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const plan = quick ? QUICK : FULL
    say(`Loading ${plan.rows.toLocaleString('en')} submissions and ${MEMBERS.toLocaleString('en')} members …`)
    const tenant = await loadSubmissions(rig, stage.owner, plan.rows)
    await loadMembers(stage.owner, [tenant], MEMBERS)
    await vacuumAndCheckpoint(stage)
    const members = (await pickMembers(stage.owner, tenant, 1_000)).map(({ id }) => `/api/v1/members/${id}`)
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

    const cases = Object.entries({
      'GET one member': members,
      'GET a page of members': ['/api/v1/members?limit=20'],
    })
    await compare(
      stage,
      cases.map(([name, paths]) => {
        const load = { method: 'GET', paths, authorizations: [tenant.authorization] } as const
        return {
          ...{ name, connections: CONNECTIONS },
          asked: [
            { name: 'direct', server: direct, load },
            ...(pooled ? [{ name: 'through PgBouncer', server: pooled, load, goal: 0.85 }] : []),
            { name: 'with a replica', server: replicated, load },
          ],
        }
      }),
      plan,
    )
    const rows = [
      ...(await besideExports(
        stage,
        'all on the same cores',
        [replicated, exporting],
        tenant,
        members,
        plan,
      )),
    ]
    if (canChooseCores()) {
      // As on machines of their own: the replica, the process that exports and whoever reads on one core, all others on another.
      runOn('0', childrenOf(process.pid))
      runOn('1', [standby.pid, exporting.pid])
      spawnSync('taskset', ['-acp', '1', String(process.pid)], { stdio: 'ignore' })
      rows.push(
        ...(await besideExports(
          stage,
          'exports on a core of their own',
          [replicated, exporting],
          tenant,
          members,
          plan,
        )),
      )
    }
    printJudged(
      `p99 of GET one member beside ${TOGETHER} exports of the replica by another process, to without`,
      rows,
    )
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

async function besideExports(
  { generator }: Stage,
  name: string,
  [asked, exporting]: readonly [Server, Server],
  tenant: FormTenant,
  paths: readonly string[],
  { rounds, seconds }: typeof FULL,
): Promise<string[][]> {
  say(`beside exports, ${name} …`)
  const load = { origin: asked.origin, method: 'GET', paths, authorizations: [tenant.authorization] } as const
  const { ratio } = await beside(generator, { ...load, connections: FEW, seconds }, rounds, () =>
    readingExports(exporting, tenant, TOGETHER),
  )
  return [judged(name, ratio, { digits: 2, atMost: 1.2 })]
}
