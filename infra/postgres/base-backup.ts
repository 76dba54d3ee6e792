/** A base backup of an embedded PostgreSQL that runs: what pg_basebackup does, which the npm package does not have. */
import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type Account, accountFor } from './account.ts'
import { layoutOf, recall, remember } from './cluster.ts'

/** A server that runs on a data folder of `startPostgres`. */
export interface Source {
  /** The owner's address of any database. */
  readonly url: string
  readonly dataDir: string
}

/** Belongs to the running server, or is made anew by a start. */
const LEFT_OUT = new Set([
  ...['postmaster.pid', 'postmaster.opts', 'pg_internal.init', 'standby.signal', 'recovery.signal'],
  ...['backup_label', 'tablespace_map', 'backup_manifest'],
])
/** Folders that must exist and whose content belongs to the running server. The write-ahead log comes by streaming or from an archive. */
const EMPTIED = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'],
  'pg_subtrans',
])

/**
 * Copies the cluster of a running server into a new data folder. A start there needs the write-ahead log from the
 * beginning of the backup on: a `standby.signal` with the primary's address, or a `recovery.signal` with an archive.
 * @returns the folder of the new cluster, for these files
 */
export async function baseBackup(source: Source, dataDir: string): Promise<string> {
  const from = layoutOf(resolve(source.dataDir))
  const to = layoutOf(resolve(dataDir))
  const account = accountFor(from.cluster)
  await mkdir(resolve(dataDir), { recursive: true })
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('guildhall base backup', fast => true)")
    await copyFolder(from.cluster, to.cluster, account)
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeOwned(join(to.cluster, 'backup_label'), rows[0]?.labelfile ?? '', account)
  } finally {
    await client.end()
  }
  const { password } = await recall(from)
  await remember(to, { password })
  return to.cluster
}

/** Writes a file that belongs to PostgreSQL's account. */
export async function writeOwned(path: string, text: string, account: Account): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  if (account) await chown(path, account.uid, account.gid)
}

async function copyFolder(from: string, to: string, account: Account): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  if (account) await chown(to, account.uid, account.gid)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry
    if (LEFT_OUT.has(name) || name.startsWith('pgsql_tmp')) continue
    const target = join(to, name)
    if (EMPTIED.has(name)) {
      await mkdir(target, { mode: 0o700 })
      if (account) await chown(target, account.uid, account.gid)
    } else if (entry.isDirectory()) await copyFolder(join(from, name), target, account)
    else if (entry.isFile()) await copyOwned(join(from, name), target, account)
  }
}

async function copyOwned(from: string, to: string, account: Account): Promise<void> {
  try {
    await copyFile(from, to)
    if (account) await chown(to, account.uid, account.gid)
  } catch (error) {
    // A file that the server removes meanwhile: the write-ahead log says so, too.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
