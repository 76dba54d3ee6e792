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
  /**
   * What runs in its place, in the same schema and without a long lock: a file is not edited after it has landed. Empty where the file itself
   * runs. Each can be repeated, and is recorded until all are done.
   */
  readonly steps: readonly Migration[]
  /** Whether it takes away what the version before uses, so that it waits until nobody runs that any more. */
  readonly waits: boolean
  /** What is locked, and for how long at 1,000,000 rows; undefined where nothing is for longer than a moment. */
  readonly locks: string | undefined
  /** Why the version before can go on although something is taken away; undefined where nothing is. */
  readonly contract: string | undefined
}

const RUNS = /^-- runs: (alone|in batches)$/m
const WAITS = /^-- after: the version before has ended$/m
const WITHOUT = /^-- without: (\S.*)$/gm

/** The migrations of a folder, in the order in which they are applied. */
export async function readMigrations(folder: URL): Promise<Migration[]> {
  const names = await sqlIn(folder)
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { ...parseMigration(name, sql), steps: await readSteps(folder, name, sql) }
    }),
  )
}

/** `steps/<migration>/*.sql`, in their order. */
async function readSteps(folder: URL, migration: string, whole: string): Promise<Migration[]> {
  const name = migration.replace(/\.sql$/, '')
  const place = new URL(`steps/${name}/`, folder)
  return Promise.all(
    (await sqlIn(place)).map(async (file) => {
      const step = parseMigration(`${name}/${file}`, await readFile(new URL(file, place), 'utf8'))
      const left = [...step.sql.matchAll(WITHOUT)].map(([, beginning = '']) => beginning)
      return left.length === 0 ? step : { ...step, sql: `${without(whole, left)}\n${step.sql}` }
    }),
  )
}

const sqlIn = async (folder: URL): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.sql')).sort()

/** A file without the statements that begin so. A statement begins and ends with a line. @throws Error where there is none */
function without(sql: string, beginnings: readonly string[]): string {
  const kept: string[] = []
  const unused = new Set(beginnings)
  const lines = sql.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const length = lines.slice(at).findIndex((line) => line.endsWith(';')) + 1
    const statement = lines
      .slice(at, at + length)
      .join(' ')
      .replace(/\s+/g, ' ')
    const beginning = beginnings.find((each) => statement.startsWith(each))
    if (beginning === undefined) kept.push(lines[at] ?? '')
    else {
      unused.delete(beginning)
      at += length - 1
    }
  }
  if (unused.size > 0) throw new Error(`no statement begins with ${[...unused].join(', ')}`)
  return kept.join('\n')
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
    steps: [],
    waits: WAITS.test(sql),
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
