import { randomUUID } from 'node:crypto'
import type { RedisClient } from '../../redis/connect-redis.ts'

/** A write of somebody, as this process knows it. */
interface Known {
  /** Tells writes apart. */
  readonly mark: string
  /** A moment of this process's clock: the write was committed before it. */
  readonly at: number
}

/**
 * Who has written lately, so that whoever has written sees it. Where several processes share a Redis, each writes a mark
 * there before a write is answered. A process that finds a mark does not know when the write was committed, only that it
 * was before the mark was found: that moment counts. So no clocks are compared.
 */
export class RecentWrites {
  readonly #redis: RedisClient | undefined
  readonly #keptMs: number
  readonly #onError: (error: unknown) => void
  /** By writer, the oldest first. */
  readonly #known = new Map<string, Known>()

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
    const mark = randomUUID()
    for (const writer of writers) this.#remember(writer, mark)
    const redis = this.#redis
    if (redis === undefined) return
    const marks = writers.map((writer) => redis.set(keyOf(writer), mark, 'PX', Math.ceil(this.#keptMs)))
    await Promise.all(marks).catch(this.#onError)
  }

  /**
   * The moment of this process's clock before which these committed what they wrote last. Infinity where that cannot be
   * known.
   */
  async lastOf(writers: readonly string[]): Promise<number> {
    const redis = this.#redis
    if (redis === undefined) return Math.max(...writers.map((writer) => this.#momentOf(writer)))
    try {
      const marks = await Promise.all(writers.map((writer) => redis.get(keyOf(writer))))
      return Math.max(...writers.map((writer, n) => this.#found(writer, marks[n] ?? null)))
    } catch (error) {
      this.#onError(error)
      return Number.POSITIVE_INFINITY
    }
  }

  #found(writer: string, mark: string | null): number {
    if (mark !== null && this.#known.get(writer)?.mark !== mark) this.#remember(writer, mark)
    return this.#momentOf(writer)
  }

  #momentOf(writer: string): number {
    return this.#known.get(writer)?.at ?? Number.NEGATIVE_INFINITY
  }

  #remember(writer: string, mark: string): void {
    const now = performance.now()
    this.#known.delete(writer)
    this.#known.set(writer, { mark, at: now })
    for (const [old, { at }] of this.#known) {
      if (now - at < this.#keptMs) break
      this.#known.delete(old)
    }
  }
}

const keyOf = (writer: string): string => `wrote:${writer}`
