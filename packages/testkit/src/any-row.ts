import { randomUUID } from 'node:crypto'
import pg, { type Client } from 'pg'
import type { Column, Table } from './catalogue.ts'

type Row = Record<string, unknown>

/** Tries at a row that fits all checks. */
const TRIES = 500

/** Values that some check of the schema takes, by type; the first that fits is used. */
const CANDIDATES: Readonly<Record<string, readonly unknown[]>> = {
  text: ['x', 'eur', 'en', 'a@example.com', 'https://example.com/a', 'UTC', '2026-11-21', 'a.b'],
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

/**
 * Makes a row of any table from what the catalogue says of it, and the rows that it refers to before it.
 * The caller's connection is the owner's and has said which project it is in.
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
    const isNeeded = table.columns.some(({ name, needed }) => needed && columns.includes(name))
    if (target === 'projects' || target === name || !isNeeded) continue
    const row = await makeRow(client, tables, target, projectId, made)
    for (const [i, column] of columns.entries()) fixed[column] = row[targetColumns[i] ?? '']
  }
  const row = await insertFitting(client, table, fixed)
  made.set(name, row)
  return row
}

/**
 * Inserts a row of first candidates. Where a check refuses it, all combinations of the columns that the check names are
 * tried, the nullable ones among them, until another check or none objects.
 */
async function insertFitting(client: Client, table: Table, fixed: Row): Promise<Row> {
  const row: Row = {}
  for (const column of table.columns) {
    if (column.needed || column.name in fixed) row[column.name] = valuesFor(column, fixed)[0]
  }
  const tried = new Set<string>()
  let failure = await attempt(client, table, row)
  while (failure instanceof pg.DatabaseError && failure.code === '23514' && tried.size < TRIES) {
    const { constraint } = failure
    for (const values of combinations(await columnsOf(client, table, constraint), fixed)) {
      const next = { ...row, ...values }
      const key = JSON.stringify(next)
      if (tried.has(key)) continue
      tried.add(key)
      failure = await attempt(client, table, next)
      Object.assign(row, values)
      if (!(failure instanceof pg.DatabaseError) || failure.constraint !== constraint) break
    }
    if (failure instanceof pg.DatabaseError && failure.constraint === constraint) break
  }
  if (failure instanceof Error)
    throw new Error(`no row of ${table.name} can be made: teach any-row.ts a value`, { cause: failure })
  return failure
}

const attempt = (client: Client, table: Table, row: Row): Promise<Row | Error> =>
  insert(client, table, Object.entries(row)).catch((error: Error) => error)

/** The columns that a check looks at. */
async function columnsOf(client: Client, table: Table, constraint: string | undefined): Promise<Column[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (conkey)
     where conname = $1 and conrelid = $2::regclass`,
    [constraint, table.name],
  )
  return table.columns.filter(({ name }) => rows.some((row) => row.name === name))
}

function combinations(columns: readonly Column[], fixed: Row): Row[] {
  return columns.reduce<Row[]>(
    (rows, column) =>
      rows.flatMap((row) => valuesFor(column, fixed).map((value) => ({ ...row, [column.name]: value }))),
    [{}],
  )
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
  const usual = [...unique, ...listed, ...(CANDIDATES[type] ?? ['x'])]
  return nullable ? [null, ...usual] : usual
}

/** What a check compares a text with. */
const literalsOf = (check: string): string[] =>
  [...check.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, text = '']) => text.replaceAll("''", "'"))
