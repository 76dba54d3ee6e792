import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg, { type Pool } from 'pg'
import { readEnvironment, readPlace } from '#platform/config.ts'
import { openPool } from '#platform/db/pool.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { types } from '#platform/db/types.ts'

/** Where the database is, with its owner's login, and the secret that the runtime logins derive from. */
export interface Place {
  readonly databaseUrl: string
  /** PostgreSQL itself, where `databaseUrl` is a pooler. */
  readonly directUrl?: string
  readonly secretKey: string
}

/** The database could not be found; the message says what to set. */
export class NoDatabase extends Error {
  override name = 'NoDatabase'
}

/**
 * Finds the database: DATABASE_URL and SECRET_KEY where they are set, otherwise what `npm start` runs in DATA_DIR.
 * @throws NoDatabase
 */
export async function findPlace(): Promise<Place> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, SECRET_KEY, DATA_DIR } = readPlace()
  const running = await readFile(join(DATA_DIR, 'runtime.json'), 'utf8').then(JSON.parse, () => ({}))
  const databaseUrl = DATABASE_URL ?? running.DATABASE_URL
  const secretKey = SECRET_KEY ?? running.SECRET_KEY
  if (typeof databaseUrl === 'string' && typeof secretKey === 'string')
    return { databaseUrl, secretKey, ...(DATABASE_DIRECT_URL && { directUrl: DATABASE_DIRECT_URL }) }
  throw new NoDatabase(
    `No database found: run \`npm start\` (it keeps its data in ${DATA_DIR}), or set DATABASE_URL and SECRET_KEY`,
  )
}

/** What an operator works with: the projects, and the data of each. */
export interface Operator {
  readonly operators: Pool
  /** Logs in as guildhall_auditor, which reads the money of all projects. */
  readonly auditing: Pool
  /** What is sealed in the database opens with it. */
  readonly secretKey: string
  /** The data of a project. */
  dataOf(projectId: string): Promise<ProjectData>
  close(): Promise<void>
}

/** Connects as the owner of the tables, for what no other login may do. */
export function openOwner({ databaseUrl, directUrl = databaseUrl }: Place): Pool {
  const pool = new pg.Pool({
    connectionString: directUrl,
    application_name: 'guildhall owner',
    max: 1,
    types,
  })
  pool.on('error', () => {})
  return pool
}

/** The environment of the API and the worker of this installation. */
export async function environmentOf({
  databaseUrl,
  secretKey,
}: Place): Promise<Readonly<Record<string, string | undefined>>> {
  const running = await readFile(join(readPlace().DATA_DIR, 'runtime.json'), 'utf8').then(
    JSON.parse,
    () => ({}),
  )
  return { ...running, ...readEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }
}

/** Connects as an operator. A broken idle connection shows in the next query. */
export function openOperator({ databaseUrl, secretKey }: Place): Operator {
  const config = { DATABASE_URL: databaseUrl, SECRET_KEY: secretKey }
  const onError = () => {}
  const operators = openPool(config, { role: 'operator', size: 1, onError })
  const auditing = openPool(config, { role: 'auditor', size: 1, onError })
  const pool = openPool(config, { role: 'api', size: 1, onError })
  return {
    operators,
    auditing,
    secretKey,
    dataOf: async (projectId) => {
      // Most commands do not reach into a project, and this loads what compiles all of its SQL.
      const { dataOf } = await import('#platform/db/tenant.ts')
      return dataOf(pool, projectId, { kind: 'operator' })
    },
    close: async () => {
      await operators.end()
      await auditing.end()
      await pool.end()
    },
  }
}
