import { type RawBuilder, sql } from 'kysely'
import type { DB } from '#platform/db/tables.generated.ts'
import { type ApiError, notFound } from '../errors.ts'
import type { Constraints } from './pg-errors.ts'
import {
  type Ask,
  asked,
  compileNow,
  compileOnce,
  declared,
  type Sql,
  type Statement,
  type StatementGroup,
} from './statement.ts'
import type { Answers, Asks, Context } from './tenant.ts'
import { type DeferredResult, Transaction } from './transaction.ts'

// This file has what areas need to ask PostgreSQL. A query is a function, made once at module level:
//
//   export const getPlan = defineQuery('plan_by_id', (v: { id: string }) => query.selectFrom('plans')…)
//     .map(toPlan)
//     .one('Plan')
//
// `getPlan({ id })` describes what `read` is to ask; `getPlan(ctx, { id })` asks it within a `write`.

/** The values of a query; nothing for a query without values. */
type Given<V> = Record<never, never> extends V ? [values?: V] : [values: V]

/** A function that asks something, with values `V` and the answer `A`. */
export interface Query<V extends object, A> {
  /** Asks within a transaction. It is sent when somebody awaits an answer of the transaction, or with the commit. */
  (ctx: Context, ...values: Given<V>): DeferredResult<A>
  /** Describes what is to be asked, for `read`, or for a `write` of this statement alone. */
  (...values: Given<V>): Ask<A>
}

/** What a query answers. */
export type AnswerOf<Q extends (...args: never) => Ask<unknown>> =
  ReturnType<Q> extends Ask<infer A> ? A : never

/** A query that answers all rows, and the ways to make another answer of them. */
export interface RowsQuery<V extends object, R> extends Query<V, R[]> {
  /**
   * The same with each row changed, such as to what clients see.
   * @param change may throw an ApiError: nothing is committed then
   */
  map<T>(change: (row: R, values: V) => T): RowsQuery<V, T>
  /** The same with a change that refuses no row, so that a `write` of this statement alone takes one round trip. */
  shape<T>(change: (row: R, values: V) => T): RowsQuery<V, T>
  /** Answers the first row, or undefined. */
  first(): Query<V, R | undefined>
  /** Answers the row that there always is: of `insert … returning`, or of a count. */
  single(): Query<V, R>
  /**
   * Answers the one row there must be.
   * @param missing what was not found, for a 404, or the error
   */
  one(missing: string | ((values: V) => ApiError)): Query<V, R>
}

interface Options {
  /** The group of single writes that may share a transaction with this one. */
  readonly group?: Exclude<StatementGroup, 'lookup'>
}

/**
 * A query that is compiled once, at its first use.
 * @param label what it is called in logs and traces
 * @param build the query, with `v.x` wherever the caller's `x` goes; values that it does not use are for `map`
 * @param constraints what a violated constraint means to the client, by its name
 */
export const defineQuery = <V extends object = Record<never, never>, R = unknown>(
  label: string,
  build: (v: V) => Sql<R>,
  constraints: Constraints = {},
  { group }: Options = {},
): RowsQuery<V, R> => rowsOf(compileOnce(label, build, constraints, group))

/**
 * A query that reads by a key, in microseconds. A `read` of one of them shares its round trip with other requests',
 * whatever their project, so a slow one would delay the others. PostgreSQL refuses it if it writes.
 */
export const defineLookup = <V extends object = Record<never, never>, R = unknown>(
  label: string,
  build: (v: V) => Sql<R>,
): RowsQuery<V, R> => rowsOf(compileOnce(label, build, {}, 'lookup'))

/**
 * Queries that differ in their text, each compiled when it is first asked for. The variants must come from a small closed
 * set, because each stays prepared on every connection.
 */
export function defineQueries<X, V extends object = Record<never, never>, R = unknown>(
  label: string,
  build: (variant: X) => (v: V) => Sql<R>,
  constraints: Constraints = {},
  optionsOf: (variant: X) => Options = () => ({}),
): (variant: X) => RowsQuery<V, R> {
  const compiled = new Map<string, RowsQuery<V, R>>()
  declared.families.add(label)
  return (variant) => {
    const key = JSON.stringify(variant)
    const found = compiled.get(key)
    if (found !== undefined) return found
    const made = defineQuery(label, build(variant), constraints, optionsOf(variant))
    compiled.set(key, made)
    return made
  }
}

/** A query that is put together for one request, such as a report's. PostgreSQL parses it each time and keeps nothing. */
export const queryOnce = <R>(label: string, built: Sql<R>): RowsQuery<Record<never, never>, R> =>
  rowsOf(compileNow(label, built))

