/** Two versions of Guildhall run side by side on one database, while members are created and events delivered. */
import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { migrate } from '#platform/migrate/migrate.ts'
import { printTable } from '../bench/table.ts'
import type { Customer } from '../faults/customers.ts'
import { openRig, type Rig } from '../faults/rig.ts'
import type { Fault } from '../faults/scenario.ts'
import { findRedis, HERE } from '../faults/servers.ts'
import { startTraffic, type Traffic } from '../faults/traffic.ts'
import { faultsOfUpgrade, upgradeLoaded } from './loaded-upgrade.ts'
import type { Report } from './report.ts'
import type { Try } from './try.ts'

const run = promisify(execFile)
const git = async (...args: string[]) => (await run('git', args, { cwd: HERE })).stdout.trim()

/** @param from the commit of the older version; the one before the newest migration where it is empty */
export async function judgeUpgrade(report: Report, { pace, settings, folder }: Try, from: string) {
  const older = await checkOut(from || (await beforeNewest()), folder).catch(() => undefined)
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

/** From version 0.1.0 with many members: the longest request, and the longest lock of each table. */
export async function judgeLoadedUpgrade(report: Report, { folder, members }: Try) {
  const from = await firstRelease()
  if (from === undefined)
    return report.notRun('an upgrade from version 0.1.0', 'the history of the repository is not here')
  const { root, commit } = await checkOut(from, folder)
  report.begin(`An upgrade of a loaded database: ${commit} and this version`)
  const say = (text: string) => process.stderr.write(`${text}\n`)
  const outcome = await upgradeLoaded({ root, members, rate: 40, pauseMs: 8_000, say })
  const { requests, longestRequest, longestOf, longestWait, locks, seconds, applied, made, told } = outcome
  printTable(
    `${applied} migrations in ${seconds.toFixed(0)} s with ${members.toLocaleString('en')} members, under 20 to 40 requests a second`,
    ['', 'figure'],
    [
      ['requests', String(requests)],
      [`longest request (${longestOf}), ms`, String(longestRequest)],
      ['longest wait for a lock, ms', String(longestWait)],
      ['new members, and told to a receiver', `${made}, ${told}`],
      ...locks.slice(0, 10).map(([table, mode, ms]) => [`longest lock of ${table}, ${mode}, ms`, String(ms)]),
      ...outcome.slowest.map(([name, each]) => [`${name}, s`, each.toFixed(1)]),
    ],
  )
  report.add('an upgrade under traffic', faultsOfUpgrade(outcome), `longest request ${longestRequest} ms`)
}

/** The files of a commit, with the packages of this one. */
export async function checkOut(from: string, folder: string): Promise<{ commit: string; root: string }> {
  const commit = await git('log', '-1', '--format=%h %s', from)
  const root = join(folder, `older-${from.replace(/\W/g, '')}`)
  await mkdir(root)
  const archive = `${root}.tar`
  await git('archive', '--output', archive, from)
  await run('tar', ['-xf', archive, '-C', root])
  await symlink(join(HERE, 'node_modules'), join(root, 'node_modules'))
  return { commit, root }
}

/** The commit before the newest migration. */
const beforeNewest = async () => `${await git('log', '-1', '--format=%H', '--', 'migrations')}^`

/** The commit that made version 0.1.0; undefined where its history is not here. */
export async function firstRelease(): Promise<string | undefined> {
  const made = await git('log', '--diff-filter=A', '--format=%H', '--', 'migrations/baseline.json').catch(
    () => '',
  )
  // A shallow history shows its oldest commit as the one that made everything.
  const isShallow = (await git('rev-parse', '--is-shallow-repository').catch(() => 'true')) === 'true'
  return isShallow ? undefined : made.split('\n').at(-1) || undefined
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
