import pg from 'pg'
import { types } from './types.ts'

/**
 * A pool that logs in as the owner of the tables, for what no other login may do. A connection that breaks fails what uses it, and is
 * replaced.
 */
export function openOwnerPool(connectionString: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ connectionString, types, ...options })
  pool.on('error', () => undefined)
  // Without this listener a connection that breaks in use would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}
