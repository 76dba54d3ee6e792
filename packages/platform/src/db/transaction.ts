import type { Pool, PoolClient } from 'pg'
import { ApiError, notFound } from '../errors.ts'
import type { Bound, Rows } from './batch.ts'
import { type Reader, runFor } from './cancel.ts'
import { BEGIN, COMMIT, ROLLBACK } from './control-statements.ts'
import { DeferredResult } from './deferred-result.ts'
import { connectionsOf } from './fair-connections.ts'
import { liveSidesOf } from './live-sides.ts'
import { isReadOnly } from './outage.ts'
import { outboxWritten } from './outbox-writes.ts'
import { translate } from './pg-errors.ts'
import { setProject } from './set-project.ts'
import { batchesOf } from './shared-batches.ts'
import { type Ask, type AskedStatement, asked, type Statement, type StatementGroup } from './statement.ts'

/** A statement that waits to be sent, or for its rows. */
interface Question extends AskedStatement {
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** An answer that decides whether the transaction may be committed. */
interface Check {
  readonly result: DeferredResult<unknown>
  /** Whoever awaits it decides what its failure means. */
  isAwaited: boolean
  /** The last statement of it. */
  readonly last: Question | undefined
}

/**
 * A transaction inside one project. Made by tenant.ts only, so that holding one means that row-level security knows whose
 * rows these are.
 *
 * Statements are queued in the order in which they are asked. The queue is sent when somebody awaits one of its answers,
 * and with the commit.
 */
export class Transaction {
  readonly #pool: Pool
  readonly #projectId: string
  readonly #reader: Reader | undefined
  #client: Promise<PoolClient> | undefined
  #queue: Question[] = []
  /** What is sent behind all else: events and jobs. */
  #last: Question[] = []
  readonly #checks: Check[] = []
  #isFlushing = false
  #began = false
  #failure: unknown
  /** True once the connection is released; it may serve another project then. */
  #ended = false
  #writesOutbox = false
  /** True once the connection must not be used again: PostgreSQL was asked to end a statement, or it is lost. */
  #isUnusable = false
  /** Of the old dialect: true while nobody has waited for an answer. */
  #untouched = true

  /** @param reader who waits for the answers, where nothing else depends on them */
  constructor(pool: Pool, projectId: string, reader?: Reader) {
    this.#pool = pool
    this.#projectId = projectId
    this.#reader = reader
  }

  /** Queues statements. Nothing is committed before an answer that `checks` was made. */
  ask<A>({ statements, toAnswer, checks }: Ask<A>): DeferredResult<A> {
    const rows = statements.map((each) => this.#add(this.#queue, each))
    const answer = Promise.all(rows).then(toAnswer)
    if (!checks) return new DeferredResult(answer, () => this.#flushSoon())
    const result = new DeferredResult(answer, () => {
      check.isAwaited = true
      this.#flushSoon()
    })
    const check: Check = { result, isAwaited: false, last: this.#queue.at(-1) }
    this.#checks.push(check)
    return result
  }

  /** Queues statements to be sent behind all others, with the commit. Nobody waits for them. */
  askLast({ statements }: Ask<unknown>): void {
    for (const each of statements) this.#add(this.#last, each).catch(() => undefined)
  }

  /** Makes the answers that decide whether the transaction may be committed, and that nobody awaited. */
  async verify(): Promise<void> {
    for (const { isAwaited, result, last } of this.#checks) {
      if (isAwaited) continue
      // One whose statements were sent with others only has to come: what was queued since then goes with the commit.
      const isQueued = last !== undefined && this.#queue.includes(last)
      await (isQueued ? result : result.settled())
    }
  }

  /** What made PostgreSQL end the transaction, if anything. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Runs `work` and commits, or rolls back and throws what went wrong. Called once. Where nobody awaited anything, all is
   * sent at once, without BEGIN and COMMIT: PostgreSQL runs what stands before one Sync as one transaction (decision 0002).
   */
  transact<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return this.#ending(async () => {
      const value = await work()
      await this.verify()
      await this.#commit()
      return value
    })
  }

