import pg, { type Client } from 'pg'
import { columnsOf as columnsOfCheck, literalsOf, makeRow } from '../catalog/any-row.ts'
import type { Column, Table } from '../catalog/catalogue.ts'
import { idOf } from './row-ids.ts'

/** So many rows name the first thousand of another table, as many each. */
const NAMED = 1_000

/** Above so many new rows it is quicker to make indexes after them. */
const MANY = 5_000

/** The share of rows that must not be refused as equal to another one. */
const MOST = 0.8

/**
 * What of its row's number a column holds: all of it, the part behind the last three digits, or that and the number of the thousand
 * added, so that both parts together differ in each row, and each of them is in few rows.
 */
type Part = 'whole' | 'low' | 'high'

interface UniqueKey {
  readonly table: string
  /** Without the project. */
  readonly columns: readonly string[]
  readonly isPartial: boolean
}

/** Columns whose number is written in letters that a check allows. */
const SPELLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  device_log_ins: { user_code: "translate(lpad(n::text, 8, '0'), '0123456789', 'BCDFGHJKLM')" },
}

/** Adds rows with the numbers from `first` to `last` to every table, or to those that have fewer up to so many. */
export type Fill = (first: number, last: number) => Promise<void>

interface Filling {
  readonly projectId: string
  /** Tables that have fewer rows, with how many; 1 for those that have one. */
  readonly fewer?: Readonly<Record<string, number>>
  /** Values of columns as SQL, by table, where others would be none that there are. */
  readonly fixed?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Makes a row of every table of a project, and a function that adds copies of it, with other values where something is
 * unique, names another row, is a time, a number or a choice. Ids follow from the numbers of rows, and columns that name other
 * rows name the first thousand of them. Triggers and foreign keys do not run.
 * @param owner a superuser's connection, which nobody else uses
 */
export async function makeFill(
  owner: Client,
  tables: readonly Table[],
  { projectId, fewer = {}, fixed = {} }: Filling,
): Promise<Fill> {
  const keys = await readUniqueKeys(owner)
  const firstRows = new Map<string, Record<string, unknown>>()
  const say = () => owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("set session_replication_role = 'replica'")
  await say()
  for (const { name } of tables) await makeRow(owner, tables, name, projectId, firstRows)
  const all = tables.flatMap((table): Copied[] => {
    const own = keys.filter((key) => key.table === table.name)
    const isOne =
      fewer[table.name] === 1 || own.some(({ columns, isPartial }) => columns.length === 0 && !isPartial)
    return isOne
      ? []
      : [
          {
            table,
            parts: partsOf(table, own),
            key: keyOf(table, firstRows),
            same: new Set(),
            fixed: { ...SPELLED[table.name], ...fixed[table.name] },
          },
        ]
  })
  return async (first, last) => {
    await say()
    for (const copied of all) {
      const end = Math.min(last, fewer[copied.table.name] ?? last)
      if (end < first) continue
      // Of a table that has rows, plans are kept that would not outlive their index.
      const indexes = first === 1 && end > MANY ? await dropIndexes(owner, copied.table.name) : []
      await copy(owner, copied, first, end)
      for (const definition of indexes) await owner.query(definition)
    }
  }
}

/** A table whose first row is copied. */
interface Copied {
  readonly table: Table
  readonly parts: ReadonlyMap<string, Part>
  /** The primary key of the first row. */
  readonly key: readonly unknown[]
  /** Columns that are as in the first row, because a check refuses other values. */
  readonly same: Set<string>
  /** Values of columns, as SQL. */
  readonly fixed: Readonly<Record<string, string>>
}

const keyOf = ({ name, primaryKey }: Table, rows: ReadonlyMap<string, Record<string, unknown>>) =>
  primaryKey.map((column) => rows.get(name)?.[column])

/** Of a column that is made of others, those are meant. */
async function readUniqueKeys(owner: Client): Promise<UniqueKey[]> {
  const { rows } = await owner.query<UniqueKey>(`
    select c.relname as table, i.indpred is not null as "isPartial",
      (select coalesce(json_agg(name order by place), '[]') from (
         select source.attname as name, min(array_position(i.indkey::int2[], a.attnum)) as place
         from pg_attribute a left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum and a.attgenerated <> '',
           pg_attribute source
         where a.attrelid = c.oid and a.attnum = any (i.indkey) and a.attname <> 'project_id' and source.attrelid = c.oid
           and case when d.oid is null then source.attnum = a.attnum
             else source.attnum > 0 and pg_get_expr(d.adbin, c.oid) ~ ('\\m' || source.attname || '\\M') end
         group by 1) as named) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace`)
  return rows
}

/** Drops what says nothing of what is allowed. @returns what makes the indexes again */
async function dropIndexes(owner: Client, table: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.oid = $1::regclass and c.relkind = 'r' and not c.relispartition and not i.indisunique`,
    [table],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** A few rows show most of what checks refuse, all of them the rest. */
async function copy(owner: Client, copied: Copied, first: number, last: number): Promise<void> {
  const { table, same, parts } = copied
  await owner.query('begin')
  for (const end of new Set([Math.min(last, first + 110), last])) {
    await owner.query('savepoint trial')
    for (;;) {
      const outcome = await insert(owner, copied, first, end).catch((error: pg.DatabaseError) => error)
      if (typeof outcome === 'number') {
        if (end < last) await owner.query('rollback to trial')
        else if (outcome < MOST * (last - first) - 10)
          throw new Error(
            `of ${last - first + 1} rows of ${table.name}, ${outcome} differ from each other: ${[...parts].join(' ')}`,
          )
        break
      }
      await owner.query('rollback to trial')
      const refused = (await columnsOfCheck(owner, table, outcome.constraint)).filter(
        ({ name }) => !parts.has(name) && !same.has(name),
      )
      if (refused.length === 0) throw new Error(`rows of ${table.name} cannot be made`, { cause: outcome })
      for (const { name } of refused) same.add(name)
    }
  }
  await owner.query('commit')
}

async function insert(
  owner: Client,
  { table, parts, key, same, fixed }: Copied,
  first: number,
  last: number,
) {
  const columns = table.columns.filter(({ generated }) => !generated)
  const values = columns.map(
    (column) =>
      fixed[column.name] ??
      (same.has(column.name) ? copyOf(column.name) : sqlOf(column, table, parts.get(column.name))),
  )
  const name = pg.escapeIdentifier(table.name)
  const isFirst = table.primaryKey.map((column, i) => `${pg.escapeIdentifier(column)} = $${i + 1}`)
  const { rowCount } = await owner.query(
    `insert into ${name} (${columns.map((column) => pg.escapeIdentifier(column.name)).join(', ')})
     select ${values.join(', ')}
     from (select * from ${name} where ${isFirst.join(' and ')}) as first, generate_series(${first}, ${last}) as n
     on conflict do nothing`,
    [...key],
  )
  return rowCount ?? 0
}

/** Which part of its row's number each column holds, so that everything that is unique is. */
function partsOf(table: Table, keys: readonly UniqueKey[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  const namesMember = (name: string) =>
    table.foreignKeys.some(({ target, columns }) => target === 'members' && columns.includes(name))
  const typeOf = (name: string) => table.columns.find((column) => column.name === name)?.type ?? ''
  for (const { columns } of keys.toSorted((a, b) => a.columns.length - b.columns.length)) {
    const present = columns.map((name) => parts.get(name))
    if (present.includes('whole') || (present.includes('low') && present.includes('high'))) continue
    const free = columns
      .filter((name) => !parts.has(name) && isPartible(table, name))
      .toSorted((a, b) => Number(typeOf(b) === 'uuid') - Number(typeOf(a) === 'uuid'))
      // A member has few rows of many things; a thing may have a row of each member.
      .toSorted((a, b) => Number(namesMember(b)) - Number(namesMember(a)))
    const isKey = columns.length === 1 || columns.includes('id')
    if (isKey) free.sort((a, b) => Number(b === 'id') - Number(a === 'id'))
    for (const wanted of isKey ? (['whole'] as const) : (['low', 'high'] as const)) {
      const name = present.includes(wanted) ? undefined : free.shift()
      if (name !== undefined) parts.set(name, wanted)
    }
    const now = columns.map((name) => parts.get(name))
    if (now.includes('whole') || now.includes('high')) continue
    const only = columns.find((name) => parts.get(name) === 'low')
    if (only !== undefined) parts.set(only, 'whole')
  }
  return parts
}

/** Whether a column can hold a number: not where a check lists its values, or says how they look. */
function isPartible(table: Table, name: string): boolean {
  const { type = '', check = '' } = table.columns.find((column) => column.name === name) ?? {}
  return PARTIBLE.has(type) && (literalsOf(check).length === 0 || check.includes('[0-9a-f]{64}'))
}

const PARTIBLE = new Set([
  'uuid',
  'text',
  'integer',
  'bigint',
  'smallint',
  'bytea',
  'date',
  'timestamp with time zone',
  'numeric',
])

const copyOf = (name: string) => `first.${pg.escapeIdentifier(name)}`

/** The value of a column in the row with the number `n`, as SQL. */
function sqlOf(column: Column, table: Table, part: Part | undefined): string {
  const { name, type, nullable, check } = column
  if (name === 'project_id') return copyOf(name)
  const number = {
    whole: 'n',
    low: `(1 + (n - 1) % ${NAMED})`,
    high: `(1 + (n - 1 + (n - 1) / ${NAMED}) % ${NAMED})`,
  }[part ?? 'low']
  const few = `n % 10 = ${table.columns.indexOf(column) % 10}`
  if (type === 'uuid') {
    // A row that names another one of its own table names one before it.
    const names = table.foreignKeys.find(({ columns }) => columns.includes(name))
    return names?.target === table.name && nullable
      ? `case when n > ${NAMED} and ${few} then ${idOf.sql(number)} end`
      : idOf.sql(number)
  }
  if (part !== undefined) {
    if (type === 'text') return textOf(name, number, check)
    if (type === 'bytea') return `sha256(${number}::text::bytea)`
    if (type === 'date') return `current_date - ${number}::int`
    if (type.startsWith('timestamp')) return `now() - ${number} * interval '1 ms'`
    return `${number}::${type}`
  }
  const literals = type === 'text' ? literalsOf(check) : []
  if (literals.length > 1)
    return `(array[${literals.map((literal) => pg.escapeLiteral(literal)).join(', ')}])[1 + n % ${literals.length}]`
  if (type.startsWith('timestamp'))
    return nullable ? `case when ${few} then now() - n * interval '1 ms' end` : `now() - n * interval '1 ms'`
  if (type === 'boolean') return few
  if (/^(smallint|integer|bigint)$/.test(type)) return `1 + n % 100`
  return copyOf(name)
}

/** A text that differs for each number. */
function textOf(name: string, number: string, check: string): string {
  if (check.includes('[0-9a-f]{64}')) return `lpad(to_hex(${number}), 64, '0')`
  if (/email|address/.test(name)) return `'row-' || ${number} || '@example.com'`
  return `'row-' || ${number}`
}
