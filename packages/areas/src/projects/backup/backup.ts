import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { assertSecretKey } from '#platform/migrate/secret-key.ts'
import { VERSION as GUILDHALL } from '#platform/version.ts'
import { type Bucket, CopiedObjects } from './copy-objects.ts'
import { DUMP, type Manifest, manifestOf, sha256Of, VERSION } from './manifest.ts'
import { findPrograms, type Programs, runProgram } from './programs.ts'

export interface BackupParts {
  /** Logs in as the owner of the tables; one connection. */
  readonly owner: Pool
  /** The address of that login, of PostgreSQL itself. */
  readonly databaseUrl: string
  readonly secretKey: string
  readonly objects: Bucket
  readonly folder: string
  /** Where programs are looked for, in place of the folders of this machine. */
  readonly path?: string
}

export interface BackedUp {
  readonly at: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  readonly bytes: number
  /** Files that rows name and the bucket did not have. */
  readonly lost: readonly string[]
}

/** How often the moment of the backup is chosen anew because files were removed right after it. */
const ROUNDS = 5

/**
 * Writes the database and the bucket as they were at one moment into a folder. First come the objects that are there, which takes long; then
 * the moment is chosen, by a snapshot of PostgreSQL; then what came in between. An object never changes and is removed after its row,
 * so that what the rows of the moment name is there, or was removed just now, and a later moment is chosen.
 * Requests go on meanwhile.
 * @throws NoPrograms; SecretKeyError; ApiError 422 where the folder has something, or the login cannot read all rows
 */
export async function backUp(parts: BackupParts): Promise<BackedUp> {
  const { owner, databaseUrl, folder } = parts
  const client = await owner.connect()
  try {
    await assertSecretKey(client, databaseUrl, parts.secretKey)
    await assertReadsAll(client)
    const postgresql = await majorVersion(client)
    const programs = findPrograms(postgresql, parts.path)
    await makeFolder(folder)
    const objects = new CopiedObjects(parts.objects, folder)
    await objects.add(await projectsOf(client))
    const lost = await chooseMoment(client, objects)
    const moment = await writeDump(client, parts, programs)
    const manifest: Manifest = {
      ...{ version: VERSION, ...moment, guildhall: GUILDHALL, postgresql, pg_dump: programs.major },
      ...{ rows: await countRows(client), files: await objects.writeList(), lost },
      dump: await sha256Of(join(folder, DUMP)),
    }
    await client.query('rollback')
    await writeFile(manifestOf(folder), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    return backedUp(manifest)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

/** What a manifest tells of. */
export const backedUp = ({ at, rows, files, lost }: Manifest): BackedUp => ({
  at,
  tables: Object.keys(rows).length,
  rows: Object.values(rows).reduce((sum, count) => sum + count, 0),
  files: files.count,
  bytes: files.bytes,
  lost,
})

/** Policies hold for an owner, too. @throws ApiError 422 */
async function assertReadsAll(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string; reads: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as reads from pg_roles where rolname = current_user',
  )
  const { name = '', reads = false } = rows[0] ?? {}
  if (!reads)
    throw invalidField(
      'DATABASE_URL',
      'login',
      `must have a login that reads the rows of all projects, and policies stop ${name}: have a superuser run ` +
        `\`alter role ${name} bypassrls\``,
    )
}

/** @throws ApiError 422 */
async function makeFolder(folder: string): Promise<void> {
  // What is in it is all that customers have.
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw invalidField('to', 'empty', 'must be an empty folder')
}

export async function majorVersion(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ number: string }>(
    "select current_setting('server_version_num') as number",
  )
  return Math.floor(Number(rows[0]?.number) / 10_000)
}

async function projectsOf(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>('select id from projects order by id')
  return rows.map(({ id }) => id)
}

/** The objects that rows name. What else is in a bucket can be made again, or belongs to an upload that is not complete. */
const NAMED = `
  select project_id || '/' || id || '/' || object_id as key from files where status = 'ready'
  union all
  select project_id || '/' || id || '/' || object_id from exports where status = 'completed'
  union all
  select project_id || '/imports/' || id || '/members.csv' from member_imports where state in ('queued', 'running')`

/**
 * Begins the transaction whose snapshot is the backup, and copies what its rows name.
 * @returns objects that were missing at two moments, one after the other: their rows have been without them for longer
 */
async function chooseMoment(client: PoolClient, objects: CopiedObjects): Promise<string[]> {
  let before = new Set<string>()
  for (let round = 1; ; round++) {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('set local statement_timeout = 0')
    await objects.add(await projectsOf(client))
    const { rows } = await client.query<{ key: string }>(NAMED)
    const missing = rows.map(({ key }) => key).filter((key) => !objects.has(key))
    if (missing.every((key) => before.has(key)) || round === ROUNDS) return missing
    before = new Set(missing)
    await client.query('rollback')
  }
}

/** BullMQ's schema has signals only; `installation` is in the manifest. */
async function writeDump(
  client: PoolClient,
  { databaseUrl, folder }: BackupParts,
  { dump }: Programs,
): Promise<Pick<Manifest, 'at' | 'schema' | 'installation'>> {
  const { rows } = await client.query<{
    snapshot: string
    at: string
    schema: string
    installation: Manifest['installation']
  }>(
    `select pg_export_snapshot() as snapshot, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
       (select max(name) from schema_migrations) as schema, (select row_to_json(i) from installation i) as installation`,
  )
  const { snapshot = '', at = '', schema = '', installation = {} } = rows[0] ?? {}
  await runProgram(dump, databaseUrl, [
    ...['--format=custom', `--file=${join(folder, DUMP)}`, `--snapshot=${snapshot}`, '--no-owner'],
    ...['--no-tablespaces', '--exclude-schema=bullmq', '--exclude-table-data=public.installation'],
  ])
  return { at, schema, installation }
}

/** Rows by table, without empty tables and without `installation`. */
export async function countRows(client: PoolClient): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relnamespace in ('public'::regnamespace, 'app'::regnamespace) and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> 'installation' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from ${name}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) counts[name] = count
  }
  return counts
}
