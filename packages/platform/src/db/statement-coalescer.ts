import type { Pool } from 'pg'
import { type BatchOutcome, type Bound, type Rows, runBatch } from './batch.ts'
import {
  apart,
  assertProjects,
  isUndone,
  type Part,
  type Step,
  toSteps,
  UnsharedProjects,
} from './batch-steps.ts'
import { connectionsOf } from './fair-connections.ts'
import { isReadOnly } from './outage.ts'
import type { StatementGroup } from './statement.ts'

/**
 * Statements of one batch at most. A larger batch gains nothing (measured: 4, 8, 16), and its last statements wait
 * longer.
 */
const MOST = 8

/** What a statement belongs to. */
export interface BatchKey {
  readonly projectId: string
  readonly group: StatementGroup
}

/** One statement that somebody asked. */
export interface Asked extends Part {
  readonly group: StatementGroup
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends the statements that requests ask in the same turn of the event loop as one batch over one connection. Most of
 * the cost of a short statement is the write to the socket, the wake-up of PostgreSQL, and the commit (decision 0022).
 *
 * A batch is ordered by project, and the project is set anew before the statements of each. Lookups share with all
 * lookups, and writes with their own group. A write that has to wait for a row does not hold up others: the batch is undone,
 * and each project's writes are done by themselves.
 */
export class StatementCoalescer {
  readonly #pool: Pool
  readonly #toSteps: typeof toSteps<Asked>
  /** The statements of this turn. */
  #pending: Asked[] = []
  readonly #unshared = new UnsharedProjects()

  /** @param steps what a batch is made of; tests pass one that is broken */
  constructor(pool: Pool, steps: typeof toSteps<Asked> = toSteps) {
    this.#pool = pool
    this.#toSteps = steps
  }

  /** Runs one statement, in a transaction of its own or shared with others. */
  ask({ projectId, group }: BatchKey, bound: Bound): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    // The batch is sent after all events of the sockets in this turn.
    if (this.#pending.length === 0) setImmediate(() => this.#flush())
    this.#pending.push({ projectId, group, statements: [bound], resolve, reject })
    return promise
  }

  #flush(): void {
    const pending = this.#pending
    this.#pending = []
    const groups = Map.groupBy(pending, ({ projectId, group }) =>
      group !== 'lookup' && this.#unshared.has(projectId) ? `${group} ${projectId}` : group,
    )
    for (const together of groups.values()) {
      const send = together[0]?.group === 'lookup' ? this.#sendLookups : this.#sendWrites
      for (const batch of chunks(byProject(together)))
        send.call(this, batch).catch((error) => {
          for (const { reject } of batch) reject(error)
        })
    }
  }

  /** Statements that only read: what was answered before one that failed is valid, and what is behind it is asked again. */
  async #sendLookups(batch: readonly Asked[]): Promise<void> {
    let left = batch
    while (left.length > 0) {
      const steps = this.#toSteps(left, 'read')
      const { results, failure } = await this.#run(steps)
      if (failure === undefined) return settle(steps, results)
      settle(steps.slice(0, results.length), results)
      const [failed, ...behind] = steps.slice(results.length).flatMap(({ part }) => part ?? [])
      // Where the connection is lost, nobody is to blame, and PostgreSQL may be away: all others fail too.
      if (!isConnected(failure)) throw failure
      failed?.reject(failure)
      left = behind
    }
  }

  /** Statements that write: one that fails undoes them all, so those of each project are run again, and then each alone. */
  async #sendWrites(batch: readonly Asked[]): Promise<void> {
    const steps = this.#toSteps(batch, 'write')
    const { results, failure } = await this.#run(steps)
    if (failure === undefined) return settle(steps, results)
    if (batch.length === 1 || !isUndone(failure)) throw failure
    const failed = steps[results.length]
    if (failed) this.#unshared.add(failed.projectId)
    await Promise.all(
      apart(batch).map((part) =>
        this.#sendWrites(part).catch((error) => {
          for (const { reject } of part) reject(error)
        }),
      ),
    )
  }

  async #run(steps: readonly Step<Asked>[]): Promise<BatchOutcome> {
    const connections = connectionsOf(this.#pool)
    const client = await connections.take(shareOf(steps))
    let connected = false
    try {
      const outcome = await runBatch(
        client,
        steps.map(({ bound }) => bound),
      )
      assertProjects(steps, outcome.results)
      connected =
        outcome.failure === undefined || (isConnected(outcome.failure) && !isReadOnly(outcome.failure))
      return outcome
    } finally {
      // Destroy connections that PostgreSQL closed, and those to a server that takes no writes.
      connections.giveBack(client, !connected)
    }
  }
}

function settle(steps: readonly Step<Asked>[], results: readonly Rows[]): void {
  for (const [index, { part }] of steps.entries()) part?.resolve(results[index] ?? [])
}

/** Whose turn a batch takes: of many projects, that of the first, which asks least. */
const shareOf = ([step]: readonly Step<Asked>[]): string => step?.projectId ?? ''

/** Projects that ask little come first, so that they do not wait for one that asks much. */
const byProject = (asked: readonly Asked[]): Asked[] =>
  [...Map.groupBy(asked, ({ projectId }) => projectId).values()].sort((a, b) => a.length - b.length).flat()

function* chunks(all: readonly Asked[]): Generator<readonly Asked[]> {
  for (let start = 0; start < all.length; start += MOST) yield all.slice(start, start + MOST)
}

/** Whether the connection can be used again: a TypeError is of a row that could not be read. */
const isConnected = (failure: unknown): boolean => isUndone(failure) || failure instanceof TypeError

const coalescers = new WeakMap<Pool, StatementCoalescer>()

/** The coalescer of a pool. */
export function coalescerOf(pool: Pool): StatementCoalescer {
  let found = coalescers.get(pool)
  if (!found) {
    found = new StatementCoalescer(pool)
    coalescers.set(pool, found)
  }
  return found
}
