import { setPriority } from 'node:os'

/** If two threads want the same core, the one with this niceness gets a ninth of the share of the other. */
const NICE = 10

/** Lets this thread give way to the one that serves requests. Elsewhere than on Linux a priority is the whole process's. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(0, NICE)
}
