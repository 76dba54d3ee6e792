import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { readEnvironment, readPlace } from '#platform/config.ts'
import { openOwnerPool } from '#platform/db/owner-pool.ts'
import { openPool } from '#platform/db/pool.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'

/** Where the database is, with its owner's login, and the secret that the runtime logins derive from. */
export interface Place {
  readonly databaseUrl: string
  /** PostgreSQL itself, where `databaseUrl` is a pooler. */
  readonly directUrl?: string
  readonly secretKey: string
  /** The one before it, after a rotation. */
  readonly oldSecretKey?: string
  /** The one that a prepared rotation lets take over. */
  readonly newSecretKey?: string
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
  const { DATABASE_URL, DATABASE_DIRECT_URL, SECRET_KEY, SECRET_KEY_OLD, DATA_DIR } = readPlace()
  const running = await readFile(join(DATA_DIR, 'runtime.json'), 'utf8').then(JSON.parse, () => ({}))
  const databaseUrl = DATABASE_URL ?? running.DATABASE_URL
  const secretKey = SECRET_KEY ?? running.SECRET_KEY
  if (typeof databaseUrl === 'string' && typeof secretKey === 'string') {
    const place = { databaseUrl, secretKey, ...(DATABASE_DIRECT_URL && { directUrl: DATABASE_DIRECT_URL }) }
    return SECRET_KEY_OLD === undefined ? place : { ...place, ...(await inOrder(place, SECRET_KEY_OLD)) }
  }
  throw new NoDatabase(
    `No database found: run \`npm start\` (it keeps its data in ${DATA_DIR}), or set DATABASE_URL and SECRET_KEY`,
  )
}

/** During a rotation the key that the database has comes first. @throws SecretKeyError where it has neither */
async function inOrder(place: Place, oldSecretKey: string): Promise<Partial<Place>> {
  const { assertInstallation } = await import('#platform/migrate/assert-installation.ts')
  const given = { DATABASE_URL: place.databaseUrl, SECRET_KEY: place.secretKey, SECRET_KEY_OLD: oldSecretKey }
  const { SECRET_KEY, SECRET_KEY_OLD, SECRET_KEY_NEW } = (await assertInstallation(given)).keys
  return {
    secretKey: SECRET_KEY,
    ...(SECRET_KEY_OLD !== undefined && { oldSecretKey: SECRET_KEY_OLD }),
    ...(SECRET_KEY_NEW !== undefined && { newSecretKey: SECRET_KEY_NEW }),
  }
}

/** What an operator works with: the projects, and the data of each. */
export interface Operator {
  readonly operators: Pool
  /** Logs in as guildhall_auditor, which reads the money of all projects. */
  readonly auditing: Pool
  /** What is sealed in the database opens with them. */
  readonly secretKeys: SecretKeys
  /** The data of a project. */
  dataOf(projectId: string): Promise<ProjectData>
  close(): Promise<void>
}

/** Connects as the owner of the tables, for what no other login may do. */
export const openOwner = ({ databaseUrl, directUrl = databaseUrl }: Place): Pool =>
  openOwnerPool(directUrl, { application_name: 'guildhall owner', max: 1 })

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

/** The keys of an installation. */
export const keysOf = ({ secretKey, oldSecretKey, newSecretKey }: Place): SecretKeys => ({
  ...{ SECRET_KEY: secretKey, SECRET_KEY_OLD: oldSecretKey, SECRET_KEY_NEW: newSecretKey },
})

/** Connects as an operator. A broken idle connection shows in the next query. */
export function openOperator(place: Place): Operator {
  const config = { DATABASE_URL: place.databaseUrl, ...keysOf(place) }
  const onError = () => {}
  const operators = openPool(config, { role: 'operator', size: 1, onError })
  const auditing = openPool(config, { role: 'auditor', size: 1, onError })
  // Two, because parts of the demo are made beside each other.
  const pool = openPool(config, { role: 'api', size: 2, onError })
  return {
    operators,
    auditing,
    secretKeys: keysOf(place),
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
