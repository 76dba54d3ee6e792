import { LRUCache } from 'lru-cache'
import type { RedisClient } from '../../redis/connect-redis.ts'
import type { ThrottledWarn } from '../../telemetry/throttled-warn.ts'

/**
 * Who has written lately. A writer reads from the primary for as long as a replica may be behind. Processes that share
 * a Redis mark writers there, before they answer a write.
 */
export class RecentWrites {
  readonly #redis: RedisClient | undefined
  readonly #keptMs: number
  readonly #warn: ThrottledWarn
  /** Those who have written through this process. */
  readonly #marks: LRUCache<string, true>

  /**
   * @param keptMs how long a write counts; replicas that are further behind must not be read
   * @param warn told that Redis cannot be asked, and that it answers again
   */
  constructor(redis: RedisClient | undefined, keptMs: number, warn: ThrottledWarn) {
    this.#redis = redis
    this.#keptMs = Math.ceil(keptMs)
    this.#warn = warn
    const perf = { now: () => performance.now() }
    this.#marks = new LRUCache({ ttl: this.#keptMs, ttlAutopurge: true, ttlResolution: 0, perf })
  }

  /** Notes that these have written and committed. Resolves when other processes can know it. */
  async note(writers: readonly string[]): Promise<void> {
    for (const writer of writers) this.#marks.set(writer, true)
    const marked = writers.map((writer) => this.#redis?.set(keyOf(writer), '1', 'PX', this.#keptMs))
    await Promise.all(marked).then(this.#redis && this.#warn.over, this.#warn)
  }

  /** Whether any of these has written lately; also true while Redis cannot be asked. */
  async haveWritten(writers: readonly string[]): Promise<boolean> {
    if (writers.some((writer) => this.#marks.has(writer))) return true
    if (this.#redis === undefined) return false
    try {
      const marks = await Promise.all(writers.map((writer) => this.#redis?.exists(keyOf(writer))))
      this.#warn.over()
      return marks.some((mark) => mark === 1)
    } catch (error) {
      this.#warn(error)
      return true
    }
  }
}

const keyOf = (writer: string): string => `wrote:${writer}`
