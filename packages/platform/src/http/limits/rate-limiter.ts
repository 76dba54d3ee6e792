import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

import type { RedisClient } from '../../redis/connect-redis.ts'
import { Batcher, type Pending } from '../../threads/batcher.ts'

const WINDOW_SECONDS = 60

/** A limit: how often somebody may do something in a window of time. */
export interface Limit {
  /** What is counted: it names the policy in the headers. */
  readonly policy: 'key' | 'member' | 'address' | 'authentication' | 'account' | 'operator'
  /** Who is counted. */
  readonly id: string
  /** Times per window. */
  readonly points: number
  /** A minute where omitted. */
  readonly windowSeconds?: number
  /** What is counted, in words for the client; the policy's own words where omitted. */
  readonly counts?: string
}

/** The state of a limit after a request. */
export interface RateLimitState {
  readonly limit: Limit
  readonly allowed: boolean
  readonly remaining: number
  readonly msToReset: number
}

/** The state of a window after some points were taken. */
interface Used {
  /** All that was taken in this window. */
  readonly consumed: number
  readonly msToReset: number
}

/** The counters of one limit: the shared one of all processes, where there is a Redis, and the one of this process. */
interface Limiters {
  readonly shared: RateLimiterAbstract | undefined
  readonly own: RateLimiterAbstract
}

/**
 * Counts requests in windows: across all API processes with Redis, in this process without. While Redis is unreachable
 * it counts in this process, and requests are served.
 */
export class RateLimiter {
  readonly #redis: RedisClient | undefined
  readonly #onFallback: (error: unknown) => void
  readonly #onShared: () => void
  readonly #limiters = new Map<string, Limiters>()
  /** Requests of the same turn of the event loop are sent to Redis as one command, so that a busy key costs few commands. */
  readonly #commands = new Batcher<Limit, RateLimitState>({
    begins: 'end of turn',
    keyOf: (limit) => `${prefixOf(limit)}:${keyOf(limit)}`,
    overlapAt: 1,
    work: (batch) => this.#countTogether(batch),
  })

  /**
   * @param onFallback called with the reason why a limit is counted in this process although there is a Redis
   * @param onShared called whenever Redis has counted
   */
  constructor(
    redis: RedisClient | undefined,
    onFallback: (error: unknown) => void = () => {},
    onShared: () => void = () => {},
  ) {
    this.#onShared = onShared
    this.#redis = redis
    this.#onFallback = onFallback
  }

  /** Counts one against a limit. */
  async take(limit: Limit): Promise<RateLimitState> {
    if (!this.#redis) return stateAfter(limit, await this.#consume(limit, 1))
    return this.#commands.add(limit)
  }

  /** Counts requests against one limit, in the order in which they came. */
  async #countTogether(batch: readonly Pending<Limit, RateLimitState>[]): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    const { consumed, msToReset } = await this.#consume(first.item, batch.length)
    for (const [n, { item, resolve }] of batch.entries())
      resolve(stateAfter(item, { consumed: consumed - batch.length + n + 1, msToReset }))
  }

  async #consume(limit: Limit, taken: number): Promise<Used> {
    const { consumedPoints, msBeforeNext } = await this.#count(limit, (limiter) =>
      limiter.consume(keyOf(limit), taken).catch((refusal: unknown) => {
        // A refused request is counted too. Any other error is a fault of the limiter itself.
        if (refusal instanceof RateLimiterRes) return refusal
        throw refusal
      }),
    )
    return { consumed: consumedPoints, msToReset: msBeforeNext }
  }

  /** The state of a limit, without counting; not allowed where nothing is left. */
  async look(limit: Limit): Promise<RateLimitState> {
    const result = await this.#count(limit, (limiter) => limiter.get(keyOf(limit)))
    const remaining = Math.max(0, result?.remainingPoints ?? limit.points)
    return { limit, allowed: remaining > 0, remaining, msToReset: result?.msBeforeNext ?? 0 }
  }

  /** Takes one count back. */
  async giveBack(limit: Limit): Promise<void> {
    await this.#count(limit, (limiter) => limiter.reward(keyOf(limit), 1))
  }

  /** Forgets what was counted. */
  async clear(limit: Limit): Promise<void> {
    await this.#count(limit, (limiter) => limiter.delete(keyOf(limit)))
  }

  /** Counts across all processes if Redis answers, else in this process. */
  async #count<T>(limit: Limit, count: (limiter: RateLimiterAbstract) => Promise<T>): Promise<T> {
    const { shared, own } = this.#limiters.get(prefixOf(limit)) ?? this.#make(limit)
    if (!shared) return count(own)
    try {
      const counted = await count(shared)
      this.#onShared()
      return counted
    } catch (error) {
      this.#onFallback(error)
      return count(own)
    }
  }

  #make(limit: Limit): Limiters {
    const { points, windowSeconds = WINDOW_SECONDS } = limit
    const options = { points, duration: windowSeconds, keyPrefix: prefixOf(limit) }
    const own = new RateLimiterMemory(options)
    const shared =
      this.#redis &&
      new RateLimiterRedis({ ...options, storeClient: this.#redis, rejectIfRedisNotReady: true })
    const limiters = { own, shared }
    this.#limiters.set(prefixOf(limit), limiters)
    return limiters
  }
}

const keyOf = (limit: Limit) => `${limit.policy}:${limit.id}`
const prefixOf = ({ points, windowSeconds = WINDOW_SECONDS }: Limit) =>
  `limit:${points}${windowSeconds === WINDOW_SECONDS ? '' : `/${windowSeconds}`}`

function stateAfter(limit: Limit, { consumed, msToReset }: Used): RateLimitState {
  const left = limit.points - consumed
  return { limit, allowed: left >= 0, remaining: Math.max(0, left), msToReset }
}

/** The headers that describe a limit: the established `X-RateLimit-*` and the IETF's `RateLimit` fields. */
export function limitHeaders({ limit, remaining, msToReset }: RateLimitState): Record<string, string> {
  const { policy, points, windowSeconds = WINDOW_SECONDS } = limit
  const seconds = Math.max(1, Math.ceil(msToReset / 1_000))
  return {
    'x-ratelimit-limit': String(points),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + msToReset) / 1_000)),
    ratelimit: `"${policy}";r=${remaining};t=${seconds}`,
    'ratelimit-policy': `"${policy}";q=${points};w=${windowSeconds}`,
  }
}