/**
 * A query that asks another one, chosen by its values.
 * @param describe returns what is to be asked, such as `list({ …, visibility })`
 */
export function deriveQuery<V extends object, A>(describe: (values: V) => Ask<A>): Query<V, A> {
  const ask = (first: Context | V | undefined, second?: V) =>
    isContext(first) ? first.tx.ask(describe(second ?? ({} as V))) : describe(first ?? ({} as V))
  return ask as Query<V, A>
}

/** Asks nothing, and answers this. */
export const answering = <A>(answer: A): Ask<A> => ({
  statements: [],
  toAnswer: () => answer,
  refuses: 'nothing',
})

/** Asks a query that is not known here within a transaction. */
export const askWith = <V extends object, A>(ctx: Context, ask: Query<V, A>, values: V): DeferredResult<A> =>
  (ask as (ctx: Context, values: V) => DeferredResult<A>)(ctx, values)

/** The same question with another answer. @param change may throw an ApiError */
export const mapAnswer = <A, B>(ask: Ask<A>, change: (answer: A) => B): Ask<B> => ({
  ...shapeAnswer(ask, change),
  refuses: 'rows',
})

/** The same with a change that refuses nothing. */
export const shapeAnswer = <A, B>(ask: Ask<A>, change: (answer: A) => B): Ask<B> => ({
  ...ask,
  toAnswer: (rows) => change(ask.toAnswer(rows)),
})

/** Several questions as one, answered by their names, such as a thing with all its parts. The first one's refusal is thrown. */
export function askAll<A extends Asks>(asks: A): Ask<Answers<A>> {
  const all = Object.entries(asks)
  return {
    statements: all.flatMap(([, ask]) => ask.statements),
    toAnswer: (rows) => {
      const rest = [...rows]
      const answers = all.map(([name, ask]) => [name, ask.toAnswer(rest.splice(0, ask.statements.length))])
      return Object.fromEntries(answers) as Answers<A>
    },
    refuses: all.some(([, ask]) => ask.refuses !== 'nothing') ? 'rows' : 'nothing',
  }
}

/**
 * Asks several things at once within a transaction, answered by their names as `read` answers them. The first one's refusal
 * is thrown.
 */
export const together = <A extends Asks>(ctx: Context, asks: A): DeferredResult<Answers<A>> =>
  ctx.tx.ask(askAll(asks))

/** Some values by their names, as columns: `pick(v, 'id', 'name')` is `{ id: v.id, name: v.name }`. */
export const pick = <V extends object, Name extends keyof V>(
  v: V,
  ...names: readonly Name[]
): Pick<V, Name> => Object.fromEntries(names.map((name) => [name, v[name]])) as Pick<V, Name>

/** Within a `write`, a query is called with its context first. */
export const isContext = (value: object | undefined): value is Context =>
  (value as Partial<Context> | undefined)?.tx instanceof Transaction

/**
 * @param changed what becomes of each row
 * @param refuses whether that may refuse rows
 */
function rowsOf<V extends object, S, R = S>(
  statement: Statement<V, S>,
  changed = (row: S, _values: V) => row as unknown as R,
  refuses: 'nothing' | 'rows' = 'nothing',
): RowsQuery<V, R> {
  const make = <A>(
    toAnswer: (rows: readonly S[], values: V) => A,
    orElse: Ask<A>['refuses'] = refuses,
  ): Query<V, A> =>
    deriveQuery((values: V) => ({
      statements: [asked(statement, values)],
      toAnswer: ([rows = []]) => toAnswer(rows as readonly S[], values),
      refuses: refuses === 'rows' ? refuses : orElse,
    }))
  const then =
    <T>(next: (row: R, values: V) => T) =>
    (row: S, values: V) =>
      next(changed(row, values), values)
  const all = make((rows, values) => rows.map((row) => changed(row, values)))
  return Object.assign(all, {
    map: <T>(next: (row: R, values: V) => T) => rowsOf(statement, then(next), 'rows'),
    shape: <T>(next: (row: R, values: V) => T) => rowsOf(statement, then(next), refuses),
    first: () => make(([row], values) => (row === undefined ? undefined : changed(row, values))),
    single: () => make(([row], values) => changed(row as S, values)),
    one: (missing: string | ((values: V) => ApiError)) =>
      make(([row], values) => {
        if (row !== undefined) return changed(row, values)
        throw typeof missing === 'string' ? notFound(missing) : missing(values)
      }, 'no row'),
  })
}

/**
 * SQL that inserts rows.
 * @param columns those that the rows have
 * @param rows a JSON array of objects
 */
export function insertRows<T extends keyof DB & string>(
  table: T,
  columns: readonly (keyof DB[T] & string)[],
  rows: string,
): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} (${names})
    select ${names} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`
}
