import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { loginOf, ROLES } from '#platform/db/logins.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { TEST_SECRET_KEY } from './provided.ts'

/** A migrated, empty database of its own on a real server. `url` is the owner's; tests act through runtime roles. */
export interface TestDatabase {
  readonly url: string
  /** The runtime logins of this database derive from it. */
  readonly secretKey: string
  /** Removes the database and its logins. */
  drop(): Promise<void>
}

/** Makes a database for one test file, as a copy of the run's migrated template. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { postgresUrl, templateDatabase, prefix } = inject('servers')
  const name = `${prefix}_${randomBytes(5).toString('hex')}`
  const url = databaseUrl(postgresUrl, name)
  await onServer(postgresUrl, `create database ${name} template ${templateDatabase}`)
  // Logins belong to the server, not to a database, so that a copy has none.
  await migrate({ databaseUrl: url, secretKey: TEST_SECRET_KEY })
  return { url, secretKey: TEST_SECRET_KEY, drop: () => dropDatabase(url) }
}

/** Removes a database and its runtime logins, once its clients are gone or ten seconds have passed. */
export async function dropDatabase(url: string): Promise<void> {
  const { postgresUrl } = inject('servers')
  const name = new URL(url).pathname.slice(1)
  await withConnection(postgresUrl, async (server) => {
    await connectionsClosed(server, name)
    await server.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    for (const role of ROLES) {
      await server.query(
        `drop role if exists ${pg.escapeIdentifier(loginOf(url, role, TEST_SECRET_KEY).user)}`,
      )
    }
  })
}

/**
 * Waits until no client is connected to a database, for ten seconds at most. `Pool.end` of pg resolves before its
 * connections are closed, and a connection that the server cuts in that moment is an error that nobody handles.
 */
async function connectionsClosed(server: pg.Client, database: string): Promise<void> {
  const giveUpAt = performance.now() + 10_000
  const connected = `select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend' limit 1`
  while ((await server.query(connected, [database])).rows.length > 0 && performance.now() < giveUpAt) {
    await setTimeout(5)
  }
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements, one by one, in a connection of their own. */
export async function onServer(url: string, ...statements: string[]): Promise<void> {
  await withConnection(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

async function withConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall tests' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
