import { createHash, createHmac } from 'node:crypto'
import pg from 'pg'
import { types } from './types.ts'

/**
 * What a process may log in as. Each owns nothing and cannot pass row-level security.
 * - `api`: one project's data at a time, by `read` and `write`; its statements are planned for indexes
 * - `reports`: reads the same data, for reports and exports; planned by what tables hold
 * - `keys`: looks up API keys before their project is known
 * - `operator`: makes and lists projects
 * - `relay`: moves all projects' outbox rows to where the work is, and finds what is due
 * - `queue`: BullMQ's own schema, and nothing of ours
 * - `housekeeper`: sees and deletes what is past its time
 * - `webhooks`: sends all projects' events, and writes down what became of them
 * - `auditor`: reads the money of all projects, and writes nothing
 */
export const ROLES = [
  'api',
  'reports',
  'keys',
  'operator',
  'relay',
  'queue',
  'housekeeper',
  'webhooks',
  'auditor',
] as const
export type Role = (typeof ROLES)[number]

/** PostgreSQL cuts longer names off. */
const NAME_BYTES = 63

/** The login of a role in one database: its own name per database, because roles belong to the whole cluster. */
export function loginOf(
  databaseUrl: string,
  role: Role,
  secretKey: string,
): { user: string; password: string } {
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1))
  const password = createHmac('sha256', secretKey)
    .update(`database login ${database} ${role}`)
    .digest('base64url')
  const user = `guildhall_${role}_${database}`
  if (Buffer.byteLength(user) <= NAME_BYTES) return { user, password }
  const hash = createHash('sha256').update(database).digest('hex').slice(0, 32)
  return { user: `guildhall_${role}_${hash}`, password }
}

/** The database's address, with the role's login in place of whoever `databaseUrl` names. */
export function urlOf(databaseUrl: string, role: Role, secretKey: string): string {
  const { user, password } = loginOf(databaseUrl, role, secretKey)
  const url = new URL(databaseUrl)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}

/** Where the database is. */
export interface DatabasePlace {
  /** PostgreSQL, or a pooler in front of it. */
  readonly DATABASE_URL: string
  /** PostgreSQL itself, where DATABASE_URL is a pooler. */
  readonly DATABASE_DIRECT_URL?: string | undefined
  readonly SECRET_KEY: string
}

/** The address for what needs a session of PostgreSQL: LISTEN, BullMQ, migrations; and for copies, which take long. */
export const directUrlOf = ({ DATABASE_DIRECT_URL, DATABASE_URL }: DatabasePlace): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL

/** The same place, for pools that must not go through a pooler. */
export const directly = (place: DatabasePlace) => ({
  DATABASE_URL: directUrlOf(place),
  SECRET_KEY: place.SECRET_KEY,
})

/**
 * Milliseconds after which a connection that nobody uses is closed. What runs each minute finds the one of the last time:
 * to make one, with its password, costs PostgreSQL and this process as much as some twenty statements.
 */
const IDLE_MS = 70_000

interface PoolOptions {
  readonly role: Role
  readonly size: number
  /** Milliseconds that somebody waits for a free connection. */
  readonly waitMs?: number
  /** Whether its transactions must not write, whatever the server is. */
  readonly isReadOnly?: boolean
  /** Called with errors of idle connections; the pool replaces these connections. */
  readonly onError: (error: Error) => void
}

const WAIT_MS = 5_000

/** Makes one thing for each pool, when it is first asked for. */
export function perPool<T>(make: (pool: pg.Pool) => T): (pool: pg.Pool) => T {
  const made = new WeakMap<pg.Pool, T>()
  return (pool) => {
    let found = made.get(pool)
    if (found === undefined) {
      found = make(pool)
      made.set(pool, found)
    }
    return found
  }
}

/**
 * A pool that logs in as `role`. Settings belong to the logins (`migrate` sets
 * them): a pooler refuses start-up options. Pools that may not write lead to no pooler.
 */
export function openPool(config: DatabasePlace, options: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: urlOf(config.DATABASE_URL, options.role, config.SECRET_KEY),
    application_name: `guildhall ${options.role}`,
    max: options.size,
    connectionTimeoutMillis: options.waitMs ?? WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...(options.isReadOnly && { options: '-c default_transaction_read_only=on' }),
    types,
  })
  pool.on('error', options.onError)
  // A connection that breaks in use fails its query; without this listener the error would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
