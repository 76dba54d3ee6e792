import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'
import type { StatementGroup } from './statement.ts'

/**
 * Statements of one batch at most. A larger batch gains nothing (measured: 4, 8, 16), and its last statements wait
 * longer.
 */
const MOST = 8

/** Statements that may share a batch. */
interface BatchKey {
  readonly projectId: string
  readonly group: StatementGroup
}

interface Asked {
  readonly key: BatchKey
  /** Tells row-level security which project the rows belong to. */
  readonly setProject: Bound
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends the statements that requests of one project ask in the same turn of the event loop as one batch over one
 * connection. Most of the cost of a short statement is the write to the socket, the wake-up of PostgreSQL, and the
 * commit (decision 0022). Two projects never share a batch, and lookups never share one with inserts.
 */
export class StatementCoalescer {
  readonly #pool: Pool
  /** The statements of this turn. */
  #pending: Asked[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Runs one statement, in a transaction of its own or shared with others. */
  ask(key: BatchKey, setProject: Bound, bound: Bound): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    // The batch is sent after all events of the sockets in this turn.
    if (this.#pending.length === 0) setImmediate(() => this.#flush())
    this.#pending.push({ key, setProject, bound, resolve, reject })
    return promise
  }

  #flush(): void {
    const asked = this.#pending
    this.#pending = []
    const batches = Map.groupBy(asked, ({ key }) => `${key.projectId} ${key.group}`)
    for (const together of batches.values())
      for (let start = 0; start < together.length; start += MOST) {
        const batch = together.slice(start, start + MOST)
        this.#send(batch).catch((error) => {
          for (const { reject } of batch) reject(error)
        })
      }
  }

  /** @param asked of one project */
  async #send(asked: readonly Asked[]): Promise<void> {
    const client = await this.#pool.connect()
    let failure: unknown
    try {
      const results = await new Promise<Rows[]>((resolve, reject) => {
        const bound = [
          ...asked.slice(0, 1).map((each) => each.setProject),
          ...asked.map((each) => each.bound),
        ]
        client.query(new Batch(bound, (error, rows) => (error ? reject(error) : resolve(rows))))
      })
      for (const [index, { resolve }] of asked.entries()) resolve(results[index + 1] ?? [])
    } catch (error) {
      failure = error
    } finally {
      // Destroy connections that PostgreSQL closed.
      client.release(failure !== undefined && !isUndone(failure))
    }
    if (failure === undefined) return
    // One failed statement undoes the whole batch, so each statement is run again alone.
    if (asked.length === 1 || !isUndone(failure)) throw failure
    await Promise.all(asked.map((each) => this.#send([each]).catch((error) => each.reject(error))))
  }
}

/** Whether PostgreSQL reported that nothing was done. Where it shuts down (57P…), it may have committed before. */
const isUndone = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.code?.startsWith('57P') !== true

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
