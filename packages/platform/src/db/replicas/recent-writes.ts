import { LRUCache } from 'lru-cache'
import type { RedisClient } from '../../redis/connect-redis.ts'

/**
 * Who has written lately. A writer reads from the primary for as long as a replica may be behind. Processes that share
 * a Redis mark writers there, before they answer a write.
 */
export class RecentWrites {
  readonly #redis: RedisClient | undefined
  readonly #keptMs: number
  readonly #onError: (error: unknown) => void
  /** Those who have written through this process. */
  readonly #marks: LRUCache<string, true>

  /**
   * @param keptMs how long a write counts; replicas that are further behind must not be read
   * @param onError called where Redis cannot be asked
   */
  constructor(redis: RedisClient | undefined, keptMs: number, onError: (error: unknown) => void) {
    this.#redis = redis
    this.#keptMs = Math.ceil(keptMs)
    this.#onError = onError
    const perf = { now: () => performance.now() }
    this.#marks = new LRUCache({ ttl: this.#keptMs, ttlAutopurge: true, ttlResolution: 0, perf })
  }

  /** Notes that these have written and committed. Resolves when other processes can know it. */
  async note(writers: readonly string[]): Promise<void> {
    for (const writer of writers) this.#marks.set(writer, true)
    const marked = writers.map((writer) => this.#redis?.set(keyOf(writer), '1', 'PX', this.#keptMs))
    await Promise.all(marked).catch(this.#onError)
  }

  /** Whether any of these has written lately; also true while Redis cannot be asked. */
  async haveWritten(writers: readonly string[]): Promise<boolean> {
    if (writers.some((writer) => this.#marks.has(writer))) return true
    if (this.#redis === undefined) return false
    try {
      const marks = await Promise.all(writers.map((writer) => this.#redis?.exists(keyOf(writer))))
      return marks.some((mark) => mark === 1)
    } catch (error) {
      this.#onError(error)
      return true
    }
  }
}

const keyOf = (writer: string): string => `wrote:${writer}`
