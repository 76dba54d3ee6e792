import pg, { type Client, type DatabaseError } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import type { Statement } from '#platform/db/statement.ts'
import { NAMES, Named, valueFor } from './any-values.ts'

/** What a statement read of tables and indexes, and what came of it. */
export interface Read {
  /** Rows and entries of indexes that were looked at, in triggers and functions too. */
  readonly rows: number
  /** Rows that it answered or wrote, in triggers too. */
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
 * A query of all that was read and written so far in this transaction. A row that an index led to counts once; rows of a scan that did
 * not fit count as well. The tables stand in its text: to find them in the catalogue takes longer than most statements.
 */
async function countingQuery(client: Client): Promise<string> {
  const { rows } = await client.query<{ tables: string }>(
    `select string_agg(format('(%s::oid, %L::oid[])', c.oid, array(select i.indexrelid from pg_index i where i.indrelid = c.oid)), ', ')
       as tables
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  return `select sum(pg_stat_get_xact_tuples_returned(id) + greatest(pg_stat_get_xact_tuples_fetched(id),
      (select sum(pg_stat_get_xact_tuples_returned(i)) from unnest(indexes) as i)))::int8 as read,
    sum(pg_stat_get_xact_tuples_inserted(id) + pg_stat_get_xact_tuples_updated(id) + pg_stat_get_xact_tuples_deleted(id))::int8 as written
    from (values ${rows[0]?.tables}) as t (id, indexes)`
}

/** Prepares statements, and gives them values by the types and names of their parameters. */
export async function prepareWithAnyValues(
  client: Client,
  statements: readonly Pick<Statement<never, unknown>, 'label' | 'sql' | 'bind'>[],
): Promise<PreparedStatement[]> {
  for (const [i, { sql }] of statements.entries()) await client.query(`prepare s${i} as ${sql}`)
  const { rows } = await client.query<{ name: string; types: string[] }>(
    'select name, parameter_types::text[] as types from pg_prepared_statements',
  )
  const typesOf = new Map(rows.map(({ name, types }) => [name, types]))
  return statements.map(({ label, sql, bind }, i) => {
    const types = typesOf.get(`s${i}`) ?? []
    const values = bind(NAMES as never).map((value, place) => {
      const type = types[place] ?? 'text'
      const text = value instanceof Named ? valueFor(type, value.name) : prepareValue(value)
      return text === null ? 'null' : `${pg.escapeLiteral(String(text))}::${type}`
    })
    return { label, sql, execution: `execute s${i}${values.length === 0 ? '' : `(${values.join(', ')})`}` }
  })
}

/** Executes statements, so that their plans are kept. What they do is undone. The connection is in a transaction. */
export async function keepPlans(client: Client, prepared: readonly PreparedStatement[]): Promise<void> {
  for (const { execution } of prepared)
    await client
      .query(`savepoint one; ${execution}; rollback to one`)
      .catch(() => client.query('rollback to one'))
}

/** Counts what each statement reads, and undoes what it does. The connection is in a transaction. */
export async function measureReads(
  client: Client,
  prepared: readonly PreparedStatement[],
): Promise<(PreparedStatement & Read)[]> {
  const measured: (PreparedStatement & Read)[] = []
  const counting = { name: 'counted', text: await countingQuery(client) }
  const counted = async () => {
    const { rows } = await client.query<{ read: string; written: string }>(counting)
    return { read: Number(rows[0]?.read), written: Number(rows[0]?.written) }
  }
  let before = await counted()
  for (const statement of prepared) {
    await client.query('savepoint one')
    const outcome = await client.query(statement.execution).then(
      ({ rowCount }) => ({ answered: rowCount ?? 0, failure: undefined }),
      (failure: DatabaseError) => ({ answered: 0, failure }),
    )
    await client.query('rollback to one')
    const now = await counted()
    const answered = Math.max(outcome.answered, now.written - before.written)
    measured.push({ ...statement, ...outcome, answered, rows: now.read - before.read })
    before = now
  }
  return measured
}

/** How a statement is executed, for whoever has to mend it. It is undone. */
export async function explain(client: Client, { execution }: PreparedStatement): Promise<string> {
  await client.query('savepoint one')
  const plan = await client
    .query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, summary off, buffers off) ${execution}`,
    )
    .then(
      ({ rows }) => rows.map((row) => row['QUERY PLAN']).join('\n'),
      async (failure: DatabaseError) => {
        await client.query('rollback to one')
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${execution}`)
        return [failure.message, ...rows.map((row) => row['QUERY PLAN'])].join('\n')
      },
    )
  await client.query('rollback to one')
  return plan
}
