import { randomUUID } from 'node:crypto'
import pg, { type Client } from 'pg'
import type { Column, Table } from './catalogue.ts'

type Row = Record<string, unknown>

/** Tries at a row that fits all checks. */
const TRIES = 5_000

/** Values that some check of the schema takes, by type; the first that fits is used. */
const CANDIDATES: Readonly<Record<string, readonly unknown[]>> = {
  text: [
    'x',
    'eur',
    'en',
    'a@example.com',
    'https://example.com/a',
    'UTC',
    '2026-11-21',
    'a.b',
    '0'.repeat(64),
    'B'.repeat(8),
  ],
  integer: [1, 0, 100],
  smallint: [1, 0, 100],
  bigint: [1, 0, 100],
  numeric: [1, 0, 100],
  'double precision': [1, 0],
  boolean: [false, true],
  bytea: [Buffer.from('x')],
  json: ['{}', '[]'],
  jsonb: ['{}', '[]'],
  'app.metadata': ['{}'],
  inet: ['192.0.2.1'],
  date: ['2026-11-21'],
  'timestamp with time zone': ['2026-11-21T09:00:00Z'],
}

/** Nullable columns of which a check asks for one: the one that is filled, by table. */
const ALSO: Readonly<Record<string, string>> = { moderation_cases: 'discussion_id' }

/**
 * Makes a row of any table from what the catalogue says of it, and the rows that it refers to before it.
 * The caller's connection is the owner's and has set its project.
 * @param made rows of this project by table; filled as they are made
 * @throws Error that names the table and the check, where no candidate fits
 */
export async function makeRow(
  client: Client,
  tables: readonly Table[],
  name: string,
  projectId: string,
  made: Map<string, Row>,
): Promise<Row> {
  const known = made.get(name)
  if (known) return known
  const table = tables.find((each) => each.name === name)
  if (!table) throw new Error(`there is no table ${name}`)
  const fixed: Row = { project_id: projectId }
  for (const { target, columns, targetColumns } of table.foreignKeys) {
    const isNeeded =
      table.columns.some((column) => column.needed && columns.includes(column.name)) ||
      columns.includes(ALSO[name] ?? '')
    if (target === 'projects' || target === name || !isNeeded) continue
    const row = await makeRow(client, tables, target, projectId, made)
    for (const [i, column] of columns.entries()) fixed[column] = row[targetColumns[i] ?? '']
  }
  const row = await insertFitting(client, table, fixed)
  made.set(name, row)
  return row
}

/**
 * Inserts a row of first candidates. Where checks refuse it, all combinations of the columns that they name are tried,
 * the nullable ones among them.
 */
async function insertFitting(client: Client, table: Table, fixed: Row): Promise<Row> {
  const first: Row = {}
  for (const column of table.columns) {
    if (column.needed || column.name in fixed) first[column.name] = valuesFor(column, fixed)[0]
  }
  const concerned = new Set<Column>()
  let candidates = combinations([], fixed)
  let refusal: Error | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const next = candidates.next()
    if (next.done) break
    const outcome = await attempt(client, table, { ...first, ...next.value })
    if (!(outcome instanceof Error)) return outcome
    refusal = outcome
    if (!(outcome instanceof pg.DatabaseError) || outcome.code !== '23514') break
    const named = await columnsOf(client, table, outcome.constraint)
    if (named.every((column) => concerned.has(column))) continue
    for (const column of named) concerned.add(column)
    candidates = combinations([...concerned], fixed)
  }
  throw new Error(`no row of ${table.name} can be made: teach any-row.ts a value`, { cause: refusal })
}

const attempt = (client: Client, table: Table, row: Row): Promise<Row | Error> =>
  insert(client, table, Object.entries(row)).catch((error: Error) => error)

/** The columns that a check looks at. */
export async function columnsOf(
  client: Client,
  table: Table,
  constraint: string | undefined,
): Promise<Column[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
     where conname = $1 and conrelid = $2::regclass`,
    [constraint, table.name],
  )
  return table.columns.filter(({ name }) => rows.some((row) => row.name === name))
}

/** Every choice of one value for each of the columns. */
function* combinations([column, ...others]: readonly Column[], fixed: Row): Generator<Row> {
  if (column === undefined) return yield {}
  for (const value of valuesFor(column, fixed)) {
    for (const rest of combinations(others, fixed)) yield { [column.name]: value, ...rest }
  }
}

async function insert(client: Client, table: Table, values: [string, unknown][]): Promise<Row> {
  const names = values.map(([name]) => pg.escapeIdentifier(name))
  const { rows } = await client.query<Row>(
    `insert into ${pg.escapeIdentifier(table.name)} (${names.join(', ')})
     values (${values.map((_, i) => `$${i + 1}`).join(', ')}) returning *`,
    values.map(([, value]) => value),
  )
  return rows[0] as Row
}

/** Values to try: what is fixed, what a check lists (`status in ('a', 'b')`), and what usually fits the type. */
function valuesFor({ name, type, nullable, check }: Column, fixed: Row): readonly unknown[] {
  if (name in fixed) return [fixed[name]]
  if (type === 'uuid') return nullable ? [null, randomUUID()] : [randomUUID()]
  if (type.endsWith('[]')) return [[]]
  const listed = type === 'text' ? literalsOf(check) : []
  // A second row of a table may not repeat what is unique in the whole database, such as a hash.
  const unique = type === 'bytea' ? [Buffer.from(randomUUID())] : []
  const usual = new Set([...unique, ...listed, ...(CANDIDATES[type] ?? ['x'])])
  return nullable ? [null, ...usual] : [...usual]
}

/** What a check compares a text with. */
export const literalsOf = (check: string): string[] =>
  [...check.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, text = '']) => text.replaceAll("''", "'"))
