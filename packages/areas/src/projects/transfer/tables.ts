import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { inOrder } from '../removal/table-order.ts'
import { openHex, type Passphrase, type Row, SEALED, type Secrets } from './sealed.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly isKey: boolean
  readonly isNullable: boolean
}

/** A table of projects, as it is moved. */
export interface Shape {
  readonly name: string
  readonly columns: readonly Column[]
  /** Columns that refer to rows that are not there yet while rows are inserted. */
  readonly late: ReadonlySet<string>
}

/** Tables that stay: operators belong to an installation. */
export const NOT_MOVED: readonly string[] = ['team_members', 'team_invitations', 'device_log_ins']

/** Computed columns are computed again, and transaction numbers (xid8) are those of one server. */
const COLUMNS = `
  select c.oid::regclass::text as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    not a.attnotnull as nullable, coalesce(a.attnum = any (k.indkey), false) as key
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_index k on k.indrelid = c.oid and k.indisprimary
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
    and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'project_id' and not p.attisdropped)
    and c.relname <> all ($1)
  order by 1, array_position(k.indkey::int2[], a.attnum), a.attnum`
const REFERENCES = `
  select f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent,
    array(select a.attname::text from pg_attribute a where a.attrelid = f.conrelid and a.attnum = any (f.conkey)) as columns
  from pg_constraint f where f.contype = 'f' and f.conparentid = 0`

/** The tables of projects, each behind those that it refers to. */
export async function shapesOf(client: PoolClient): Promise<Shape[]> {
  const { rows: columns } = await client.query<{
    table: string
    name: string
    type: string
    nullable: boolean
    key: boolean
  }>(COLUMNS, [NOT_MOVED])
  const { rows: references } = await client.query<{ child: string; parent: string; columns: string[] }>(
    REFERENCES,
  )
  const byTable = Map.groupBy(columns, ({ table }) => table)
  const others = references.filter(({ child, parent }) => child !== parent)
  const order = inOrder([...byTable.keys()], others).reverse()
  const place = new Map(order.map((name, at) => [name, at]))
  return order.map((name, at) => {
    const own = (byTable.get(name) ?? []).map(({ name: column, type, nullable, key }) => ({
      ...{ name: column, type, isKey: key, isNullable: nullable },
    }))
    const optional = new Set(own.filter(({ isNullable }) => isNullable).map((column) => column.name))
    const late = references
      .filter(({ child, parent }) => child === name && (place.get(parent) ?? -1) >= at)
      .flatMap((reference) => reference.columns.filter((column) => optional.has(column)))
    return { name, columns: own, late: new Set(late) }
  })
}

const PAGE = 200
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** JSON of this type can have line ends, and its spelling is kept. */
const isJsonText = ({ type }: Column) => type === 'json'
const isText = ({ type }: Column) => /^(text|character)/.test(type)

/**
 * The rows of a table of one side, each as a line of JSON, in the order of their keys; a page in memory at a time. The
 * connection is in a transaction and has set its project.
 */
export async function* readLines(client: PoolClient, shape: Shape, side: string): AsyncGenerator<string> {
  const columns = shape.columns.map((column) =>
    isJsonText(column) ? `${quote(column.name)}::text as ${quote(column.name)}` : quote(column.name),
  )
  const order = shape.columns
    .filter(({ isKey }) => isKey)
    .map((column) => quote(column.name) + (isText(column) ? ' collate "C"' : ''))
  const cursor = quote(`lines of ${shape.name}`)
  await client.query(
    `declare ${cursor} no scroll cursor for select row_to_json(r)::text as line
     from (select ${columns.join(', ')} from ${shape.name} where project_id = '${side}' order by ${order.join(', ')}) as r`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${PAGE} from ${cursor}`)
    for (const { line } of rows) yield line
    if (rows.length < PAGE) break
  }
  await client.query(`close ${cursor}`)
}

/** Settings by which equal rows are equal lines, on every server. */
export const LINE_SETTINGS = `set local timezone = 'UTC'; set local bytea_output = 'hex'; set local extra_float_digits = 1;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local enable_seqscan = on`

/** What a table has of a side: how many rows, and a fingerprint of them in which secrets are hashed under the passphrase. */
export interface Sum {
  readonly rows: number
  readonly sha256: string
}

/** Adds up lines of a table as they stand in the database. */
export class Summing {
  readonly #hash = createHash('sha256')
  readonly #table: string
  readonly #secrets: Secrets
  readonly #passphrase: Passphrase
  #rows = 0

  constructor(table: string, secrets: Secrets, passphrase: Passphrase) {
    this.#table = table
    this.#secrets = secrets
    this.#passphrase = passphrase
  }

  add(line: string): void {
    this.#rows += 1
    this.#hash.update(`${this.#comparable(line)}\n`)
  }

  get sum(): Sum {
    return { rows: this.#rows, sha256: this.#hash.copy().digest('hex') }
  }

  #comparable(line: string): string {
    if (SEALED[this.#table] === undefined) return line
    return JSON.stringify(
      this.#secrets.map(this.#table, JSON.parse(line) as Row, (value, box, owner, place) =>
        this.#passphrase.digest(openHex(box, value, owner, place)),
      ),
    )
  }
}

/**
 * SQL that makes rows of lines (`$1`), into a table of that shape. All of them are rows of that side, whatever project a line names: an
 * archive may come from anybody, and the owner writes rows of every project.
 * @param withLate whether late columns are set
 */
export function insertLines(
  { name, columns, late }: Shape,
  side: string,
  into: string,
  withLate: boolean,
): string {
  const names = columns.map((column) => quote(column.name))
  const values = columns.map((column) => {
    if (column.name === 'project_id') return `'${side}'::uuid`
    if (!withLate && late.has(column.name)) return 'null'
    return isJsonText(column) ? `(l.line::json ->> '${column.name}')::json` : `p.${quote(column.name)}`
  })
  return `insert into ${into} (${names.join(', ')}) select ${values.join(', ')}
    from unnest($1::text[]) with ordinality as l (line, place), json_populate_record(null::${name}, l.line::json) as p
    order by l.place`
}

/** SQL that makes the rows of a table those of `staged`, a table of the same columns. */
export function replaceByStaged({ name, columns }: Shape, staged: string, side: string): string[] {
  const same = columns
    .filter(({ isKey }) => isKey)
    .map((column) => `s.${quote(column.name)} = t.${quote(column.name)}`)
    .join(' and ')
  const others = columns.filter(({ isKey }) => !isKey)
  const list = (of: readonly Column[], alias: string) =>
    of.map((column) => `${alias}.${quote(column.name)}${isJsonText(column) ? '::text' : ''}`).join(', ')
  const names = columns.map((column) => quote(column.name)).join(', ')
  return [
    `delete from ${name} t where t.project_id = '${side}' and not exists (select from ${staged} s where ${same})`,
    ...(others.length === 0
      ? []
      : [
          `update ${name} t set ${others.map((column) => `${quote(column.name)} = s.${quote(column.name)}`).join(', ')}
           from ${staged} s where ${same} and (${list(others, 't')}) is distinct from (${list(others, 's')})`,
        ]),
    `insert into ${name} (${names}) select ${names} from ${staged} s
     where not exists (select from ${name} t where ${same})`,
  ]
}
