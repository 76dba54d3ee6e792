import type { Pool } from 'pg'
import type { Bound, Rows } from './batch.ts'
import { type Connection, connectionsOf } from './connections.ts'
import { translate } from './pg-errors.ts'
import { setProject } from './set-project.ts'
import { type Ask, type AskedStatement, outboxWritten } from './statement.ts'

const control = (sql: 'begin' | 'commit' | 'rollback'): Bound => ({ name: `g_${sql}`, sql, values: [] })
const BEGIN = control('begin')
const COMMIT = control('commit')
const ROLLBACK = control('rollback')

/**
 * A result that a transaction has not received yet. Awaiting it sends the statements so far; what nobody awaits is sent
 * with the next round trip, or with the commit.
 */
export class DeferredResult<T> implements PromiseLike<T> {
  readonly #answer: Promise<T>
  readonly #awaited: () => void

  /**
   * @param answer resolves when PostgreSQL has answered
   * @param awaited called whenever somebody awaits the answer
   */
  constructor(answer: Promise<T>, awaited: () => void) {
    this.#answer = answer
    this.#awaited = awaited
    // A failed batch rejects all its answers, also those that nobody waits for; the transaction itself reports it.
    answer.catch(() => {})
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what it is for
  then<A = T, B = never>(
    onAnswer?: ((value: T) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#awaited()
    return this.#answer.then(onAnswer, onError)
  }
}

/** A statement that waits to be sent, or for its rows. */
interface Question extends AskedStatement {
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** An answer that decides whether the transaction may be committed. */
interface Check {
  readonly answer: Promise<unknown>
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
  #connection: Promise<Connection> | undefined
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

  constructor(pool: Pool, projectId: string) {
    this.#pool = pool
    this.#projectId = projectId
  }

  /** Queues statements. Nothing is committed before an answer that may be refused was made. */
  ask<A>({ statements, toAnswer, refuses }: Ask<A>): DeferredResult<A> {
    const rows = statements.map((each) => this.#add(this.#queue, each))
    const answer = Promise.all(rows).then(toAnswer)
    const check: Check = { answer, isAwaited: false, last: this.#queue.at(-1) }
    if (refuses !== 'nothing') this.#checks.push(check)
    return new DeferredResult(answer, () => {
      check.isAwaited = true
      this.#flushSoon()
    })
  }

  /** Queues statements to be sent behind all others, with the commit. Nobody waits for them. */
  askLast({ statements }: Ask<unknown>): void {
    for (const each of statements) this.#add(this.#last, each).catch(() => undefined)
  }

  /** Makes the answers that decide whether the transaction may be committed, and that nobody awaited. */
  async verify(): Promise<void> {
    for (const { isAwaited, answer, last } of this.#checks) {
      if (isAwaited) continue
      // Its statements were sent already, and only the answers are missing. Later statements go with the commit.
      if (last !== undefined && this.#queue.includes(last)) this.#flushSoon()
      await answer
    }
  }

  /** Whether statements wait that are sent behind all others. */
  get hasLast(): boolean {
    return this.#last.length > 0
  }

  /** What made PostgreSQL end the transaction, if anything. */
  get failure(): unknown {
    return this.#failure
  }

  /**
   * Runs `work` and commits, or rolls back and throws what went wrong. Called once. Where nobody awaited anything, all is
   * sent at once, without BEGIN and COMMIT: PostgreSQL runs what stands before one Sync as one transaction (decision 0002).
   */
  async transact<T>(work: () => T | PromiseLike<T>): Promise<T> {
    try {
      const value = await work()
      await this.verify()
      await this.#commit()
      if (this.#writesOutbox) outboxWritten(this.#pool)
      return value
    } catch (error) {
      await this.#rollback()
      throw error
    } finally {
      this.#ended = true
      const connection = await this.#connection?.catch(() => undefined)
      connection?.release()
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
    const left = [...this.#queue.splice(0), ...this.#last.splice(0)]
    if (this.#began) return this.#send([], left, [COMMIT])
    if (left.length > 0) await this.#send([setProject(this.#pool, this.#projectId)], left, [])
  }

  async #rollback(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined)
    if (!this.#began || connection === undefined || connection.isBroken) return
    const { failure } = await connection.run([ROLLBACK])
    if (failure !== undefined) connection.break()
  }

  #begin(): Bound[] {
    if (this.#began) return []
    this.#began = true
    return [BEGIN, setProject(this.#pool, this.#projectId)]
  }

  async #send(before: Bound[], questions: Question[], after: Bound[]): Promise<void> {
    try {
      if (this.#ended)
        throw new TypeError('this transaction has ended: its context must not leave its function')
      const bound = questions.map((question) => question.bound)
      const results = await this.#sendOver([...before, ...bound, ...after])
      for (const [index, { resolve }] of questions.entries()) resolve(results[before.length + index] ?? [])
    } catch (error) {
      const statements = questions.map(({ statement }) => statement)
      const known = translate(error, statements)
      this.#failure ??= known
      // What follows a failure fails because of it.
      const cause = this.#ended ? known : this.#failure
      for (const question of questions) question.reject(cause)
      throw cause
    }
  }

  async #sendOver(batch: Bound[]): Promise<readonly Rows[]> {
    this.#connection ??= connectionsOf(this.#pool).take(this.#projectId)
    const { results, failure } = await (await this.#connection).run(batch)
    if (failure !== undefined) throw failure
    return results
  }
}
