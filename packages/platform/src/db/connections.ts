import type { Pool, PoolClient } from 'pg'
import { ApiError } from '../errors.ts'
import { FairSemaphore } from '../threads/fair-semaphore.ts'
import { type BatchOutcome, type Bound, runBatch } from './batch.ts'
import { type Reader, runFor } from './cancel.ts'
import { ConnectionUse } from './connection-use.ts'
import { isReadOnly, isRefused, translate, unavailable } from './pg-errors.ts'
import { perPool } from './pool.ts'

/** A connection while somebody uses it. It notices by itself when it cannot be used again. */
export class Connection {
  readonly #client: PoolClient
  readonly #onRelease: () => void
  #isBroken = false

  constructor(client: PoolClient, onRelease: () => void) {
    this.#client = client
    this.#onRelease = onRelease
  }

  /** Whether it is closed when it is released. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Runs statements in one round trip. @param reader who waits for it: cancelled when its client has gone */
  async run(batch: readonly Bound[], reader?: Reader): Promise<BatchOutcome> {
    const client = this.#client
    const outcome = await (reader
      ? runFor(reader, client, batch, () => this.break())
      : runBatch(client, batch))
    // The next connection may find the server that takes writes.
    const { failure } = outcome
    if (failure !== undefined && (isReadOnly(failure) || !isUsableAfter(failure))) this.break()
    return outcome
  }

  /** Its state is unknown. */
  break(): void {
    this.#isBroken = true
  }

  release(): void {
    this.#client.release(this.#isBroken)
    this.#onRelease()
  }
}

/** Whether a connection can be used again: a TypeError is of a row that could not be read. */
export const isUsableAfter = (failure: unknown): boolean => isRefused(failure) || failure instanceof TypeError

/** Milliseconds after a request of another project in which a project is not alone. */
const BESIDE_MS = 1_000

/**
 * How many connections one project can have at a time: a quarter is left to others, also while each of its statements takes
 * seconds. A pool of three or less has none to leave.
 */
const mostAlone = (connections: number): number => connections - Math.floor(connections / 4)

/** The same while others ask, too: statements that are heavy take the processor of the database from theirs. */
const mostBeside = (connections: number): number =>
  Math.max(Math.min(3, mostAlone(connections)), Math.floor(connections / 2))

/** The same of a project that is busy with long statements, each of which has a core of the database for as long. */
const mostWithLong = (connections: number): number =>
  Math.min(mostBeside(connections), Math.max(2, Math.floor(connections / 5)))

/**
 * Hands out the connections of a pool. No project has all of them. While all are in use, projects take turns: the pool
 * itself serves the first in line, so a project with many requests would delay all others.
 */
class Connections {
  readonly #pool: Pool
  readonly #turns: FairSemaphore
  readonly #use = new ConnectionUse()
  /** Turns that wait for the pool. */
  #connecting = 0
  /** The project that asked last, and when it was another one. */
  #last: string | undefined
  #changedAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool) {
    const { max, connectionTimeoutMillis: waitMs } = pool.options
    this.#pool = pool
    this.#turns = new FairSemaphore({
      slots: max,
      perProject: (projectId) => {
        if (this.#isOneAlone()) return mostAlone(max)
        return this.#use.isLong(projectId) ? mostWithLong(max) : mostBeside(max)
      },
      waiting: Number.POSITIVE_INFINITY,
      busy: 'All connections to the database are in use',
      ...(waitMs && { waitMs }),
    })
  }

  /** How many wait. */
  get waitingCount(): number {
    return this.#turns.waitingCount
  }

  /** Of projects that share a connection, the one whose turn comes first: it uses the fewest. */
  firstOf(projectIds: readonly string[]): string {
    return projectIds.reduce((one, other) =>
      this.#turns.inUse(other) < this.#turns.inUse(one) ? other : one,
    )
  }

  /**
   * A connection, when the project's turn has come. Release it.
   * @throws ApiError 503 after the time that the pool allows
   */
  async take(projectId: string): Promise<Connection> {
    const asker = { projectId }
    if (this.#last !== undefined && this.#last !== projectId) this.#changedAt = performance.now()
    this.#last = projectId
    const hasTurn = this.#turns.take(asker)
    if (!(hasTurn === true || (await hasTurn))) throw this.#noneInTime(projectId)
    const begun = performance.now()
    const release = () => {
      this.#use.note(projectId, performance.now() - begun)
      this.#turns.release(asker)
    }
    this.#connecting += 1
    try {
      return new Connection(await this.#pool.connect(), release)
    } catch (error) {
      release()
      throw translate(error, [])
    } finally {
      this.#connecting -= 1
    }
  }

  #noneInTime(projectId: string): ApiError {
    // Of a database that does not answer nobody knows how many requests are too many.
    if (this.#connecting > 0 || !this.#turns.hasAll(projectId))
      return unavailable(new Error('no connection became free in time'))
    const message = 'This project has too many requests at once: wait for some of them, then try again'
    return new ApiError(503, 'UNAVAILABLE', message, { headers: { 'retry-after': '1' } })
  }

  #isOneAlone(): boolean {
    return performance.now() - this.#changedAt > BESIDE_MS
  }

  /** Runs statements in one round trip. @throws ApiError 503 where there is no connection */
  async run(projectId: string, batch: readonly Bound[], reader?: Reader): Promise<BatchOutcome> {
    const connection = await this.take(projectId)
    try {
      return await connection.run(batch, reader)
    } finally {
      connection.release()
    }
  }
}

/** The connections of a pool. */
export const connectionsOf = perPool((pool) => new Connections(pool))
