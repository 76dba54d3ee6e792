import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertDirect } from '../db/database-address.ts'
import { loginOf, ROLES, type Role, rightsOf } from '../db/pool.ts'
import { migrateQueue, QUEUE_SCHEMA } from '../jobs/queues/queue-schema.ts'
import { alreadyMade } from './baseline.ts'

const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)

/** A lock number that nothing else in the database uses: 'guild' in ASCII. */
const LOCK = 0x6775696c64

/**
 * Requests for a table wait behind a migration that waits for its lock. So a migration waits this long, gives way, and
 * tries again.
 */
const LOCK_TIMEOUT = '2s'
const LOCK_ATTEMPTS = 60
const LOCK_PAUSE_MS = 1_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Sessions of the application do short work; a statement that takes longer than this hangs. */
const SESSION = {
  timezone: 'UTC',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  // Compiling a plan to machine code pays off for reports of minutes, never for a request.
  jit: 'off',
}

/**
 * For logins whose statements all have an index: they read rows by it, one after the other, from tables of any size. A plan that is
 * made while a table is small is kept until it is analyzed. At that time a scan of the whole table, or a join of two whole ones,
 * looks as cheap as a read by key; so does another index that begins with the project, if looking a page up costs four times as much as
 * reading on. Each request would then be slower than the one before (docs/decisions/0007).
 */
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  random_page_cost: '1.1',
}
/**
 * A command of the queue is short. One that waits for a lock, or a connection that holds one and does nothing, would
 * keep the relay from its next batch; it is ended, and the sweep repeats what it was for.
 */
const QUEUE = {
  search_path: QUEUE_SCHEMA,
  lock_timeout: '2s',
  statement_timeout: '10s',
  idle_in_transaction_session_timeout: '3s',
}
/**
 * The relay does not wait until its batches are on disk. Whoever acts on them, a claim of deliveries or of jobs, commits
 * after it, and a commit that waits for the disk writes all that was committed before it. If the server loses a batch in between,
 * its rows are in the outbox again.
 */
const RELAY = { ...BY_INDEX, synchronous_commit: 'off' }
/** An audit reads whole tables, once a night. */
const AUDITOR = { statement_timeout: '1h', default_transaction_read_only: 'on' }
const SETTINGS: { readonly [R in Role]?: Readonly<Record<string, string>> } = {
  api: BY_INDEX,
  // They have the rights of the API's login, and write nothing.
  reports: { default_transaction_read_only: 'on' },
  keys: BY_INDEX,
  relay: RELAY,
  housekeeper: BY_INDEX,
  webhooks: BY_INDEX,
  queue: QUEUE,
  auditor: AUDITOR,
}

interface Options {
  /** The database, with the login of its owner. */
  readonly databaseUrl: string
  /** The passwords of the runtime logins derive from it. */
  readonly secretKey: string
  /** The folder of the migrations. */
  readonly folder?: URL
}

/**
 * Brings the database up to date: applies what is new in `migrations/`, each file in a transaction of its own, then
 * BullMQ's own schema, and makes the logins of the runtime roles. Any number of callers may run it at once; one works,
 * the others wait. In a database from before the first release it records the migrations of the baseline without applying them.
 * @throws Error that names the file, where one fails, was edited after it had been applied, or is missing; DatabaseAddressError where
 *   the address leads to a pooler
 */
export async function migrate({
  databaseUrl,
  secretKey,
  folder = MIGRATIONS,
}: Options): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'guildhall migrate' })
  await client.connect()
  try {
    await assertDirect(client, 'The address of the database')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    const applied = await applyNew(client, folder)
    await migrateQueue(client)
    await makeLogins(client, databaseUrl, secretKey)
    return { applied }
  } finally {
    await client.end()
  }
}

const RECORD = 'insert into schema_migrations (name, checksum) values ($1, $2)'

async function applyNew(client: pg.Client, folder: URL): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const landed = new Map(rows.map((row) => [row.name, row.checksum]))
  const made = await alreadyMade(folder, landed)
  const applied: string[] = []
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()) {
    const sql = await readFile(new URL(name, folder), 'utf8')
    const checksum = createHash('sha256').update(sql).digest('hex')
    const known = landed.get(name)
    if (known === checksum) continue
    if (known !== undefined)
      throw new Error(`migration ${name} was edited after it had been applied; add a new one`)
    if (made.includes(name)) {
      await client.query(RECORD, [name, checksum])
      continue
    }
    await applyOne(client, name, sql, checksum)
    applied.push(name)
  }
  return applied
}

async function applyOne(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      await client.query(sql)
      await client.query(RECORD, [name, checksum])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if ((error as pg.DatabaseError).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS)
        throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error })
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

async function makeLogins(client: pg.Client, databaseUrl: string, secretKey: string): Promise<void> {
  const database = pg.escapeIdentifier(decodeURIComponent(new URL(databaseUrl).pathname.slice(1)))
  for (const role of ROLES) {
    const { user, password } = loginOf(databaseUrl, role, secretKey)
    const login = pg.escapeIdentifier(user)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [user])
    if (rowCount === 0)
      await client.query(`create role ${login} login in role ${pg.escapeIdentifier(rightsOf(role))}`)
    await client.query(`alter role ${login} password ${pg.escapeLiteral(password)}`)
    for (const [setting, value] of Object.entries({ ...SESSION, ...SETTINGS[role] })) {
      await client.query(
        `alter role ${login} in database ${database} set ${setting} = ${pg.escapeLiteral(value)}`,
      )
    }
    await client.query(`grant connect on database ${database} to ${login}`)
  }
}
