import type { Pool, PoolClient } from 'pg'
import { ApiError, notFound } from '../errors.ts'
import type { Bound, Rows } from './batch.ts'
import { type Reader, runFor } from './cancel.ts'
import { BEGIN, COMMIT, ROLLBACK } from './control-statements.ts'
import { DeferredResult } from './deferred-result.ts'
import { connectionsOf } from './fair-connections.ts'
import { HeldPart } from './held-transactions.ts'
import { isReadOnly } from './outage.ts'
import { outboxWritten } from './outbox-writes.ts'
import { translate } from './pg-errors.ts'
import { setProject, setProjectReadOnly } from './set-project.ts'
import type { Statement, StatementGroup } from './statement.ts'
import { coalescerOf } from './statement-coalescer.ts'

interface Question {
  readonly statement: Statement<never, unknown>
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * A transaction inside one project. Made by the door only (`inProject`), so that holding one means that row-level
 * security has been told whose rows these are.
 */
export class Transaction {
  readonly #pool: Pool
  readonly #projectId: string
  readonly #reader: Reader | undefined
  #client: Promise<PoolClient> | undefined
  #queue: Question[] = []
  #effects: Question[] = []
  /** True while nobody has waited for an answer: all statements can still be sent together. */
  #untouched = true
  #began = false
  #failure: unknown
  #flushing = false
  /** True once the connection is released; it may serve another project then. */
  #ended = false
  #writesOutbox = false
  /** True when code checks an answer, so that deferred writes must wait for it. */
  #checked = false
  /** Where the transaction is shared with others until its end, its part in it. */
  #held: HeldPart | undefined
  /** True once the connection must not be used again: PostgreSQL was asked to end a statement, or it is lost. */
  #isUnusable = false

  /** @param reader who waits for the answers, where nothing else depends on them */
  constructor(pool: Pool, projectId: string, reader?: Reader) {
    this.#pool = pool
    this.#projectId = projectId
    this.#reader = reader
  }

  /** All rows. */
  all<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R[]> {
    return this.#ask(this.#queue, statement, values)
  }

  /** The first row, or undefined. */
  first<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R | undefined> {
    return this.all(statement, values).map((rows) => rows[0])
  }

  /** The one row that there always is: of `insert … returning`, or of a count. */
  single<I extends object, R>(statement: Statement<I, R>, values: NoInfer<I>): DeferredResult<R> {
    return this.all(statement, values).map((rows) => rows[0] as R)
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
    this.#checked = true
    return this.all(statement, values).map((rows) => check(rows[0]))
  }

  /** Runs a statement without reading rows. Await it where later statements depend on it. */
  run<I extends object>(statement: Statement<I, unknown>, values: NoInfer<I>): DeferredResult<void> {
    return this.all(statement, values).map(() => undefined)
  }

  /** Adds a write that is sent with the commit. Nobody waits for it; its failure rolls the transaction back. */
  defer<I extends object>(statement: Statement<I, unknown>, values: NoInfer<I>): void {
    this.#ask(this.#effects, statement, values)
  }

  /** Whether writes wait that are sent with the commit. */
  get hasDeferred(): boolean {
    return this.#effects.length > 0
  }

