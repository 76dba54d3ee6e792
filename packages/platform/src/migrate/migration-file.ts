import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/**
 * How a migration runs.
 * - `in one transaction`: all of the file, or nothing
 * - `alone`: one statement outside a transaction, such as `create index concurrently`. It can be repeated.
 * - `in batches`: one statement that changes some rows of the current project. It is repeated for each project until it changes none, each
 *   time in a transaction of its own.
 */
export type Runs = 'in one transaction' | 'alone' | 'in batches'

export interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256, in hexadecimal. */
  readonly checksum: string
  readonly runs: Runs
  /** What is locked, and for how long at 1,000,000 rows; undefined where nothing is for longer than a moment. */
  readonly locks: string | undefined
  /** Why the version before can go on although something is taken away; undefined where nothing is. */
  readonly contract: string | undefined
}

const RUNS = /^-- runs: (alone|in batches)$/m

/** The migrations of a folder, in the order in which they are applied. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  )
}

/** @throws Error for a file that must have one statement and has another number of them */
export function parseMigration(name: string, sql: string): Migration {
  const runs = (RUNS.exec(sql)?.[1] ?? 'in one transaction') as Runs
  if (runs !== 'in one transaction' && statementsIn(sql) !== 1)
    throw new Error(`migration ${name} runs ${runs}: it must have one statement`)
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    runs,
    locks: headerOf(sql, 'locks'),
    contract: headerOf(sql, 'contract'),
  }
}

/** A line `-- name: text` of the comments of a file. */
function headerOf(sql: string, name: string): string | undefined {
  return new RegExp(`^--\\s*${name}:\\s*(\\S.*)$`, 'm').exec(sql)?.[1]
}

/** Statements, by the semicolons that are in no comment and no text. */
function statementsIn(sql: string): number {
  const bare = sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
  return bare.split(';').filter((part) => part.trim() !== '').length
}

/** The index that a migration builds concurrently. */
export const builtIndex = (sql: string): string | undefined =>
  /^\s*create (?:unique )?index concurrently (?:if not exists )?(\w+)/im.exec(sql.replace(/--.*$/gm, ''))?.[1]
