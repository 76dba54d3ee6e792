import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertDirect } from '../doctor/database-address.ts'
import { apply, type Place, record } from './apply.ts'
import { alreadyMade } from './baseline.ts'
import { makeLogins, migrateQueue } from './logins.ts'
import { type Migration, readMigrations } from './migration-file.ts'
import { assertSecretKey, recordSecretKey } from './secret-key.ts'
import { readSizes, sizesIn } from './sizes.ts'

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
  /** Whether no process of an older version runs any more: what only those use is taken away, too. A new database never has it. */
  readonly contract?: boolean
}

/** What `migrate` has done. */
export interface Migrated {
  readonly applied: string[]
  /** What waits until no process of an older version runs: `migrate` with `contract` applies it. */
  readonly waiting: string[]
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
    /** Rows that the tables of before have, by the estimates of PostgreSQL. */
    readonly rows: string
    /** Whether the version before runs on what comes of it. */
    readonly way_back: string
  }[]
  /** From where there is no way back to the version before; undefined where every step leaves one. */
  readonly no_way_back_from: string | undefined
  /** Migrations that the database records and that are younger than all of this version: a newer version has migrated it. */
  readonly of_newer_version: readonly string[]
}

/**
 * Brings the database up to date: applies what is new in `migrations/`, then BullMQ's own schema, and makes the logins of the
 * runtime roles. Any number of callers may run it at once; one works, the others wait. In a database from before the first release
 * it records the migrations of the baseline without applying them.
 * @throws Error that names the file, where one fails, was edited after it had been applied, or is missing; SecretKeyError for
 *   another key than the database has, before anything is changed; DatabaseAddressError where the address leads to a pooler
 */
export async function migrate(options: Options): Promise<Migrated> {
  return withDatabase(options, async (client) => {
    await lockMigrations(client)
    if (!options.replaceSecretKey) await assertSecretKey(client, options.databaseUrl, options.secretKey)
    await client.query(`create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
    const { recorded, pending, waiting, isNew } = await findPending(client, options)
    for (const migration of recorded) await record(client, migration)
    for (const migration of pending) await apply(client, options, migration)
    await migrateQueue(client)
    await makeLogins(client, options)
    await recordSecretKey(client, options.secretKey, isNew)
    return { applied: namesOf(pending), waiting: namesOf(waiting) }
  })
}

const namesOf = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name)

/** Says what `migrate` would do, and changes nothing. @throws as `migrate` does before its first change */
export async function planMigrations(options: Options): Promise<Plan> {
  return withDatabase(options, async (client) => {
    await assertSecretKey(client, options.databaseUrl, options.secretKey)
    const { recorded, pending, waiting, younger } = await findPending(client, options)
    const rows = await readSizes(client)
    const steps = [...pending, ...waiting].flatMap((migration) =>
      migration.steps.length === 0 ? [migration] : migration.steps,
    )
    return {
      recorded: namesOf(recorded),
      steps: steps.map((step) => ({
        name: step.name,
        runs: waiting.includes(step) ? 'with `migrate --contract`, not before' : step.runs,
        locks: step.locks ?? 'nothing for longer than a moment',
        rows: sizesIn(step.sql, rows),
        way_back: wayBack(step),
      })),
      no_way_back_from: steps.find(({ waits }) => waits)?.name,
      of_newer_version: younger,
    }
  })
}

function wayBack({ waits, contract }: Migration): string {
  if (waits) return `none from here: ${contract}`
  return contract === undefined
    ? 'the version before runs on it'
    : `the version before runs on it: ${contract}`
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
  /** What is not asked for yet, because a version before may use what it takes away. */
  readonly waiting: readonly Migration[]
  /** Names that are recorded, and sort after all of this version. */
  readonly younger: readonly string[]
  /** Nothing was applied yet. */
  readonly isNew: boolean
}

async function findPending(client: pg.Client, { folder = MIGRATIONS, contract }: Options): Promise<Pending> {
  const landed = await readLanded(client)
  const made = await alreadyMade(folder, landed)
  const all = await readMigrations(folder)
  const last = all.flatMap(({ name, steps }) => [name, ...namesOf(steps)]).reduce(later, '')
  const fresh = all.filter(({ name, checksum }) => {
    const known = landed.get(name)
    if (known !== undefined && known !== checksum)
      throw new Error(`migration ${name} was edited after it had been applied; add a new one`)
    return known === undefined
  })
  const isNew = landed.size === 0
  const isForLater = ({ waits }: Migration) => waits && !contract && !isNew
  const toApply = fresh.filter(({ name }) => !made.includes(name))
  return {
    recorded: fresh.filter(({ name }) => made.includes(name)),
    pending: toApply.filter((migration) => !isForLater(migration)),
    waiting: toApply.filter(isForLater),
    younger: [...landed.keys()].filter((name) => name > last).sort(),
    isNew,
  }
}

const later = (one: string, other: string): string => (other > one ? other : one)

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
