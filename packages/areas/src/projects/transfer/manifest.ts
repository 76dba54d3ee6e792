import type { PoolClient } from 'pg'
import type { Sum } from './tables.ts'

/** Of the format of an export. */
export const VERSION = 1

/** One side of a project, as it is stored. */
export interface ProjectRow {
  readonly id: string
  readonly live_id: string
  readonly environment: 'live' | 'test'
  readonly name: string
  readonly [column: string]: unknown
}

/** A line of the list of files. */
export interface FileLine {
  readonly key: string
  readonly size: number
  readonly sha256: string
}

/** What an export has; it is written last, so that an export without one is not whole. */
export interface Manifest {
  readonly version: number
  /** The public id of the project. */
  readonly id: string
  /** The newest migration: an export fits the schema that it was made of. */
  readonly schema: string
  /** Of the passphrase, in base64. */
  readonly salt: string
  /** Opens with the right passphrase. */
  readonly check: string
  readonly projects: readonly ProjectRow[]
  /** By environment and table; tables without rows are left out. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, Sum>>>>
  readonly files: { readonly count: number; readonly bytes: number; readonly sha256: string }
}

/** The newest migration of a database. */
export async function schemaOf(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select max(name) as name from schema_migrations')
  return rows[0]?.name ?? ''
}
