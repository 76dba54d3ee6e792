import type { Pool, PoolClient } from 'pg'
import { perPool } from './pool.ts'

interface Waiter {
  readonly begin: () => void
  /** Undefined where the pool sets no limit. */
  readonly timer: NodeJS.Timeout | undefined
}

/**
 * Hands out the connections of a pool. While all are in use, projects take turns: the pool itself serves whoever asked
 * first, so that a project which asks for much would make all others wait behind it.
 */
class FairConnections {
  readonly #pool: Pool
  #inUse = 0
  /** Those who wait, by project; it is the first project's turn. */
  readonly #waiting = new Map<string, Waiter[]>()

  constructor(pool: Pool) {
    this.#pool = pool
  }

  /** How many wait. */
  get waitingCount(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  /**
   * A connection, when the project's turn has come. Give it back.
   * @throws Error after the time that the pool allows
   */
  async take(projectId: string): Promise<PoolClient> {
    // Whoever hands on a connection leaves it counted as in use.
    if (this.#inUse >= this.#pool.options.max) await this.#turn(projectId)
    else this.#inUse += 1
    try {
      return await this.#pool.connect()
    } catch (error) {
      this.#handOn()
      throw error
    }
  }

  /** @param destroy whether the connection must not be used again */
  giveBack(client: PoolClient, destroy: boolean): void {
    client.release(destroy)
    this.#handOn()
  }

  #turn(projectId: string): Promise<void> {
    return new Promise((begin, fail) => {
      const own = this.#waiting.get(projectId) ?? []
      const giveUp = () => {
        own.splice(own.indexOf(waiter), 1)
        if (own.length === 0) this.#waiting.delete(projectId)
        fail(new Error('no connection became free in time'))
      }
      const { connectionTimeoutMillis: limit } = this.#pool.options
      const timer = limit ? setTimeout(giveUp, limit) : undefined
      const waiter = { begin, timer }
      own.push(waiter)
      this.#waiting.set(projectId, own)
    })
  }

  #handOn(): void {
    const [first] = this.#waiting
    const waiter = first?.[1].shift()
    if (first === undefined || waiter === undefined) {
      this.#inUse -= 1
      return
    }
    const [projectId, others] = first
    // The project's next one waits until all other projects have had a turn.
    this.#waiting.delete(projectId)
    if (others.length > 0) this.#waiting.set(projectId, others)
    clearTimeout(waiter.timer)
    waiter.begin()
  }
}

/** The connections of a pool. */
export const connectionsOf = perPool((pool) => new FairConnections(pool))
