import type { RedisClient } from '../../redis/connect-redis.ts'

/**
 * Who has written lately: whoever has reads from the primary for as long as a replica may be behind. Where several
 * processes share a Redis, each marks a writer there before a write is answered.
 */
export class RecentWrites {
  readonly #redis: RedisClient | undefined
  readonly #keptMs: number
  readonly #onError: (error: unknown) => void
  /** By writer, the moment of this process's clock until which the mark counts; the oldest first. */
  readonly #marks = new Map<string, number>()

  /**
   * @param keptMs how long a write counts; replicas that are further behind must not be read
   * @param onError called where Redis cannot be asked
   */
  constructor(redis: RedisClient | undefined, keptMs: number, onError: (error: unknown) => void) {
    this.#redis = redis
    this.#keptMs = keptMs
    this.#onError = onError
  }

  /** Notes that these have written and committed. Resolves when other processes can know it. */
  async note(writers: readonly string[]): Promise<void> {
    const now = performance.now()
    for (const [writer, until] of this.#marks) {
      if (until > now) break
      this.#marks.delete(writer)
    }
    for (const writer of writers) {
      // The newest mark stands last.
      this.#marks.delete(writer)
      this.#marks.set(writer, now + this.#keptMs)
    }
    const keptMs = Math.ceil(this.#keptMs)
    const marked = writers.map((writer) => this.#redis?.set(keyOf(writer), '1', 'PX', keptMs))
    await Promise.all(marked).catch(this.#onError)
  }

  /** Whether any of these has written lately; also true while Redis cannot be asked. */
  async haveWritten(writers: readonly string[]): Promise<boolean> {
    const now = performance.now()
    if (writers.some((writer) => (this.#marks.get(writer) ?? 0) > now)) return true
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
