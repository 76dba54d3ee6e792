/** Which cores processes run on, so that servers of one machine do not take time from each other. Linux only. */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

/** Whether there are two cores, and a way to choose between them. */
export const canChooseCores = (): boolean =>
  process.platform === 'linux' &&
  cpus().length > 1 &&
  spawnSync('taskset', ['-p', String(process.pid)], { stdio: 'ignore' }).status === 0

/** Lets processes run on some cores only, such as `0`, `1` or `0-7`. */
export function runOn(cores: string, pids: readonly number[]): void {
  for (const pid of pids) spawnSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}
