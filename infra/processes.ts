/** What has to be known about processes that may outlive the one that started them. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A name for a running process that no later process with the same number shares, or undefined when there is
 * none. A number alone is not enough: after a restart of the machine it may belong to anybody.
 */
export function processIdentity(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout?.trim() ? `${pid} ${stdout.trim()}` : undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name, in parentheses, may hold spaces; the fields after it do not.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, startedAt] = [fields[0], fields[19]]
    return state === 'Z' || state === 'X' ? undefined : `${pid} ${startedAt}`
  } catch {
    return undefined
  }
}

/** Waits until a process that is not our child has ended; says whether it did within the time. */
export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const identity = processIdentity(pid)
  const deadline = Date.now() + milliseconds
  while (identity !== undefined && processIdentity(pid) === identity) {
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

/** Says whether a child that was started has ended. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Asks a child to end with a gentle signal, and makes it end with a harsh one when the time is up. */
export async function endChild(
  child: ChildProcess,
  gentle: NodeJS.Signals,
  harsh: NodeJS.Signals,
  milliseconds: number,
): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return
  const done = new Promise((resolve) => child.once('exit', resolve))
  child.kill(gentle)
  const timer = setTimeout(() => child.kill(harsh), milliseconds)
  await done
  clearTimeout(timer)
}

/** Sends a signal to every process of a group; a group that is gone is no fault. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Says whether a process group has a process left. */
export function groupIsAlive(leader: number): boolean {
  return signalGroup(leader, 0)
}
