/** The data folder of an embedded PostgreSQL: its layout, its making, and who already runs on it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { processIdentity, waitForEnd } from '../processes.ts'
import { StartError } from '../start-error.ts'
import type { Account } from './account.ts'

/** The files of one data folder. `cluster` belongs to PostgreSQL's account, the rest to whoever starts it. */
export type Layout = { cluster: string; draft: string; settings: string; log: string }

/** What is remembered between starts: the owner's password, and the port so that addresses stay the same. */
export type Remembered = { password: string; port?: number }

const VERSION = '18'

/** Names the files in a data folder. */
export function layoutOf(dataDir: string): Layout {
  return {
    cluster: join(dataDir, 'cluster'),
    draft: join(dataDir, 'cluster.new'),
    settings: join(dataDir, 'server.json'),
    log: join(dataDir, 'server.log'),
  }
}

/**
 * How PostgreSQL gets its data folder. As root it is started inside the folder and told its working
 * directory, since its own account may not be allowed to walk the path there (a checkout in root's home).
 */
export function pathAsSeenBy(account: Account, cluster: string): string {
  return account && process.platform === 'linux' ? '/proc/self/cwd' : cluster
}

/** Says whether a cluster has been made; throws when there is something that is not one. */
export async function clusterExists(layout: Layout): Promise<boolean> {
  const found = await stat(layout.cluster).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new StartError(`The database folder ${layout.cluster} cannot be read (${error.code}).`)
  })
  if (!found) return false
  const version = await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      throw new StartError(
        error.code === 'EACCES'
          ? `The database folder ${layout.cluster} belongs to another user: start Guildhall as that user.`
          : `The database folder ${layout.cluster} is broken (it has no PG_VERSION): restore it, or remove it ` +
              'to begin with an empty database.',
      )
    },
  )
  if (version.trim() !== VERSION) {
    throw new StartError(
      `The database folder ${layout.cluster} was made by PostgreSQL ${version.trim()}, this is ${VERSION}.`,
    )
  }
  return true
}

/** Reads what an earlier start remembered. */
export async function recall(layout: Layout): Promise<Remembered> {
  try {
    const read = JSON.parse(await readFile(layout.settings, 'utf8')) as Partial<Remembered>
    if (typeof read.password !== 'string') throw new Error('it has no password')
    return typeof read.port === 'number'
      ? { password: read.password, port: read.port }
      : { password: read.password }
  } catch (error) {
    throw new StartError(
      `The database folder is broken: ${layout.settings} cannot be read (${(error as Error).message}).`,
    )
  }
}

/** Remembers for the next start. */
export async function remember(layout: Layout, remembered: Remembered): Promise<void> {
  await writeFile(layout.settings, `${JSON.stringify(remembered)}\n`, { mode: 0o600 })
}

function outcome(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

/**
 * Makes an empty cluster with the owner `guildhall`. It is made beside its place and moved there when it is
 * whole, so that an interrupted start leaves nothing that looks like a database.
 */
export async function makeCluster(
  layout: Layout,
  initdb: string,
  account: Account,
  { sync, isOther }: { sync: boolean; isOther: boolean },
): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  await rm(layout.draft, { recursive: true, force: true })
  await mkdir(layout.draft, { mode: 0o700 })
  if (account) await chown(layout.draft, account.uid, account.gid)
  // The password goes in through a file that is already open: no command line, no path to be reached.
  const passwordFile = `${layout.settings}.pw`
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)
  const input = await open(passwordFile, 'r')
  try {
    const args = [
      ...[
        '-D',
        isOther ? layout.draft : pathAsSeenBy(account, layout.draft),
        '--username=guildhall',
        '--pwfile=/dev/stdin',
      ],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--no-locale'],
      // Built into PostgreSQL, so that sorting and upper case do not depend on the machine's C library.
      ...(isOther ? [] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']),
      ...(sync ? [] : ['--no-sync']),
    ]
    const { code, output } = await outcome(
      spawn(initdb, args, {
        ...account,
        cwd: layout.draft,
        stdio: [input.fd, 'pipe', 'pipe'],
        detached: true,
      }),
    )
    if (code !== 0) {
      const reason = output.trim().split('\n').pop() ?? ''
      throw new StartError(`The database folder ${layout.cluster} cannot be made: ${reason}`)
    }
  } finally {
    await input.close()
    await rm(passwordFile, { force: true })
  }
  await remember(layout, { password })
  await rename(layout.draft, layout.cluster)
}

/** The server that runs on a cluster, if there is one. */
export async function runningServer(cluster: string): Promise<number | undefined> {
  const pid = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  if (!processIdentity(pid)) return undefined
  if (process.platform !== 'linux') return pid
  // The number may have gone to another process since; a server's working directory is its cluster.
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  return directory === (await realpath(cluster)) ? pid : undefined
}

/**
 * Clears what a start that was killed has left. The caller holds the data folder's lock, so a server that still
 * runs on it has lost whoever started it: it is stopped, as nobody else would.
 */
export async function clearLeftovers(cluster: string): Promise<void> {
  const pid = await runningServer(cluster)
  if (pid !== undefined) {
    process.kill(pid, 'SIGINT')
    if (!(await waitForEnd(pid, 10_000))) {
      throw new StartError(`A PostgreSQL server (process ${pid}) runs on ${cluster} and does not stop.`)
    }
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}
