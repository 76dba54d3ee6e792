import type { Pool } from 'pg'
import type { Actor } from '../actor.ts'
import type { BatchOutcome } from './batch.ts'
import type { Reader } from './cancel.ts'
import { connectionsOf } from './connections.ts'
import { isConflict, translate } from './pg-errors.ts'
import { setProject } from './set-project.ts'
import { batchesOf } from './shared-batches.ts'
import { type Ask, type AskedStatement, outboxWritten } from './statement.ts'
import { Transaction } from './transaction.ts'

// The only way to a project's data: `read` and `write`, of a request, a job or a page. PostgreSQL's row-level security
// limits all of it to rows of that project.

/** The context of a function that works on a project's data: the tenant, the actor, and the transaction. */
export interface Context {
  readonly projectId: string
  readonly actor: Actor
  readonly tx: Transaction
}

/** What a `read` asks, by name. */
export type Asks = Readonly<Record<string, Ask<unknown>>>
/** What it is answered, by the same names. */
export type Answers<A extends Asks> = { readonly [Name in keyof A]: A[Name] extends Ask<infer T> ? T : never }

/** What a `write` does: a function that is one transaction, or one statement by itself. */
export type Work<T> = Ask<T> | ((ctx: Context) => T | PromiseLike<T>)

/** The data of one project. */
export interface ProjectData {
  /**
   * Asks a fixed set of queries in one round trip, which cannot write. Each sees all earlier commits. Use one query, or
   * a `write`, to see all of it at one moment. The error of the first one that fails is thrown.
   */
  read<A extends Asks>(asks: A): Promise<Answers<A>>
  /**
   * Does one transaction on one connection. Statements are sent in the order in which they are called: what is awaited at
   * once with all before it, everything else with the next round trip or the commit. `emit` and `enqueue` go with the
   * commit. A throw, an answer that is refused and a failed statement roll everything back, awaited or not. After a deadlock
   * the function is called again, so it touches nothing but `ctx`.
   *
   * A single statement is given as it is described: `write(insertNote({ … }))`. It takes one round trip, unless its answer
   * has a mapping that may refuse rows: then it is a transaction like any other.
   */
  write<T>(work: Work<T>): Promise<T>
}

/** The data of a project, for work without a request. */
export const dataOf = (pool: Pool, projectId: string, actor: Actor): ProjectData => ({
  read: (asks) => read(pool, projectId, asks),
  write: (work) => write(pool, projectId, actor, work),
})

/**
 * The data of a project for work without a request, such as a page or a public file. `reason` is for logs. In an API
 * process it refuses a project that rests, unless `evenAtRest` is set: for what must not be lost, such as a payment notice. What is
 * left of a project that has moved to another cell is reached with `evenMoved` only.
 */
export type AsSystem = (
  projectId: string,
  reason: string,
  options?: { readonly evenAtRest?: boolean; readonly evenMoved?: boolean },
) => ProjectData

/** Works as the system in projects of a pool. */
export const asSystemOf =
  (pool: Pool): AsSystem =>
  (projectId, reason) =>
    dataOf(pool, projectId, { kind: 'system', reason })

/** The data of a project for an operator: who it is, and where the request comes from. */
export type AsOperator = (projectId: string, actor: Extract<Actor, { kind: 'operator' }>) => ProjectData

/** Works as an operator in projects of a pool. */
export const asOperatorOf =
  (pool: Pool): AsOperator =>
  (projectId, actor) =>
    dataOf(pool, projectId, actor)

/** For whom a `read` is. */
export interface ReadOptions {
  /** Who waits for it: a query for a client that has gone is cancelled. */
  readonly reader?: Reader | undefined
  /** Called with the bytes of the rows before anything is made of them. */
  readonly beforeAnswer?: (bytes: number) => Promise<void> | undefined
}

/** Asks in one round trip that cannot write. A single look-up shares it with other requests'. */
export async function read<A extends Asks>(
  pool: Pool,
  projectId: string,
  asks: A,
  options?: ReadOptions,
): Promise<Answers<A>> {
  const answers = await answersOf(pool, projectId, Object.values(asks), 'read', options)
  const named: Record<string, unknown> = {}
  for (const [n, name] of Object.keys(asks).entries()) named[name] = answers[n]
  return named as Answers<A>
}

/** Attempts at a transaction that PostgreSQL ended to break a deadlock or a serialization conflict. */
const ATTEMPTS = 4

/** Does one transaction; see `ProjectData`. */
export async function write<T>(pool: Pool, projectId: string, actor: Actor, work: Work<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    let tx: Transaction | undefined
    try {
      if (typeof work !== 'function' && work.statements.length === 1 && work.refuses !== 'rows')
        return (await answersOf(pool, projectId, [work], 'write'))[0] as T
      const ctx = Object.freeze({ projectId, actor, tx: new Transaction(pool, projectId) })
      tx = ctx.tx
      return await tx.transact(() => (typeof work === 'function' ? work(ctx) : ctx.tx.ask(work)))
    } catch (error) {
      // What the function made of the failure does not matter: the transaction is repeated as a whole.
      if (attempt === ATTEMPTS || !isConflict(tx?.failure ?? error)) throw error
    }
  }
}

/**
 * The answers of one round trip.
 * @throws the error of the first one that is refused or failed
 */
async function answersOf(
  pool: Pool,
  projectId: string,
  asks: readonly Ask<unknown>[],
  kind: 'read' | 'write',
  { reader, beforeAnswer }: ReadOptions = {},
): Promise<unknown[]> {
  const statements = asks.flatMap((ask) => ask.statements)
  const { results, failure, bytes } = await runTogether(pool, projectId, statements, kind, reader)
  const turn = beforeAnswer?.(bytes)
  if (turn !== undefined) await turn
  const writesOutbox = statements.some(({ statement }) => statement.writesOutbox)
  if (failure === undefined && writesOutbox) outboxWritten(pool)
  let at = 0
  const answers = asks.map((ask) => {
    const rows = results.slice(at, at + ask.statements.length)
    const failed = ask.statements[rows.length]
    if (failed !== undefined) throw translate(failure, [failed.statement])
    at += rows.length
    return ask.toAnswer(rows)
  })
  if (failure !== undefined) throw translate(failure, [])
  return answers
}

/** Runs statements in one round trip: a single short one with those of other requests, others in one of their own. */
async function runTogether(
  pool: Pool,
  projectId: string,
  statements: readonly AskedStatement[],
  kind: 'read' | 'write',
  reader: Reader | undefined,
): Promise<BatchOutcome> {
  const [only, another] = statements
  if (only === undefined) return { results: [], failure: undefined, bytes: 0 }
  const { group } = only.statement
  const isShared = another === undefined && (group === 'lookup') === (kind === 'read')
  if (group !== undefined && isShared)
    return batchesOf(pool)
      .ask({ projectId, group, bound: only.bound })
      .then(
        (rows) => ({ results: [rows], failure: undefined, bytes: 0 }),
        (failure: Error) => ({ results: [], failure, bytes: 0 }),
      )
  const set = setProject(pool, projectId, kind === 'read' ? 'read_only' : undefined)
  const batch = [set, ...statements.map(({ bound }) => bound)]
  const { results, ...outcome } = await connectionsOf(pool).run(projectId, batch, reader)
  return { results: results.slice(1), ...outcome }
}
