/** Guildhall behind PgBouncer. */
import { assertDatabaseAddress } from '#platform/doctor/database-address.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { openRig } from '../faults/rig.ts'
import type { Fault } from '../faults/scenario.ts'
import { isolationUnderLoad } from './isolation.ts'
import type { Report } from './report.ts'
import { keepsStatements, openPgBouncer, type Pooler, type PoolMode, versionOf } from './servers/pgbouncer.ts'
import type { Try } from './try.ts'

/** Of the processes' own connections, all but the owner's. */
const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename like 'guildhall_api_%' and random() < 0.5`

/** @param program a PgBouncer */
export async function judgePoolers(report: Report, { pace, settings, folder, quick }: Try, program: string) {
  const version = await versionOf(program)
  if (version === undefined) return report.notRun('PgBouncer', 'there is none (--pgbouncer names one)')
  report.begin(`PgBouncer ${version}`)
  let pooler: Pooler | undefined
  const rig = await openRig({
    backend: 'postgres',
    settings,
    front: async (place) => {
      await judgeModes(report, { ...place, program, version, folder })
      if (!keepsStatements(version)) {
        report.notRun('behind the pooler', 'it keeps no prepared statements (1.21 or later does)')
        return { url: place.postgresUrl, stop: async () => undefined }
      }
      pooler = await openPgBouncer({ program, ...place, folder })
      return pooler
    },
  })
  try {
    if (pooler === undefined) return
    report.heading()
    const faults: Fault[] = [
      { name: 'behind PgBouncer the API and the workers work', inject: async () => undefined },
      { name: 'connections behind the pooler are terminated', inject: () => rig.sql(TERMINATE) },
      { name: 'the pooler is killed and comes back', inject: async () => pooler?.restart() },
    ]
    for (const fault of faults) await report.play(rig, fault, pace)
    let turn = 0
    const disturb = async () => (++turn % 4 === 0 ? pooler?.restart() : rig.sql(TERMINATE))
    const milliseconds = quick ? 6_000 : 30_000
    const { requests, failed, wrong } = await isolationUnderLoad(rig, { milliseconds, disturb })
    report.add(
      '50 clients of 20 projects, connections and pooler break',
      wrong,
      `${requests} requests, ${failed} failed`,
    )
  } finally {
    await rig.close()
  }
}

interface Judged {
  readonly program: string
  readonly version: string
  readonly folder: string
  readonly postgresUrl: string
  readonly secretKey: string
}

/** What a process says of poolers that it cannot work with. */
async function judgeModes(report: Report, { version, ...place }: Judged): Promise<void> {
  const all: readonly (readonly [mode: PoolMode, prepared: number, refusal: RegExp])[] = [
    ['transaction', 200, /^nothing$/],
    ['transaction', 0, /does not keep prepared statements/],
    ['session', 200, /in session mode/],
    ['statement', 200, /refuses transactions/],
  ]
  const wanted = keepsStatements(version) ? all : all.slice(1)
  for (const [mode, prepared, expected] of wanted) {
    const judged = await openPgBouncer({ ...place, mode, prepared })
    const { secretKey: SECRET_KEY, postgresUrl: DATABASE_DIRECT_URL } = place
    const message = await assertDatabaseAddress({
      DATABASE_URL: judged.url,
      DATABASE_DIRECT_URL,
      SECRET_KEY,
    }).then(
      (remark) => remark ?? 'nothing',
      (error: Error) => error.message,
    )
    report.add(
      `${mode} mode, ${prepared} prepared statements`,
      expected.test(message) ? [] : [`message: ${message}`],
    )
    const refused = await migrate({ databaseUrl: judged.url, secretKey: SECRET_KEY }).then(
      () => 'it migrated',
      ({ message }: Error) =>
        /leads to a pooler|refuses transactions|pooling mode/.test(message) ? '' : message,
    )
    report.add(`${mode} mode, migrate`, refused === '' ? [] : [refused])
    await judged.stop()
  }
}
