import pg, { type Pool } from 'pg'
import { Batch, type Bound, type Rows } from './batch.ts'

/** Lookups that travel together. More gain nothing (measured: 4, 8, 16), and those behind wait for those before. */
const MOST = 8

interface Asked {
  readonly bound: Bound
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sends what requests of one project look up in the same turn of the event loop as one batch over one connection: most
 * of what finding a row by its key costs is the writes and wakes on the way to PostgreSQL and back (decision 0022).
 * Two projects never share a batch.
 */
export class Lookups {
  readonly #pool: Pool
  /** What still takes more, by project. */
  readonly #open = new Map<string, Asked[]>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /**
   * Looks something up.
   * @param setProject tells row-level security whose rows these are
   * @param bound reads, and takes no longer than finding a row by its key does
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
      client.release()
    }
    if (failure === undefined) return
    // One that fails takes those that travel with it along, so each is asked again by itself.
    if (asked.length === 1 || !(failure instanceof pg.DatabaseError)) throw failure
    await Promise.all(
      asked.map((each) => this.#send(setProject, () => [each]).catch((error) => each.reject(error))),
    )
  }
}

const lookups = new WeakMap<Pool, Lookups>()

/** The lookups of a pool. */
export function lookupsOf(pool: Pool): Lookups {
  let found = lookups.get(pool)
  if (!found) {
    found = new Lookups(pool)
    lookups.set(pool, found)
  }
  return found
}
