/** A standby of an embedded PostgreSQL, by streaming replication. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor } from './account.ts'
import { baseBackup, type Source, writeOwned } from './base-backup.ts'
import { startPostgres } from './server.ts'

/** A standby that can lag, be promoted, go away and come back at the same address. */
export interface Standby {
  /** The owner's address of the same database as the primary's. */
  readonly url: string
  readonly pid: number
  /** What the primary writes from now on arrives and is not shown. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Waits until everything is shown that the primary has written so far. */
  untilCaughtUp(): Promise<void>
  /** Makes it a primary. */
  promote(): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

interface Options {
  readonly dataDir: string
  /** Settings of this server, such as `max_connections`, which must be at least the primary's. */
  readonly settings?: Record<string, string>
}

const CATCH_UP_MS = 30_000

/** Copies a running primary and starts a standby of it. A replication slot keeps what the standby has not received. */
export async function startStandby(primary: Source, { dataDir, settings = {} }: Options): Promise<Standby> {
  const slot = `standby_${randomBytes(4).toString('hex')}`
  await ask(primary.url, 'select pg_create_physical_replication_slot($1, true)', [slot])
  const cluster = await baseBackup(primary, dataDir)
  await followPrimary(cluster, primary.url, slot)
  let running = await startPostgres({ dataDir, settings })
  const url = new URL(running.url)
  url.pathname = new URL(primary.url).pathname
  return {
    url: url.href,
    get pid() {
      return running.pid
    },
    pause: () => ask(url.href, 'select pg_wal_replay_pause()'),
    resume: () => ask(url.href, 'select pg_wal_replay_resume()'),
    untilCaughtUp: () => untilReplayed(primary.url, url.href),
    promote: () => ask(url.href, 'select pg_promote(wait => true)'),
    stop: () => running.stop(),
    start: async () => {
      running = await startPostgres({ dataDir, settings })
    },
  }
}

/** Says to a cluster that does not run whose standby it is. */
export async function followPrimary(cluster: string, primaryUrl: string, slot?: string): Promise<void> {
  const account = accountFor(cluster)
  const { hostname, port, username, password } = new URL(primaryUrl)
  const conninfo = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  const file = join(cluster, 'postgresql.auto.conf')
  const lines = [
    await readFile(file, 'utf8'),
    `primary_conninfo = '${conninfo}'`,
    ...(slot === undefined ? [] : [`primary_slot_name = '${slot}'`]),
    '',
  ]
  await writeOwned(file, lines.join('\n'), account)
  await writeOwned(join(cluster, 'standby.signal'), '', account)
}

async function untilReplayed(primaryUrl: string, standbyUrl: string): Promise<void> {
  const { at } = await one<{ at: string }>(primaryUrl, 'select pg_current_wal_flush_lsn()::text as at')
  const deadline = Date.now() + CATCH_UP_MS
  const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'
  while (!(await one<{ reached: boolean }>(standbyUrl, sql, [at])).reached) {
    if (Date.now() > deadline) throw new Error('the standby does not catch up')
    await sleep(20)
  }
}

async function ask(url: string, sql: string, values: readonly string[] = []): Promise<void> {
  await one(url, sql, values)
}

async function one<T>(url: string, sql: string, values: readonly string[] = []): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(sql, [...values])
    return rows[0] as T
  } finally {
    await client.end()
  }
}
