import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'

/** Statements that travel together. More gain nothing (measured: 4, 8, 16), and those behind wait for those before. */
const MOST = 8

interface Asked {
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends what requests of one project ask in the same turn of the event loop as one batch over one connection: most of
 * what finding or changing a row by its key costs is the writes and wakes on the way to PostgreSQL and back, and the
 * commit (decision 0022). Two projects never share a batch.
 */
export class SharedTrips {
  readonly #pool: Pool
  /** What still takes more, by project. */
  readonly #open = new Map<string, Asked[]>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /**
   * Asks one statement, which is a transaction to itself or part of one with others.
   * @param setProject tells row-level security whose rows these are
   * @param bound takes no longer than finding a row by its key does
   */
  ask(projectId: string, setProject: Bound, bound: Bound): Promise<Rows> {
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const batch = this.#open.get(projectId) ?? this.#begin(projectId, setProject)
    batch.push({ bound, resolve, reject })
    if (batch.length === MOST) this.#open.delete(projectId)
    return promise
  }

  #begin(projectId: string, setProject: Bound): Asked[] {
    const batch: Asked[] = []
    this.#open.set(projectId, batch)
    // Behind all that the sockets had to say in this turn; while every connection is taken, more may still join.
    setImmediate(() => {
      const close = () => {
        if (this.#open.get(projectId) === batch) this.#open.delete(projectId)
        return batch
      }
      this.#send(setProject, close).catch((error) => {
        for (const { reject } of close()) reject(error)
      })
    })
    return batch
  }

  /** @param close answers what is asked, once there is a connection */
  async #send(setProject: Bound, close: () => readonly Asked[]): Promise<void> {
    const client = await this.#pool.connect()
    const asked = close()
    let failure: unknown
    try {
      const results = await new Promise<Rows[]>((resolve, reject) => {
        const bound = [setProject, ...asked.map((each) => each.bound)]
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
    await Promise.all(
      asked.map((each) => this.#send(setProject, () => [each]).catch((error) => each.reject(error))),
    )
  }
}

/** Whether PostgreSQL said that it did nothing. Where it goes away (57P…), it may have committed before. */
const isUndone = (failure: unknown): boolean =>
  failure instanceof pg.DatabaseError && failure.code?.startsWith('57P') !== true

const trips = new WeakMap<Pool, SharedTrips>()

/** The shared trips of a pool. */
export function sharedTripsOf(pool: Pool): SharedTrips {
  let found = trips.get(pool)
  if (!found) {
    found = new SharedTrips(pool)
    trips.set(pool, found)
  }
  return found
}