  async #ending<T>(work: () => Promise<T>): Promise<T> {
    let isSound = true
    try {
      const value = await work()
      if (this.#writesOutbox) outboxWritten(this.#pool)
      return value
    } catch (error) {
      // The next connection may find the server that takes writes.
      isSound = (await this.#rollback()) && !isReadOnly(error)
      throw error
    } finally {
      this.#ended = true
      const client = await this.#client?.catch(() => undefined)
      if (client) connectionsOf(this.#pool).giveBack(client, !isSound || this.#isUnusable)
    }
  }

  #add(queue: Question[], { statement, bound }: AskedStatement): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    this.#writesOutbox ||= statement.writesOutbox === true
    queue.push({ statement, bound, resolve, reject })
    return promise
  }

  /** Sends the queue, when somebody awaits an answer. */
  #flushSoon(): void {
    this.#untouched = false
    if (this.#isFlushing || this.#queue.length === 0) return
    this.#isFlushing = true
    queueMicrotask(() => {
      this.#isFlushing = false
      // A failure rejects all answers of the batch.
      this.#send(this.#begin(), this.#queue.splice(0), []).catch(() => {})
    })
  }

  async #commit(): Promise<void> {
    // COMMIT of a failed transaction answers ROLLBACK without an error. Work that swallowed an error must not succeed.
    if (this.#failure !== undefined) throw this.#failure
    const left = this.#take()
    if (this.#began) return this.#send([], left, [COMMIT])
    if (left.length > 0) await this.#send([this.#setProject()], left, [])
  }

  /** Resolves with whether the connection can be used again. */
  async #rollback(): Promise<boolean> {
    if (this.#isUnusable) return false
    if (!this.#began) return true
    return this.#send([ROLLBACK], [], []).then(
      () => true,
      () => false,
    )
  }

  #begin(): Bound[] {
    if (this.#began) return []
    this.#began = true
    return [BEGIN, this.#setProject()]
  }

  #setProject(more?: 'read_only'): Bound {
    return setProject(this.#projectId, liveSidesOf(this.#pool), more)
  }

  #take(): Question[] {
    return [...this.#queue.splice(0), ...this.#last.splice(0)]
  }

  async #send(before: Bound[], questions: Question[], after: Bound[]): Promise<void> {
    try {
      if (this.#ended)
        throw new TypeError('this transaction has ended: its context must not leave its function')
      const bound = questions.map((question) => question.bound)
      const results = await this.#sendOver([...before, ...bound, ...after])
      for (const [index, { resolve }] of questions.entries()) resolve(results[before.length + index] ?? [])
    } catch (error) {
      const known =
        error instanceof ApiError
          ? error
          : translate(
              error,
              questions.map(({ statement }) => statement),
            )
      this.#failure ??= known
      // What follows a failure fails because of it.
      const cause = this.#ended ? known : this.#failure
      for (const question of questions) question.reject(cause)
      throw cause
    }
  }

  async #sendOver(batch: Bound[]): Promise<readonly Rows[]> {
    this.#client ??= connectionsOf(this.#pool).take(this.#projectId)
    const reader = batch[0] === ROLLBACK ? undefined : this.#reader
    const { results, failure } = await runFor(reader, await this.#client, batch, () => {
      this.#isUnusable = true
    })
    if (failure !== undefined) throw failure
    return results
  }

  // What follows is the old dialect, for areas that are not converted yet (docs/RECIPES.md, "Convert an area").

  /** All rows. */
  all<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R[]> {
    return this.#old(statement, values, (rows) => rows as R[])
  }

  /** The first row, or undefined. */
  first<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R | undefined> {
    return this.#old(statement, values, ([row]) => row as R | undefined)
  }

  /** The one row that there always is: of `insert … returning`, or of a count. */
  single<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R> {
    return this.#old(statement, values, ([row]) => row as R)
  }

  /**
   * The one row there must be.
   * @throws ApiError 404 `<what> not found`, which rolls the transaction back
   */
  one<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>, what: string): DeferredResult<R> {
    return this.check(statement, values, (row) => {
      if (row === undefined) throw notFound(what)
      return row
    })
  }

  /**
   * Passes the first row to a check. Nothing is committed before the check has passed.
   * @param check throws to roll the transaction back
   */
  check<I extends object, R, T>(
    statement: Statement<I, R>,
    values: NoInfer<I>,
    check: (row: R | undefined) => T,
  ): DeferredResult<T> {
    return this.#old(statement, values, ([row]) => check(row as R | undefined), true)
  }

  /** Runs a statement without reading rows. Await it where later statements depend on it. */
  run<I extends object>(statement: Statement<I, unknown>, values: NoInfer<I>): DeferredResult<void> {
    return this.#old(statement, values, () => undefined)
  }

  /** Adds a write that is sent with the commit. Nobody waits for it; its failure rolls the transaction back. */
  defer<I extends object>(statement: Statement<I, unknown>, values: NoInfer<I>): void {
    this.#add(this.#last, asked(statement, values)).catch(() => undefined)
  }

  #old<I extends object, A>(
    statement: Statement<I, unknown>,
    values: I,
    toAnswer: (rows: Rows) => A,
    checks = false,
  ): DeferredResult<A> {
    const statements = [asked(statement, values)]
    return this.ask({ statements, toAnswer: ([rows]) => toAnswer(rows ?? []), checks })
  }

  /** Whether writes wait that are sent with the commit. */
  get hasDeferred(): boolean {
    return this.#last.length > 0
  }

  /** As `transact`; but work that returns its result without awaiting it is one round trip, in which results are read after the commit. */
  execute<T>(work: () => PromiseLike<T>): Promise<T> {
    return this.#ending(async () => {
      const result = work()
      if (!(result instanceof DeferredResult && this.#untouched)) return await this.#committed(result)
      const group = this.#group()
      if (group !== undefined) {
        await this.#share(group)
        return await result.settled()
      }
      const isReading = this.#onlyReads()
      // Where everything only reads, a check that fails has nothing to undo.
      if (!isReading && this.#checks.length > 0 && this.#queue.length + this.#last.length > 1)
        return await this.#committed(result)
      await this.#send([this.#setProject(isReading ? 'read_only' : undefined)], this.#take(), [])
      return await result.settled()
    })
  }

  async #committed<T>(result: PromiseLike<T>): Promise<T> {
    const value = await result
    await this.verify()
    await this.#commit()
    return value
  }

  /** The group that the only statement may share a batch with. */
  #group(): StatementGroup | undefined {
    const group = this.#queue[0]?.statement.group
    return this.#queue.length === 1 && this.#last.length === 0 && group !== 'read' ? group : undefined
  }

  #onlyReads(): boolean {
    const reads = ({ statement: { group } }: Question) => group === 'lookup' || group === 'read'
    return this.#last.length === 0 && this.#queue.every(reads)
  }

  /** Runs the only statement in a batch with those of other requests. */
  async #share(group: StatementGroup): Promise<void> {
    for (const { bound, statement, resolve, reject } of this.#queue.splice(0))
      await batchesOf(this.#pool)
        .ask({ projectId: this.#projectId, group }, bound)
        .then(resolve, (error) => reject(translate(error, [statement])))
  }
}
