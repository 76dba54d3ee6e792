/** `npm run bench -- idle`: what an installation with nothing to do costs. */
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInstallation } from './installation.ts'
import { type TreeProcess, treeOf } from './process-tree.ts'
import type { Rig } from './rig.ts'
import { type BenchOptions, say } from './stage.ts'
import { printTable, verdict } from './table.ts'

/** Of one core. */
const GOAL = 0.005
/**
 * Before the measurement: what a start leaves behind is done by then. A hundred seconds after it, V8 collects the garbage of
 * each process once; pools close their spare connections before that.
 */
const WARM_UP_SECONDS = 120
const SECONDS = 60

/** Runs the bench and prints its table. A quick one starts an installation with less time to warm up. */
export async function benchIdle(rig: Rig, { quick }: BenchOptions): Promise<void> {
  say('Starting an installation …')
  const installation = await startInstallation(rig, join(rig.folder, 'data'))
  const answer = await fetch(`${installation.baseUrl}/api/v1/members`, {
    headers: { authorization: `Bearer ${installation.secretKey}` },
  })
  if (!answer.ok) throw new Error(`the first answer was ${answer.status}`)
  await answer.arrayBuffer()
  await sleep((quick ? 20 : WARM_UP_SECONDS) * 1_000)
  say(`Doing nothing for ${SECONDS} s …`)
  const before = treeOf(installation.pid)
  const begun = performance.now()
  await sleep(SECONDS * 1_000)
  print(before, treeOf(installation.pid), (performance.now() - begun) / 1_000, installation.pid)
}

/**
 * A process that ended in between has left its time with its parent. So the time of all that were there at the beginning
 * is taken off what all that are there at the end have, their ended children included.
 */
function print(
  before: ReadonlyMap<number, TreeProcess>,
  after: ReadonlyMap<number, TreeProcess>,
  seconds: number,
  launcher: number,
): void {
  const used = new Map<string, { processes: number; seconds: number }>()
  const add = (process: TreeProcess, sign: 1 | -1, counts: boolean) => {
    // What a process that has ended took belongs to its parent's children that have ended.
    const name = nameOf(process, launcher)
    const entry = used.get(name) ?? { processes: 0, seconds: 0 }
    if (counts) entry.processes += 1
    entry.seconds += sign * process.own
    used.set(name, entry)
    if (process.ended > 0) {
      const ended = used.get(ENDED) ?? { processes: 0, seconds: 0 }
      ended.seconds += sign * process.ended
      used.set(ENDED, ended)
    }
  }
  for (const process of after.values()) add(process, 1, true)
  for (const process of before.values())
    if (after.has(process.pid)) add(process, -1, false)
    else add({ ...process, own: 0, ended: process.own + process.ended }, -1, false)
  const total = [...used.values()].reduce((sum, each) => sum + each.seconds, 0)
  const share = (each: number) => `${((each / seconds) * 100).toFixed(2)} %`
  printTable(
    `Processor time of an installation with nothing to do, in ${seconds.toFixed(0)} s`,
    ['', 'processes', 'seconds', 'of a core', 'goal', ''],
    [
      ...[...used]
        .toSorted(([, one], [, other]) => other.seconds - one.seconds)
        .map(([name, each]) => [
          name,
          String(each.processes || ''),
          each.seconds.toFixed(2),
          share(each.seconds),
        ]),
      [
        'together',
        String(after.size),
        total.toFixed(2),
        share(total),
        `≤ ${share(GOAL * seconds)}`,
        verdict(total <= GOAL * seconds),
      ],
    ],
  )
}

const ENDED = 'PostgreSQL: processes that have ended'

/** What a process is, for people. */
function nameOf({ pid, command }: TreeProcess, launcher: number): string {
  if (pid === launcher) return 'launcher'
  if (!command.startsWith('postgres:')) {
    const path = /\S+\/main\.ts/.exec(command)?.[0]
    if (path === undefined) return command.includes('postgres') ? 'PostgreSQL: postmaster' : basename(command)
    return /\/(\w+)(?:\/src)?\/main\.ts/.exec(path)?.[1] ?? path
  }
  const title = command.slice('postgres:'.length).trim()
  const role = /^guildhall_([a-z]+)_/.exec(title)?.[1]
  return role === undefined
    ? `PostgreSQL: ${title.replace(/ \d+$/, '')}`
    : `PostgreSQL: connections of ${role}`
}