  /**
   * Shares this transaction with other requests to its end, if `result` is that of a short write behind one statement.
   * @param lock what no two requests of one transaction may have
   */
  holdWithOthers(result: unknown, lock: string): void {
    const [, write, ...more] = this.#queue
    const group = write?.statement.group
    const isComplete = result instanceof DeferredResult && this.#untouched && !this.#checked
    if (!isComplete || more.length + this.#effects.length > 0) return
    if (group === 'insert' || group === 'change')
      this.#held = new HeldPart(this.#pool, { projectId: this.#projectId, group, lock })
  }

  /** Runs `work` and commits, or rolls back and throws what went wrong. Called by the door, once. */
  async execute<T>(work: () => PromiseLike<T>): Promise<T> {
    const result = await this.#execute(work)
    if (this.#writesOutbox) outboxWritten(this.#pool)
    return result
  }

  async #execute<T>(work: () => PromiseLike<T>): Promise<T> {
    let sound = true
    try {
      const result = work()
      const complete = result instanceof DeferredResult && this.#untouched
      const group = this.#group()
      if (complete && group !== undefined) {
        await this.#share(group)
        return await result.settled()
      }
      // Where everything only reads, a check that fails has nothing to undo.
      const reads = this.#onlyReads()
      if (complete && (reads || !this.#checked || this.#queue.length + this.#effects.length === 1)) {
        await this.#send([(reads ? setProjectReadOnly : setProject)(this.#projectId)], this.#take(), [])
        return await result.settled()
      }
      const value = await result
      if (this.#began || this.#queue.length > 0 || this.#effects.length > 0) await this.#commit()
      return value
    } catch (error) {
      // The next connection may find the server that takes writes.
      sound = (await this.#rollback()) && !isReadOnly(error)
      throw error
    } finally {
      this.#ended = true
      const client = await this.#client?.catch(() => undefined)
      if (client) connectionsOf(this.#pool).giveBack(client, !sound || this.#isUnusable)
    }
  }

  #ask<I extends object, R>(queue: Question[], statement: Statement<I, R>, values: I): DeferredResult<R[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    this.#writesOutbox ||= statement.writesOutbox === true
    const bound = { name: statement.name, sql: statement.sql, values: statement.bind(values) }
    queue.push({ statement: statement as Statement<never, unknown>, bound, resolve, reject })
    return new DeferredResult(promise as Promise<R[]>, () => this.#flushSoon())
  }

  /** Sends the statements so far, when the caller waits for an answer. */
  #flushSoon(): void {
    this.#untouched = false
    if (this.#flushing || this.#queue.length === 0) return
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      // A failure rejects all answers of the batch.
      this.#send(this.#begin(), this.#queue.splice(0), []).catch(() => {})
    })
  }

  /** The group that the only statement may share a batch with. */
  #group(): StatementGroup | undefined {
    const group = this.#queue[0]?.statement.group
    return this.#queue.length === 1 && this.#effects.length === 0 && group !== 'read' ? group : undefined
  }

  #onlyReads(): boolean {
    const reads = ({ statement: { group } }: Question) => group === 'lookup' || group === 'read'
    return this.#effects.length === 0 && this.#queue.every(reads)
  }

  /** Runs the only statement in a batch with those of other requests. */
  async #share(group: StatementGroup): Promise<void> {
    for (const { bound, statement, resolve, reject } of this.#queue.splice(0))
      await coalescerOf(this.#pool)
        .ask({ projectId: this.#projectId, group }, bound)
        .then(resolve, (error) => reject(translate(error, [statement])))
  }

  async #commit(): Promise<void> {
    // COMMIT of a failed transaction answers ROLLBACK without an error. Work that swallowed an error must not succeed.
    if (this.#failure !== undefined) throw this.#failure
    return this.#send(this.#begin(), this.#take(), [COMMIT])
  }

  /** Resolves with whether the connection can be used again. */
  async #rollback(): Promise<boolean> {
    if (this.#isUnusable) return false
    if (!this.#began) return true
    if (this.#held) return this.#held.undo()
    return this.#send([ROLLBACK], [], []).then(
      () => true,
      () => false,
    )
  }

  #begin(): Bound[] {
    if (this.#began) return []
    this.#began = true
    return [BEGIN, setProject(this.#projectId)]
  }

  #take(): Question[] {
    return [...this.#queue.splice(0), ...this.#effects.splice(0)]
  }

  async #send(before: Bound[], questions: Question[], after: Bound[]): Promise<void> {
    try {
      if (this.#ended) throw new TypeError('this transaction has ended: its context must not leave inProject')
      const bound = questions.map((question) => question.bound)
      const results = this.#held
        ? await this.#held.send(bound)
        : (await this.#run([...before, ...bound, ...after])).slice(before.length)
      for (const [index, question] of questions.entries()) question.resolve(results[index] ?? [])
    } catch (error) {
      const statements = questions.map((question) => question.statement)
      const known = error instanceof ApiError ? error : translate(error, statements)
      this.#failure ??= known
      for (const question of questions) question.reject(known)
      throw known
    }
  }

  async #run(batch: Bound[]): Promise<readonly Rows[]> {
    this.#client ??= connectionsOf(this.#pool).take(this.#projectId)
    const reader = batch[0] === ROLLBACK ? undefined : this.#reader
    return runFor(reader, await this.#client, batch, () => {
      this.#isUnusable = true
    })
  }
}
