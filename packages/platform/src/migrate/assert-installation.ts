import pg from 'pg'
import { type DatabasePlace, loginOf, urlOf } from '../db/pool.ts'
import { assertOwnSecretKey } from './secret-key.ts'

const CONNECT_MS = 5_000
/** A wrong password; a login that does not exist; a database that does not exist. */
const REFUSED = new Set(['28P01', '28000', '3D000'])

/**
 * Looks, when a process starts, whether the database is the one of its SECRET_KEY. A database that does not answer or
 * refuses the login is no fault: processes wait for it.
 * @returns a sentence for the log where the login is refused
 * @throws SecretKeyError
 */
export async function assertInstallation({
  DATABASE_URL,
  SECRET_KEY,
}: DatabasePlace): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: urlOf(DATABASE_URL, 'api', SECRET_KEY),
    application_name: 'guildhall start',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const { code = '', message } = error as pg.DatabaseError
    return REFUSED.has(code) ? explain(message, loginOf(DATABASE_URL, 'api', SECRET_KEY).user) : undefined
  }
  try {
    await assertOwnSecretKey(client, SECRET_KEY)
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** PostgreSQL has one message for several causes, so that strangers cannot tell them apart. */
const explain = (message: string, user: string): string =>
  `PostgreSQL refuses the login ${user} (${message}). Either SECRET_KEY is not the one that \`migrate\` ran with, or \`migrate\` ` +
  'has not run for this database, or DATABASE_URL leads to another server. This process asks again until it is let in.'
