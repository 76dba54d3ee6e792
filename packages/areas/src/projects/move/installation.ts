import type pg from 'pg'
import type { Pool } from 'pg'
import { openOwnerPool } from '#platform/db/owner-pool.ts'
import { invalidField } from '#platform/errors.ts'
import { keyInUse } from '#platform/migrate/secret-key.ts'
import type { Config } from '#platform/parse-config.ts'
import { Objects } from '#platform/storage/objects.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { LINE_SETTINGS } from '../transfer/tables.ts'

/** One of the two installations of a move. */
export interface Installation {
  /** Logs in as the owner, who is a superuser: passes row-level security, and may replicate. */
  readonly owner: Pool
  /** As the owner reaches PostgreSQL itself. */
  readonly address: string
  readonly config: Config
  /** By which keys of projects are wrapped. */
  readonly secretKey: string
  readonly objects: Objects
  close(): Promise<void>
}

const CONNECTIONS = 6

/** Connects with the environment of the processes of an installation. @throws Error where it cannot be reached */
export async function openInstallation(config: Config, name: string): Promise<Installation> {
  const address = config.DATABASE_OWNER_URL ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  const owner = openOwnerPool(address, {
    application_name: 'guildhall move',
    max: CONNECTIONS,
    connectionTimeoutMillis: 10_000,
    // Equal rows are equal texts on every server.
    options: LINE_SETTINGS.split(';')
      .map((setting) => setting.trim().replace(/^set local (\w+) = '?(\w+)'?$/, '-c $1=$2'))
      .join(' '),
  })
  const objects = new Objects(config, makeLog('silent', 'api'))
  const close = async () => {
    objects.close()
    await owner.end()
  }
  try {
    const client = await owner.connect()
    try {
      return { owner, address, config, secretKey: await keyInUse(client, config), objects, close }
    } finally {
      client.release()
    }
  } catch (error) {
    await close()
    const { message } = error as Error
    throw invalidField(name, 'reachable', `cannot be reached with the login of the owner: ${message}`, error)
  }
}

/** One value, or undefined where there is no row. */
export async function oneValue<T>(
  pool: Pick<Pool, 'query'>,
  sql: string,
  values: unknown[] = [],
): Promise<T | undefined> {
  const { rows } = await pool.query<{ value: T }>(sql, values)
  return rows[0]?.value
}

/** One transaction in which no trigger and no reference stands in the way, as where rows are replicated. */
export async function asReplica<T>(pool: Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isSound = true
  try {
    await client.query('begin; set local session_replication_role = replica')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    isSound = await client.query('rollback').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    client.release(!isSound)
  }
}
