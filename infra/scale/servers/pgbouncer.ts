/** PgBouncer in front of a database, where the machine has one. */
import { execFile, spawn } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loginOf, ROLES } from '#platform/db/logins.ts'
import { freePort } from '../../ports.ts'
import { endChild } from '../../processes.ts'

export type PoolMode = 'transaction' | 'session' | 'statement'

/** A pooler that can go away and come back where it was. */
export interface Pooler {
  /** The database's address through it, with the owner's login. */
  readonly url: string
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface PoolerOptions {
  readonly program: string
  readonly folder: string
  readonly postgresUrl: string
  readonly secretKey: string
  readonly mode?: PoolMode
  /** Statements that it keeps for its clients. */
  readonly prepared?: number
}

const STOP_TIMEOUT_MS = 5_000
const START_TIMEOUT_MS = 10_000

/** Whether a version keeps prepared statements for its clients in transaction mode. */
export function keepsStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 1 || minor >= 21
}

/** The version of a PgBouncer, such as 1.25.1; undefined where there is none. */
export const versionOf = (program: string): Promise<string | undefined> =>
  promisify(execFile)(program, ['--version']).then(
    ({ stdout }) => /PgBouncer ([\d.]+)/.exec(stdout)?.[1],
    () => undefined,
  )

export async function openPgBouncer(options: PoolerOptions): Promise<Pooler> {
  const { program, postgresUrl, secretKey, mode = 'transaction', prepared = 200 } = options
  const port = await freePort()
  const folder = join(options.folder, `pgbouncer-${port}`)
  await mkdir(folder, { recursive: true })
  const target = new URL(postgresUrl)
  const database = target.pathname.slice(1)
  const owner = { user: decodeURIComponent(target.username), password: decodeURIComponent(target.password) }
  const logins = [...ROLES.map((role) => loginOf(postgresUrl, role, secretKey)), owner]
  await writeFile(join(folder, 'users'), logins.map((each) => `"${each.user}" "${each.password}"\n`).join(''))
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${target.hostname} port=${target.port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
${keepsStatements((await versionOf(program)) ?? '') ? `max_prepared_statements = ${prepared}` : ''}
ignore_startup_parameters = extra_float_digits
max_client_conn = 500
default_pool_size = 10
logfile = ${join(folder, 'pgbouncer.log')}
`,
  )
  const url = new URL(postgresUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, ...(await startPgBouncer({ program, folder, port })) }
}

/** Starts a PgBouncer whose `pgbouncer.ini` is in a folder, which is in one that is readable by everybody from then on. */
export async function startPgBouncer({
  program,
  folder,
  port,
}: {
  program: string
  folder: string
  port: number
}): Promise<Omit<Pooler, 'url'>> {
  const start = async () => {
    // It refuses to run as root.
    const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    if (account.length > 0) {
      await promisify(execFile)('chown', ['-R', 'nobody', folder])
      await chmod(dirname(folder), 0o755)
    }
    const child = spawn(program, ['-q', ...account, join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      detached: true,
    })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await listens(port))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${program} does not start`)
      await sleep(20)
    }
    return child
  }
  let child = await start()
  return {
    restart: async () => {
      await endChild(child, 'SIGKILL', 'SIGKILL', STOP_TIMEOUT_MS)
      child = await start()
    },
    stop: () => endChild(child, 'SIGINT', 'SIGKILL', STOP_TIMEOUT_MS),
  }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
