import { join } from 'node:path'
import type { PoolClient } from 'pg'
import { invalidField } from '#platform/errors.ts'
import { MIGRATIONS, migrate } from '#platform/migrate/migrate.ts'
import { readMigrations } from '#platform/migrate/migration-file.ts'
import { fingerprintOf, SecretKeyError } from '#platform/migrate/secret-key.ts'
import { type BackedUp, type BackupParts, backedUp, countRows, majorVersion } from './backup.ts'
import { putObjects } from './copy-objects.ts'
import { DUMP, type Manifest, readManifest, sha256Of } from './manifest.ts'
import { findPrograms, type Programs, runProgram } from './programs.ts'

/**
 * Makes an installation of a backup, in an empty database and a bucket. It is held: it does no work of its own until
 * `resumeSending`. No process can log in before all of it is there, because the logins are made last.
 * @throws NoPrograms; SecretKeyError; ApiError 422 where the database is not empty, the backup is not whole, was changed or is of a
 *   newer version. Nothing was changed then, unless rows or files differ from the manifest, which is found at the end.
 */
export async function restore(parts: BackupParts): Promise<BackedUp> {
  const { owner, databaseUrl, secretKey, folder, objects } = parts
  const manifest = await readManifest(folder)
  const client = await owner.connect()
  try {
    await assertFits(client, parts, manifest)
    const programs = findPrograms(Math.max(manifest.pg_dump, await majorVersion(client)), parts.path)
    await makeRoles(client)
    await loadDump(client, parts, manifest, programs)
    await assertSameRows(client, manifest)
    if (manifest.files.count > 0) await putObjects(objects, folder, manifest)
    await client.query('analyze')
  } finally {
    client.release()
  }
  await migrate({ databaseUrl, secretKey })
  return backedUp(manifest)
}

/** @throws ApiError 422; SecretKeyError */
async function assertFits(
  client: PoolClient,
  { folder, secretKey, objects }: BackupParts,
  { installation, schema, files, dump }: Manifest,
): Promise<void> {
  const sealedBy = String(installation['key_fingerprint']).replace(/^\\x/, '')
  if (fingerprintOf(secretKey).toString('hex') !== sealedBy)
    throw new SecretKeyError(
      'SECRET_KEY is not the one of the installation that was backed up. Nothing was changed. Set the key that was kept beside the backup.',
    )
  const known = (await readMigrations(MIGRATIONS)).map(({ name }) => name)
  if (schema > (known.at(-1) ?? ''))
    throw invalidField('from', 'version', `is of a newer version (${schema}): restore it with that one`)
  if (files.count > 0 && !objects.isSetUp)
    throw invalidField('from', 'files', `has ${files.count} files, and S3_BUCKET is not set`)
  const { rowCount } = await client.query(
    `select from pg_class c where c.relkind in ('r', 'p', 'v', 'S')
       and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       and c.relnamespace::regnamespace::text !~ '^pg_' limit 1`,
  )
  if (rowCount !== 0)
    throw invalidField('DATABASE_URL', 'empty', 'must lead to an empty database: make one with `createdb`')
  if ((await sha256Of(join(folder, DUMP)).catch(() => '')) !== dump)
    throw invalidField('from', 'file', `has another ${DUMP} than its manifest says`)
}

/** The roles that the dump grants rights to. The first migration makes them in the same way. */
async function makeRoles(client: PoolClient): Promise<void> {
  const [first] = await readMigrations(MIGRATIONS)
  const block = /^do \$\$.*?^end \$\$;/ms.exec(first?.sql ?? '')?.[0]
  if (block === undefined) throw new Error('the first migration makes no roles')
  await client.query(block)
}

/**
 * Schema, then the row by which the copy is held, then rows, then indexes and references. Numbers of transactions are those of one
 * server, so that they become the smallest one: it is before all of this server.
 */
async function loadDump(
  client: PoolClient,
  { databaseUrl, folder }: BackupParts,
  manifest: Manifest,
  programs: Programs,
): Promise<void> {
  const load = (section: string) =>
    runProgram(programs.restore, databaseUrl, [
      ...[`--section=${section}`, '--no-owner', '--no-tablespaces', '--exit-on-error'],
      join(folder, DUMP),
    ])
  await load('pre-data')
  await client.query('insert into installation select * from json_populate_record(null::installation, $1)', [
    JSON.stringify({
      ...manifest.installation,
      held_since: new Date().toISOString(),
      held_because: `restored from a backup of ${manifest.at}`,
    }),
  ])
  const { rows: columns } = await client.query<{ table: string; name: string }>(
    `select a.attrelid::regclass::text as table, quote_ident(a.attname) as name from pg_attribute a
     join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     where a.atttypid = 'xid8'::regtype`,
  )
  for (const { table, name } of columns)
    await client.query(`
      create function app.restored_${table}() returns trigger language plpgsql as $$ begin
        if new.${name} is not null then new.${name} := '3'; end if;
        return new;
      end $$;
      create trigger restored before insert on ${table} for each row execute function app.restored_${table}()`)
  await load('data')
  for (const { table } of columns) await client.query(`drop function app.restored_${table}() cascade`)
  await load('post-data')
}

/** @throws ApiError 422 */
async function assertSameRows(client: PoolClient, { rows }: Manifest): Promise<void> {
  const found = await countRows(client)
  const tables = new Set([...Object.keys(rows), ...Object.keys(found)])
  const different = [...tables].filter((name) => rows[name] !== found[name])
  if (different.length > 0)
    throw invalidField(
      'from',
      'same',
      `has another number of rows than its manifest in: ${different.join(', ')}`,
    )
}
