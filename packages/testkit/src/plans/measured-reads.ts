import pg, { type Client, type DatabaseError } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import type { Statement } from '#platform/db/statement.ts'
import { Named, NAMES, valueFor } from './any-values.ts'

/** What a statement read of tables and indexes, and what came of it. */
export interface Read {
  /** Rows and entries of indexes that were looked at, in triggers and functions too. */
  readonly rows: number
  /** Rows that it answered or changed. */
  readonly answered: number
  /** Why it failed; what it read until then counts. */
  readonly failure: DatabaseError | undefined
}

/** A statement that is prepared on a connection, with values that fit. */
export interface PreparedStatement {
  readonly label: string
  readonly sql: string
  /** `execute …` with its values. */
  readonly execution: string
}

/**
 * All that was read so far in this transaction. A row that an index led to counts once; rows of a scan that did not fit count as
 * well.
 */
const COUNTED = `select coalesce(sum(scanned + greatest(found, entries)), 0)::int8 as rows from (
  select pg_stat_get_xact_tuples_returned(c.oid) as scanned, pg_stat_get_xact_tuples_fetched(c.oid) as found,
    (select coalesce(sum(pg_stat_get_xact_tuples_returned(i.indexrelid)), 0) from pg_index i where i.indrelid = c.oid) as entries
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r') as tables`

/** Prepares a statement, and gives it values by the types and names of its parameters. */
export async function prepareWithAnyValues(
  client: Client,
  { label, sql, bind }: Pick<Statement<never, unknown>, 'label' | 'sql' | 'bind'>,
  name: string,
): Promise<PreparedStatement> {
  await client.query(`prepare ${name} as ${sql}`)
  const { rows } = await client.query<{ types: string[] }>(
    'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
    [name],
  )
  const types = rows[0]?.types ?? []
  const values = bind(NAMES as never).map((value, i) => {
    const type = types[i] ?? 'text'
    const text = value instanceof Named ? valueFor(type, value.name) : prepareValue(value)
    return text === null ? 'null' : `${pg.escapeLiteral(String(text))}::${type}`
  })
  return { label, sql, execution: `execute ${name}${values.length === 0 ? '' : `(${values.join(', ')})`}` }
}

/** Executes a statement, and undoes what it did. The connection is in a transaction. */
export async function measureReads(client: Client, { execution }: PreparedStatement): Promise<Read> {
  const before = await countedRows(client)
  await client.query('savepoint one')
  const outcome = await client.query(execution).then(
    ({ rowCount }) => ({ answered: rowCount ?? 0, failure: undefined }),
    (failure: DatabaseError) => ({ answered: 0, failure }),
  )
  await client.query('rollback to one')
  return { ...outcome, rows: (await countedRows(client)) - before }
}

async function countedRows(client: Client): Promise<number> {
  const { rows } = await client.query<{ rows: string }>({ name: 'counted_rows', text: COUNTED })
  return Number(rows[0]?.rows)
}
