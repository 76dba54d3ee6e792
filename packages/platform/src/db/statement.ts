import { createHash } from 'node:crypto'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Pool } from 'pg'
import type { Bound, Rows } from './batch.ts'
import type { Constraints } from './pg-errors.ts'
import type { DB } from './tables.generated.ts'

/** Whether what is compiled now will be asked again and again, with other values. */
let isForMany = false

/**
 * Puts the constants of such a statement into its text. PostgreSQL keeps one plan for all values of parameters: an index of open
 * bills alone is no use to a plan that would serve any status, too.
 */
class Compiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (!isForMany || !isPlain(value)) super.appendValue(value)
    // A minus sign before another one begins a comment.
    else if (typeof value === 'number' && value < 0) this.append(`(${value})`)
    else this.appendImmediateValue(value)
  }
}

const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)

/** Builds SQL against the generated table types. It compiles only; nothing is ever executed through it. */
export const query = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  },
})

/** SQL that answers rows of `R`: made with `query`, or plain with kysely's `sql`. */
export type Sql<R> = Compilable<R> | RawBuilder<R>

/**
 * With which other statements one may share a transaction, where it is all that a request asks (decision 0005). A `lookup`
 * only reads, by a key. A `change` takes microseconds and locks at most the one row that it finds by a key; an `insert` may
 * also wait for another insert of the same unique value.
 */
export type StatementGroup = 'lookup' | 'change' | 'insert'

/**
 * SQL that was compiled once, with places for the values `I`, answering rows of `R`. It is prepared under a name that
 * follows from its text, so that PostgreSQL parses it once per connection and two statements never share a name.
 */
export interface Statement<I, R> {
  /** What it is called in logs and traces. */
  readonly label: string
  /** Empty for a statement that is parsed and planned each time. */
  readonly name: string
  readonly sql: string
  bind(values: I): unknown[]
  /** What its constraints mean to a client, by name. */
  readonly constraints: Constraints
  /** With which others it may share its transaction; undefined where with none. */
  readonly group: StatementGroup | undefined
  /** Whether relays have work to do after its commit. */
  readonly writesOutbox?: boolean
  /** Carries the row type; never set. */
  readonly row?: R
}

/** A statement with its values, as somebody asks it. */
export interface AskedStatement {
  readonly statement: Omit<Statement<never, unknown>, 'bind' | 'row'>
  readonly bound: Bound
}

/** What is asked of the database, and how its rows become the answer `A`. Nothing has been sent. */
export interface Ask<A> {
  readonly statements: readonly AskedStatement[]
  /** @param rows those of each statement */
  toAnswer(rows: readonly Rows[]): A
  /**
   * What `toAnswer` may refuse. A transaction is not committed before it has looked. A statement by itself that finds no row
   * has written nothing, so it may be looked at after its commit.
   */
  readonly refuses: 'nothing' | 'no row' | 'rows'
}

/** A statement with its values. */
export function asked<I>(statement: Statement<I, unknown>, values: I): AskedStatement {
  const { label, name, sql } = statement
  const bound = { label, name, sql, values: statement.bind(values) }
  return { statement: statement as AskedStatement['statement'], bound }
}

/**
 * What was declared so far in this process, for tests that walk all of it: statements, and the labels of families of statements,
 * whose members are declared when they are first asked for.
 */
export const declared = { statements: [] as Statement<never, unknown>[], families: new Set<string>() }

interface Compiled<I> {
  readonly name: string
  readonly sql: string
  readonly writesOutbox: boolean
  readonly bind: (values: I) => unknown[]
}

function compile<I extends object>(build: (values: I) => Sql<unknown>): Compiled<I> {
  const names = new Map<unknown, keyof I>()
  const { sql, parameters } = forMany(() => build(placesOf(names)).compile(query))
  const sources = parameters.map((value) => ({ value, name: names.get(value) }))
  return {
    name: `g_${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`,
    sql,
    writesOutbox: writesOutbox(sql),
    bind: (values) => sources.map(({ value, name }) => (name === undefined ? value : values[name])),
  }
}

/**
 * What stands for the values while a query is built: a place for each of them, whose name it notes. A part of a value, as in
 * `v.item.price`, has no place: it would be bound as null without this error, and `...v` would copy nothing.
 */
const placesOf = <I extends object>(names: Map<unknown, keyof I>): I =>
  new Proxy({} as I, {
    get: (_, name) => {
      const place = new Proxy({}, { get: (_, part) => readPart(String(name), part) })
      names.set(place, name as keyof I)
      return place
    },
    ownKeys: () => {
      throw new TypeError('a query names each of its values: pick(v, …) in place of ...v')
    },
  })

function readPart(name: string, part: string | symbol): undefined {
  // kysely looks whether a value is an expression.
  if (part === 'toOperationNode') return undefined
  throw new TypeError(
    `v.${name} is one value while a query is built: ${String(part)} of it needs a name of its own`,
  )
}

function forMany<T>(compile: () => T): T {
  isForMany = true
  try {
    return compile()
  } finally {
    isForMany = false
  }
}

/** Compiles a statement at its first use: a process uses few of all that exist, and building one takes some 10 µs. */
export function compileOnce<I extends object, R>(
  label: string,
  build: (values: I) => Sql<R>,
  constraints: Constraints = {},
  group?: StatementGroup,
): Statement<I, R> {
  let compiled: Compiled<I> | undefined
  const get = () => {
    compiled ??= compile(build)
    return compiled
  }
  const statement = Object.freeze({
    label,
    constraints,
    group,
    get name() {
      return get().name
    },
    get sql() {
      return get().sql
    },
    get writesOutbox() {
      return get().writesOutbox
    },
    bind: (values: I) => get().bind(values),
  })
  declared.statements.push(statement)
  return statement
}

/** A statement that is put together for one request. PostgreSQL parses and plans it each time and keeps nothing of it. */
export function compileNow<R>(label: string, built: Sql<R>): Statement<object, R> {
  const { sql, parameters } = built.compile(query)
  const values = [...parameters]
  return Object.freeze({ label, name: '', sql, bind: () => values, constraints: {}, group: undefined })
}

const listeners = new WeakMap<Pool, () => void>()

/** Calls a listener after each commit of a pool's transaction that wrote to the outbox. There is one for each pool. */
export function onOutboxWrite(pool: Pool, listener: () => void): void {
  listeners.set(pool, listener)
}

/** Called by the transaction. */
export const outboxWritten = (pool: Pool): void => listeners.get(pool)?.()

/** Whether a statement writes to the outbox. */
export const writesOutbox = (sql: string): boolean => /insert into "?outbox"?/i.test(sql)
