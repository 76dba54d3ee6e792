/** Two versions of Guildhall run side by side on one database, while members are created and events delivered. */
import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate } from '#platform/migrate/migrate.ts'
import type { Customer } from '../faults/customers.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import type { Fault } from '../faults/scenario.ts'
import { findRedis, HERE } from '../faults/servers.ts'
import { startTraffic, type Traffic } from '../faults/traffic.ts'
import type { Report } from './report.ts'
import type { Try } from './try.ts'

const run = promisify(execFile)
const git = async (...args: string[]) => (await run('git', args, { cwd: HERE })).stdout.trim()

/** @param from the commit of the older version; the one before the newest migration where it is empty */
export async function judgeUpgrade(report: Report, { pace, settings, folder }: Try, from: string) {
  const older = await checkOut(from, folder).catch(() => undefined)
  if (older === undefined) return report.notRun('two versions', 'there is no older commit here')
  report.begin(`Two versions: ${older.commit} and this one`)
  const rig = await openRig({
    backend: (await findRedis()) === undefined ? 'postgres' : 'redis',
    settings,
    root: older.root,
  })
  try {
    const rolling = new Rolling()
    report.heading()
    await report.play(rig, rolling.fault, { ...pace, rate: pace.rate / 2 }, true)
    const { answered, failed } = rolling.traffic ?? { answered: [], failed: 0 }
    report.add(
      'requests to the new version, beside the old one',
      [
        ...(failed > 0 ? [`${failed} writes failed`] : []),
        ...(answered.length === 0 ? ['none was answered'] : []),
      ],
      `${answered.length} writes, ${rolling.applied} migrations`,
    )
  } finally {
    await rig.close()
  }
}

/** The files of a commit, with the packages of this one. */
async function checkOut(from: string, folder: string): Promise<{ commit: string; root: string }> {
  const newest = from || `${await git('log', '-1', '--format=%H', '--', 'migrations')}^`
  const commit = await git('log', '-1', '--format=%h %s', newest)
  const root = join(folder, 'older')
  await mkdir(root)
  const archive = join(folder, 'older.tar')
  await git('archive', '--output', archive, newest)
  await run('tar', ['-xf', archive, '-C', root])
  await symlink(join(HERE, 'node_modules'), join(root, 'node_modules'))
  return { commit, root }
}

/** The steps of an upgrade: migrate, start the new processes beside the old ones, end the old workers. */
class Rolling {
  applied = 0
  traffic: Traffic | undefined
  #customer: Customer | undefined

  readonly fault: Fault = {
    name: 'migrated, then new processes beside the old ones',
    prepare: async (rig) => {
      this.#customer = await rig.makeCustomer()
    },
    inject: (rig, { rate, after }) => this.#upgrade(rig, rate, after),
    mend: async () => this.traffic?.stop(),
  }

  async #upgrade(rig: Rig, rate: number, milliseconds: number): Promise<void> {
    const { DATABASE_URL = '', SECRET_KEY = '' } = rig.environment
    const { applied } = await migrate({ databaseUrl: DATABASE_URL, secretKey: SECRET_KEY })
    this.applied = applied.length
    const olders = [...rig.workers]
    const api = await rig.startApi()
    const worker = await rig.startWorker({ root: HERE })
    await worker.ready()
    const traffic = startTraffic(api.origin, this.#customer?.key ?? '', rate)
    this.traffic = traffic
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    for (const older of olders) await older.stop()
  }
}
