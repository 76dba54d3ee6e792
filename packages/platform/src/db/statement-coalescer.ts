import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'
import type { StatementGroup } from './statement.ts'

/** Statements that travel together. More gain nothing (measured: 4, 8, 16), and those behind wait for those before. */
const MOST = 8

/** Those that may share a trip. */
interface BatchKey {
  readonly projectId: string
  readonly group: StatementGroup
}

interface Asked {
  readonly key: BatchKey
  /** Tells row-level security whose rows these are. */
  readonly setProject: Bound
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends what requests of one project ask in the same turn of the event loop as one batch over one connection: most of
 * what finding or writing a row costs is the writes and wakes on the way to PostgreSQL and back, and the commit
 * (decision 0022). Two projects never share a batch, and lookups none with inserts.
 */
export class StatementCoalescer {
  readonly #pool: Pool
  /** What was asked in this turn. */
  #pending: Asked[] = []

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** Asks one statement, which is a transaction to itself or part of one with others. */
  ask(key: BatchKey, setProject: Bound, bound: Bound): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    // Behind all that the sockets have to say in this turn.
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
      // One that PostgreSQL said goodbye on is nobody's any more.
      client.release(failure !== undefined && !isUndone(failure))
    }
    if (failure === undefined) return
    // One that fails takes those that travel with it along, so each is asked again by itself.
    if (asked.length === 1 || !isUndone(failure)) throw failure
    await Promise.all(asked.map((each) => this.#send([each]).catch((error) => each.reject(error))))
  }
}

/** Whether PostgreSQL said that it did nothing. Where it goes away (57P…), it may have committed before. */
const isUndone = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.code?.startsWith('57P') !== true

const trips = new WeakMap<Pool, StatementCoalescer>()

/** The shared trips of a pool. */
export function coalescerOf(pool: Pool): StatementCoalescer {
  let found = trips.get(pool)
  if (!found) {
    found = new StatementCoalescer(pool)
    trips.set(pool, found)
  }
  return found
}
