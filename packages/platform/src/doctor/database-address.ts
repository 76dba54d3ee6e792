import pg from 'pg'
import { urlOf } from '../db/logins.ts'
import type { DatabasePlace } from '../db/pool.ts'

/** The database cannot be used as it is reached; the message says what to change. */
export class DatabaseAddressError extends Error {
  override name = 'DatabaseAddressError'
}

const NEEDS_SESSION = 'because LISTEN, BullMQ, migrations and exports need a session of their own'
const PROBE = 'select 1 as guildhall_probe'
const PROBE_NAME = 'guildhall_probe'
const CONNECT_MS = 5_000
/** How often two connections are compared. */
const COMPARISONS = 5

/**
 * Looks whether the addresses lead to what they must lead to. A database that does not answer is no fault: processes
 * wait for it.
 * @returns a sentence for the log where it works, but not as it could
 * @throws DatabaseAddressError
 */
export async function assertDatabaseAddress(place: DatabasePlace): Promise<string | undefined> {
  const { DATABASE_DIRECT_URL: direct, SECRET_KEY } = place
  if (direct !== undefined) {
    const isPooler = await withClient(urlOf(direct, 'api', SECRET_KEY), isBehindPooler)
    if (isPooler === true)
      throw new DatabaseAddressError(
        `DATABASE_DIRECT_URL leads to a pooler: it must lead to PostgreSQL itself, ${NEEDS_SESSION}`,
      )
  }
  const url = urlOf(place.DATABASE_URL, 'api', SECRET_KEY)
  return withClient(url, async (client) => {
    if (!(await isBehindPooler(client))) return undefined
    if (direct === undefined)
      throw new DatabaseAddressError(
        `DATABASE_URL leads to a pooler: set DATABASE_DIRECT_URL to PostgreSQL itself, ${NEEDS_SESSION}`,
      )
    return judgePooler(client, url)
  })
}

/**
 * @throws DatabaseAddressError where a connection goes through a pooler. A pooler has made up the process number that it
 *   tells its clients, because it changes the server process beneath them.
 */
export async function assertDirect(client: pg.Client, variable: string): Promise<void> {
  if (await isBehindPooler(client))
    throw new DatabaseAddressError(
      `${variable} leads to a pooler: migrations need PostgreSQL itself, so set DATABASE_DIRECT_URL to it`,
    )
}

/** Whether a connection goes through a pooler: it makes up the process number that it tells its clients. */
export async function isBehindPooler(client: pg.Client): Promise<boolean> {
  return (client as unknown as { processID: number }).processID !== (await processOf(client))
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** @throws DatabaseAddressError for a pooler behind which `read` and `write` cannot work */
async function judgePooler(client: pg.Client, url: string): Promise<string | undefined> {
  const refused = await client.query('begin').then(
    () => undefined,
    (error: Error) => error,
  )
  if (refused !== undefined)
    throw new DatabaseAddressError(
      `DATABASE_URL leads to a pooler that refuses transactions (${refused.message}): set its pool_mode to transaction`,
      { cause: refused },
    )
  await client.query({ name: PROBE_NAME, text: PROBE })
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_prepared_statements where statement = $1',
    [PROBE],
  )
  await client.query('commit')
  // A pooler that keeps statements for its clients gives them names of its own.
  if (rows.some(({ name }) => name !== PROBE_NAME)) return undefined
  const isSession = await withClient(url, (other) => keepsServers(client, other))
  if (isSession !== false)
    return 'DATABASE_URL leads to a pooler in session mode: each connection of this process keeps one of PostgreSQL. Set its pool_mode to transaction'
  throw new DatabaseAddressError(
    'DATABASE_URL leads to a pooler that does not keep prepared statements: use PgBouncer 1.21 or later, with max_prepared_statements above 0',
  )
}

/** Whether each of two connections has a server process of its own. */
async function keepsServers(one: pg.Client, other: pg.Client): Promise<boolean> {
  const [first, second] = [await processOf(one), await processOf(other)]
  for (let n = 0; n < COMPARISONS; n++)
    if ((await processOf(one)) !== first || (await processOf(other)) !== second) return false
  return first !== second
}

/** Undefined where nobody answers, or the login is refused: whoever asks next says so. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'guildhall start',
    connectionTimeoutMillis: CONNECT_MS,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch {
    return undefined
  }
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
