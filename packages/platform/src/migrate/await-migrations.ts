import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { urlOf } from '../db/logins.ts'
import { MIGRATIONS } from './migrate.ts'
import { readMigrations } from './migration-file.ts'

const POLL_MS = 1_000
const CONNECT_MS = 5_000

interface Wait {
  /** The address that processes use; the login in it is replaced. */
  readonly databaseUrl: string
  readonly secretKey: string
  /** Milliseconds after which it gives up. */
  readonly timeoutMs: number
  readonly folder?: URL
}

/**
 * Waits until the database has every migration of this version that this version needs. A container of the new version waits so until the container that
 * migrates has done its work, whichever was started first. It needs no login of the owner.
 * @throws Error that says what was missing last
 */
export async function awaitMigrations({
  databaseUrl,
  secretKey,
  timeoutMs,
  folder = MIGRATIONS,
}: Wait): Promise<void> {
  const wanted = (await readMigrations(folder)).filter(({ waits }) => !waits).map(({ name }) => name)
  const end = Date.now() + timeoutMs
  for (;;) {
    const missing = await missingIn(urlOf(databaseUrl, 'auditor', secretKey), wanted)
    if (missing === undefined) return
    if (Date.now() + POLL_MS > end)
      throw new Error(`The database is not migrated after ${timeoutMs / 1_000} s: ${missing}`)
    await sleep(POLL_MS)
  }
}

/** A sentence about what is missing; undefined where nothing is. */
async function missingIn(connectionString: string, wanted: readonly string[]): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString,
    application_name: 'guildhall migrate --wait',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    const done = new Set(rows.map(({ name }) => name))
    const missing = wanted.filter((name) => !done.has(name))
    return missing.length === 0
      ? undefined
      : `${missing.length} migrations are missing, the first is ${missing[0]}`
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.end().catch(() => undefined)
  }
}
