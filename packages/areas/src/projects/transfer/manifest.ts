import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PoolClient } from 'pg'
import { invalidField } from '#platform/errors.ts'
import type { Sum } from './tables.ts'

/** Of the format of an export. */
export const VERSION = 1
/** Bytes of the longest manifest: one with all tables has 50 KiB. */
const LARGEST = 4 * 2 ** 20

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

/** The manifest of an archive that somebody may have written by hand. @throws ApiError 422 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  const { size } = await stat(path).catch((error) => {
    throw invalidField('from', 'exists', 'has no manifest.json: the export is not whole', error)
  })
  if (size > LARGEST) throw unreadable()
  const manifest = parse(await readFile(path, 'utf8'))
  if (!isObject(manifest)) throw unreadable()
  // Another version may have other fields.
  if (Number.isInteger(manifest['version']) && manifest['version'] !== VERSION)
    throw invalidField('from', 'version', `must be an export of version ${VERSION}`)
  if (!isManifest(manifest)) throw unreadable()
  if (!isOneProject(manifest.projects))
    throw invalidField('from', 'project', 'must have the live and the test side of one project')
  if (manifest.projects.some(({ deleted_at }) => deleted_at != null))
    throw invalidField('from', 'project', 'must be a project that was not deleted')
  return manifest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (cause?: unknown) =>
  invalidField('from', 'readable', 'has a manifest.json that no export has written', cause)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: unknown) => typeof value === 'string'

function isManifest(value: object): value is Manifest {
  const { version, id, schema, salt, check, projects, tables, files } = value as Record<string, unknown>
  const sums = isObject(tables) ? Object.values(tables) : [undefined]
  return (
    version === VERSION &&
    [id, schema, salt, check].every(isText) &&
    Array.isArray(projects) &&
    projects.every((side) => isObject(side) && isText(side['id']) && isText(side['name'])) &&
    sums.every(
      (side) =>
        isObject(side) &&
        Object.values(side).every((sum) => isObject(sum) && isCount(sum['rows']) && isText(sum['sha256'])),
    ) &&
    isObject(files) &&
    isCount(files['count']) &&
    isCount(files['bytes']) &&
    isText(files['sha256'])
  )
}

/** A side that names another project as its own would join that project. */
function isOneProject(sides: Manifest['projects']): boolean {
  const [live, test] = sides
  return (
    sides.length === 2 &&
    live?.environment === 'live' &&
    test?.environment === 'test' &&
    live.id !== test.id &&
    sides.every(({ id, live_id }) => isUuid(id) && live_id === live.id)
  )
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
