/** The temporary folder of one test run: where its servers keep their data, and how what they leave is cleared. */
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { layoutOf, runningServer } from '../postgres/cluster.ts'
import { processIdentity, waitForEnd } from '../processes.ts'

/** Makes the folder. */
export async function makeRunFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'guildhall-test-')))
}

/** Where the run's PostgreSQL keeps its data. */
export function postgresFolder(runFolder: string): string {
  return join(runFolder, 'postgres')
}

/** Stops the servers that still run in the folder, however the run ended, and removes it. May be repeated. */
export async function clearRunFolder(runFolder: string): Promise<void> {
  const names = await readdir(runFolder).catch(() => [])
  const servers = [await runningServer(layoutOf(postgresFolder(runFolder)).cluster).catch(() => undefined)]
  for (const name of names.filter((file) => file.endsWith('.pid'))) {
    servers.push(Number(await readFile(join(runFolder, name), 'utf8').catch(() => '')))
  }
  for (const pid of servers) {
    if (pid === undefined || !processIdentity(pid)) continue
    // Nobody will read this data again: the hardest orderly signal of PostgreSQL, an ordinary one to Redis.
    process.kill(pid, pid === servers[0] ? 'SIGQUIT' : 'SIGTERM')
    await waitForEnd(pid, 5_000)
  }
  await rm(runFolder, { recursive: true, force: true, maxRetries: 5 })
}
