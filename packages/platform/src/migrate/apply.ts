import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { loginOf, urlOf } from '../db/logins.ts'
import { builtIndex, type Migration } from './migration-file.ts'

/**
 * Requests for a table wait behind a migration that waits for its lock. So a migration waits this long, gives way, and
 * tries again.
 */
const LOCK_TIMEOUT = '500ms'
const LOCK_ATTEMPTS = 120
const LOCK_PAUSE_MS = 1_000
/** It waited too long for a lock, or two waited for each other. */
const GIVES_WAY = new Set(['55P03', '40P01'])
/** Between batches, so that others come in between. */
const BATCH_PAUSE_MS = 5

const RECORD = 'insert into schema_migrations (name, checksum) values ($1, $2)'

export interface Place {
  /** The database, with the login of its owner. */
  readonly databaseUrl: string
  readonly secretKey: string
}

/** Records a migration without applying it. */
export const record = (client: pg.Client, { name, checksum }: Migration): Promise<unknown> =>
  client.query(RECORD, [name, checksum])

/** Applies a migration and records it. @throws Error that names the file */
export async function apply(client: pg.Client, place: Place, migration: Migration): Promise<void> {
  if (migration.steps.length === 0) return applyFile(client, place, migration)
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const done = new Set(rows.map(({ name }) => name))
  for (const step of migration.steps) if (!done.has(step.name)) await applyFile(client, place, step)
  await inTransaction(client, async () => {
    await client.query('delete from schema_migrations where name = any ($1)', [
      migration.steps.map(({ name }) => name),
    ])
    await record(client, migration)
  })
}

async function applyFile(client: pg.Client, place: Place, migration: Migration): Promise<void> {
  try {
    if (migration.runs === 'in one transaction')
      await inTransaction(client, async () => {
        await client.query(migration.sql)
        await record(client, migration)
      })
    else {
      if (migration.runs === 'alone') await runAlone(client, migration)
      else await runInBatches(client, place, migration)
      await record(client, migration)
    }
  } catch (error) {
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** One transaction, repeated as a whole where it gave way to others. */
async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      const done = await work()
      await client.query('commit')
      return done
    } catch (error) {
      await client.query('rollback')
      if (!GIVES_WAY.has((error as pg.DatabaseError).code ?? '') || attempt === LOCK_ATTEMPTS) throw error
      await sleep(LOCK_PAUSE_MS)
    }
  }
}

/** An index that a killed run left half built is dropped first; one that it finished is kept. */
async function runAlone(client: pg.Client, { sql }: Migration): Promise<void> {
  const index = builtIndex(sql)
  if (index !== undefined) {
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [index],
    )
    if (rows[0]?.valid === true) return
    if (rows[0]?.valid === false) await client.query(`drop index concurrently ${pg.escapeIdentifier(index)}`)
  }
  await client.query(sql)
}

/** Repeats the statement for each project until it changes no row. */
async function runInBatches(client: pg.Client, place: Place, { sql }: Migration): Promise<void> {
  for (const project of await projectsOf(client, place)) {
    const batch = () =>
      inTransaction(client, async () => {
        await client.query("select set_config('app.project_id', $1, true)", [project])
        return (await client.query(sql)).rowCount ?? 0
      })
    while ((await batch()) > 0) await sleep(BATCH_PAUSE_MS)
  }
}

/** All projects. The owner sees none, because policies apply to it; the login that cleans up sees them. */
async function projectsOf(owner: pg.Client, { databaseUrl, secretKey }: Place): Promise<string[]> {
  const { user } = loginOf(databaseUrl, 'housekeeper', secretKey)
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [user])
  // A database without logins is new, and has no projects.
  if (rowCount === 0) return []
  const client = new pg.Client({ connectionString: urlOf(databaseUrl, 'housekeeper', secretKey) })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>('select id from projects order by id')
    return rows.map(({ id }) => id)
  } finally {
    await client.end()
  }
}
