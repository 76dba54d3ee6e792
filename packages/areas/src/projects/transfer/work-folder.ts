import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const START = 'guildhall-project'
/** Names of hosts have letters, digits, dots and hyphens. */
const NAME = new RegExp(`^${START}_([^_]+)_(\\d+)_(\\d+)_`)

/** When this process began: its number may have been that of another one before. */
const begunAt = () => String(Math.round(performance.timeOrigin))

/**
 * Works with a folder of its own, which is removed afterwards. What a process has left that was killed, with the rows of a project in it,
 * is removed by the next one on the same host.
 */
export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeft()
  const name = [START, hostname().replaceAll('_', '-'), process.pid, begunAt(), ''].join('_')
  const folder = await mkdtemp(join(tmpdir(), name))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function removeLeft(): Promise<void> {
  for (const entry of await readdir(tmpdir())) {
    const [, host, pid, begun] = NAME.exec(entry) ?? []
    if (host !== hostname().replaceAll('_', '-')) continue
    const isOurs = Number(pid) === process.pid
    if (isOurs ? begun === begunAt() : isAlive(Number(pid))) continue
    await rm(join(tmpdir(), entry), { recursive: true, force: true }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // There is such a process, of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
