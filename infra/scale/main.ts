/**
 * `npm run scale [-- --pgbouncer <program>] [--quick]`: runs Guildhall behind a pooler that breaks, and tells what it cost.
 */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { assertDatabaseAddress } from '#platform/db/database-address.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openRig } from '../faults/rig.ts'
import { type Fault, type Pace, play } from '../faults/scenario.ts'
import { faultsOf, HEADING, toLine } from '../faults/verdict.ts'
import { isolationUnderLoad } from './isolation.ts'
import { keepsStatements, openPgBouncer, type Pooler, type PoolMode, versionOf } from './pgbouncer.ts'

const FULL: Pace = { rate: 40, before: 2_000, after: 2_000, recovery: 45_000, outage: 10_000 }
const QUICK: Pace = { rate: 20, before: 700, after: 700, recovery: 20_000, outage: 2_000 }
const SETTINGS = { LEASE_MS: '2000', SWEEP_MS: '300' }
/** Of the processes' own connections, all but the owner's. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename like 'guildhall_api_%' and random() < 0.5`

const { values } = parseArgs({
  options: {
    pgbouncer: { type: 'string', default: 'pgbouncer' },
    quick: { type: 'boolean', default: false },
  },
})
const pace = values.quick ? QUICK : FULL
const program = values.pgbouncer
const version = await versionOf(program)
if (version === undefined) {
  process.stdout.write('poolers: not run, this machine has no pgbouncer (--pgbouncer names one)\n')
  process.exit(0)
}

let failures = 0
/** Writes a line of the table. */
function tell(what: string, faults: readonly string[], remark = ''): void {
  if (faults.length > 0) failures++
  const verdict = faults.length === 0 ? `ok ${remark}` : `FAILED: ${faults.join('; ')}`
  process.stdout.write(`${what.padEnd(64)} ${verdict}\n`)
}

process.stdout.write(`PgBouncer ${version}\n`)
const folder = await realpath(await mkdtemp(join(tmpdir(), 'guildhall-scale-')))
let pooler: Pooler | undefined
const rig = await openRig({
  backend: 'postgres',
  settings: SETTINGS,
  front: async (place) => {
    await judgeModes(place)
    if (!keepsStatements(version)) {
      process.stdout.write(
        'behind the pooler: not run, it keeps no prepared statements (1.21 or later does)\n',
      )
      return { url: place.postgresUrl, stop: async () => undefined }
    }
    pooler = await openPgBouncer({ program, ...place, folder })
    return pooler
  },
})
try {
  if (pooler !== undefined) process.stdout.write(`${HEADING}\n`)
  const faults: Fault[] = [
    { name: 'through the pooler, nothing goes wrong', inject: async () => undefined },
    { name: 'connections behind the pooler are terminated', inject: () => rig.sql(TERMINATE) },
    { name: 'the pooler is killed and comes back', inject: async () => pooler?.restart() },
  ]
  for (const fault of pooler === undefined ? [] : faults) {
    const outcome = await play(rig, fault, pace)
    const broken = faultsOf(outcome)
    if (broken.length > 0) failures++
    process.stdout.write(`${toLine(outcome, broken)}\n`)
  }
  if (pooler !== undefined) {
    let turn = 0
    const disturb = async () => (++turn % 4 === 0 ? pooler?.restart() : rig.sql(TERMINATE))
    const milliseconds = values.quick ? 6_000 : 30_000
    const { requests, failed, wrong } = await isolationUnderLoad(rig, { milliseconds, disturb })
    tell(
      '50 clients of 20 projects, connections and pooler break',
      wrong,
      `${requests} requests, ${failed} failed`,
    )
  }
} finally {
  await rig.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.stdout.write(failures === 0 ? 'Nothing was lost or mixed up.\n' : `${failures} failed.\n`)
process.exitCode = failures === 0 ? 0 : 1

/** What a process says of poolers that it cannot work with. */
async function judgeModes(place: { postgresUrl: string; secretKey: string }): Promise<void> {
  const all: readonly (readonly [mode: PoolMode, prepared: number, said: RegExp])[] = [
    ['transaction', 200, /^nothing$/],
    ['transaction', 0, /does not keep prepared statements/],
    ['session', 200, /in session mode/],
    ['statement', 200, /refuses transactions/],
  ]
  const wanted = keepsStatements(version ?? '') ? all : all.slice(1)
  for (const [mode, prepared, expected] of wanted) {
    const judged = await openPgBouncer({ program, folder, ...place, mode, prepared })
    const { secretKey: SECRET_KEY, postgresUrl: DATABASE_DIRECT_URL } = place
    const said = await assertDatabaseAddress({
      DATABASE_URL: judged.url,
      DATABASE_DIRECT_URL,
      SECRET_KEY,
    }).then(
      (remark) => remark ?? 'nothing',
      (error: Error) => error.message,
    )
    tell(`${mode} mode, ${prepared} prepared statements`, expected.test(said) ? [] : [`it said: ${said}`])
    const refused = await migrate({ databaseUrl: judged.url, secretKey: SECRET_KEY }).then(
      () => 'it migrated',
      ({ message }: Error) =>
        /leads to a pooler|refuses transactions|pooling mode/.test(message) ? '' : message,
    )
    tell(`${mode} mode, migrate`, refused === '' ? [] : [refused])
    await judged.stop()
  }
}
