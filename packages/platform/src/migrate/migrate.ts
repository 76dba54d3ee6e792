import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertDirect } from '../doctor/database-address.ts'
import { apply, type Place, record } from './apply.ts'
import { alreadyMade } from './baseline.ts'
import { makeLogins, migrateQueue } from './logins.ts'
import { type Migration, readMigrations } from './migration-file.ts'
import { assertSecretKey, recordSecretKey } from './secret-key.ts'

/** The folder of the migrations of this version. */
export const MIGRATIONS = new URL('../../../../migrations/', import.meta.url)

/** A lock number that nothing else in the database uses: 'guild' in ASCII. */
const LOCK = 0x6775696c64
const LOCK_POLL_MS = 100

interface Options extends Place {
  /** The folder of the migrations. */
  readonly folder?: URL
  /** Takes over a SECRET_KEY that is not the one of the database. What the old one sealed cannot be read any more. */
  readonly replaceSecretKey?: boolean
}

/** What `migrate` would do. */
export interface Plan {
  /** Migrations of the baseline that are recorded and not applied, because older migrations made the same. */
  readonly recorded: readonly string[]
  readonly steps: readonly {
    readonly name: string
    /** `in one transaction`, `alone` or `in batches`. */
    readonly runs: string
    /** What is locked, and for how long at 1,000,000 rows. */
    readonly locks: string
    /** Whether the version before runs on what comes of it. */
    readonly way_back: string
  }[]
}

/**
 * Brings the database up to date: applies what is new in `migrations/`, then BullMQ's own schema, and makes the logins of the
 * runtime roles. Any number of callers may run it at once; one works, the others wait. In a database from before the first release
 * it records the migrations of the baseline without applying them.
 * @throws Error that names the file, where one fails, was edited after it had been applied, or is missing; SecretKeyError for
 *   another key than the database has, before anything is changed; DatabaseAddressError where the address leads to a pooler
 */
export async function migrate(options: Options): Promise<{ applied: string[] }> {
  return withDatabase(options, async (client) => {
    await lockMigrations(client)
    if (!options.replaceSecretKey) await assertSecretKey(client, options.databaseUrl, options.secretKey)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { recorded, pending, isNew } = await findPending(client, options.folder)
    for (const migration of recorded) await record(client, migration)
    for (const migration of pending) await apply(client, options, migration)
    await migrateQueue(client)
    await makeLogins(client, options)
    await recordSecretKey(client, options.secretKey, isNew)
    return { applied: pending.map(({ name }) => name) }
  })
}

/** Says what `migrate` would do, and changes nothing. @throws as `migrate` does before its first change */
export async function planMigrations(options: Options): Promise<Plan> {
  return withDatabase(options, async (client) => {
    await assertSecretKey(client, options.databaseUrl, options.secretKey)
    const { recorded, pending } = await findPending(client, options.folder)
    return {
      recorded: recorded.map(({ name }) => name),
      steps: pending.map(({ name, runs, locks = 'nothing for longer than a moment', contract }) => ({
        name,
        runs,
        locks,
        way_back:
          contract === undefined
            ? 'the version before runs on it'
            : `the version before runs on it: ${contract}`,
      })),
    }
  })
}

async function withDatabase<T>({ databaseUrl }: Place, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'guildhall migrate' })
  await client.connect()
  try {
    await assertDirect(client, 'The address of the database')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A waiting process polls: an index that is built concurrently would wait for a waiting statement. */
export async function lockMigrations(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      LOCK,
    ])
    if (rows[0]?.locked) return
    await sleep(LOCK_POLL_MS)
  }
}

interface Pending {
  readonly recorded: readonly Migration[]
  readonly pending: readonly Migration[]
  /** Nothing was applied yet. */
  readonly isNew: boolean
}

async function findPending(client: pg.Client, folder = MIGRATIONS): Promise<Pending> {
  const landed = await readLanded(client)
  const made = await alreadyMade(folder, landed)
  const fresh = (await readMigrations(folder)).filter(({ name, checksum }) => {
    const known = landed.get(name)
    if (known !== undefined && known !== checksum)
      throw new Error(`migration ${name} was edited after it had been applied; add a new one`)
    return known === undefined
  })
  return {
    recorded: fresh.filter(({ name }) => made.includes(name)),
    pending: fresh.filter(({ name }) => !made.includes(name)),
    isNew: landed.size === 0,
  }
}

/** The checksums of what the database records, by name. */
async function readLanded(client: pg.Client): Promise<Map<string, string>> {
  const { rows: tables } = await client.query(
    "select to_regclass('public.schema_migrations') is not null as there",
  )
  if (tables[0]?.there !== true) return new Map()
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map((row) => [row.name, row.checksum]))
}
