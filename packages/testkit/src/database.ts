import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '#platform/db/migrate.ts'
import { loginOf, ROLES } from '#platform/db/pool.ts'
import { TEST_SECRET_KEY } from './provided.ts'

/** A migrated, empty database of its own on a real server. `url` is the owner's; tests act through runtime roles. */
export interface TestDatabase {
  readonly url: string
  /** The runtime logins of this database derive from it. */
  readonly secretKey: string
  /** Removes the database and its logins, cutting what is still connected. */
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
  const logins = ROLES.map((role) => loginOf(url, role, TEST_SECRET_KEY).user)
  return {
    url,
    secretKey: TEST_SECRET_KEY,
    drop: () =>
      onServer(
        postgresUrl,
        `drop database if exists ${name} with (force)`,
        ...logins.map((login) => `drop role if exists ${pg.escapeIdentifier(login)}`),
      ),
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
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall tests' })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
