/** What processes cost, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs'

/** One process of a tree. */
export interface TreeProcess {
  readonly pid: number
  readonly parent: number
  /** Its command line; PostgreSQL's processes name there what they do. */
  readonly command: string
  /** Processor seconds of its own. */
  readonly own: number
  /** Processor seconds of children that have ended. */
  readonly ended: number
}

/** Linux tells programs of processor time in hundredths of a second, whatever the kernel's own clock. */
const TICKS = 100

/** Processor seconds of one process, its threads included. */
export function cpuSeconds(pid: number): number {
  return readProcess(pid)?.own ?? 0
}

/** The process that started another one. */
export const parentOf = (pid: number): number => readProcess(pid)?.parent ?? 0

/** Begins to count. @returns the processor seconds since then; a process that has ended meanwhile is left out */
export function countSeconds(pids: () => Iterable<number>): () => number {
  const before = new Map([...pids()].map((pid) => [pid, cpuSeconds(pid)]))
  return () =>
    [...pids()].reduce((sum, pid) => sum + Math.max(0, cpuSeconds(pid) - (before.get(pid) ?? 0)), 0)
}

/** A process and all below it, as they are now. */
export function treeOf(root: number): Map<number, TreeProcess> {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? [])
  const tree = new Map<number, TreeProcess>()
  let found = all.filter(({ pid }) => pid === root)
  while (found.length > 0) {
    for (const each of found) tree.set(each.pid, each)
    const parents = new Set(found.map(({ pid }) => pid))
    found = all.filter(({ parent }) => parents.has(parent))
  }
  return tree
}

/** Undefined where it has ended meanwhile. */
function readProcess(pid: number): TreeProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name, in parentheses, can have spaces; the fields after it cannot.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = (at: number) => Number(fields[at])
    return {
      pid,
      parent: ticks(1),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      own: (ticks(11) + ticks(12)) / TICKS,
      ended: (ticks(13) + ticks(14)) / TICKS,
    }
  } catch {
    return undefined
  }
}
