import type pg from 'pg'
import { keysOf, type SecretKeys } from '../secrets/secret-keys.ts'
import { LoginPool } from './login-keys.ts'
import type { Role } from './logins.ts'
import { types } from './types.ts'

/** Where the database is. */
export interface DatabasePlace extends SecretKeys {
  /** PostgreSQL, or a pooler in front of it. */
  readonly DATABASE_URL: string
  /** PostgreSQL itself, where DATABASE_URL is a pooler. */
  readonly DATABASE_DIRECT_URL?: string | undefined
}

/** The address for what needs a session of PostgreSQL: LISTEN, BullMQ, migrations; and for copies, which take long. */
export const directUrlOf = ({ DATABASE_DIRECT_URL, DATABASE_URL }: DatabasePlace): string =>
  DATABASE_DIRECT_URL ?? DATABASE_URL

/** The same place, for pools that must not go through a pooler. */
export const directly = (place: DatabasePlace): DatabasePlace => ({
  ...keysOf(place),
  DATABASE_URL: directUrlOf(place),
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
  const pool = new LoginPool(config.DATABASE_URL, options.role, config, {
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
