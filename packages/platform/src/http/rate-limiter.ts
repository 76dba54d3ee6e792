import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

const WINDOW_SECONDS = 60

/** Something that may be done so many times a minute: by whom, and how often. */
export interface Limit {
  /** What is counted: it names the policy in the headers. */
  readonly policy: 'key' | 'address'
  /** Who is counted. */
  readonly id: string
  /** Times per minute. */
  readonly points: number
}

/** Where a limit stands after a request. */
export interface Standing {
  readonly limit: Limit
  readonly allowed: boolean
  readonly remaining: number
  readonly msToReset: number
}

/**
 * Counts requests in windows of a minute: over all API processes with Redis, in this process without. While Redis is
 * away it counts in this process, and requests go on.
 */
export class RateLimiter {
  readonly #redis: Redis | undefined
  readonly #limiters = new Map<number, RateLimiterAbstract>()

  constructor(redis: Redis | undefined) {
    this.#redis = redis
  }

  /** Counts one request against a limit. */
  async take(limit: Limit): Promise<Standing> {
    const outcome = await this.#limiter(limit.points)
      .consume(`${limit.policy}:${limit.id}`)
      .then(
        (result) => ({ result, allowed: true }),
        (refusal) => ({ result: refusal, allowed: false }),
      )
    // Anything but a refusal is a fault of the limiter itself.
    if (!(outcome.result instanceof RateLimiterRes)) throw outcome.result
    const { remainingPoints, msBeforeNext } = outcome.result
    return { limit, allowed: outcome.allowed, remaining: remainingPoints, msToReset: msBeforeNext }
  }

  #limiter(points: number): RateLimiterAbstract {
    let limiter = this.#limiters.get(points)
    if (!limiter) {
      const options = { points, duration: WINDOW_SECONDS, keyPrefix: `limit:${points}` }
      const inProcess = new RateLimiterMemory(options)
      limiter = this.#redis
        ? new RateLimiterRedis({
            ...options,
            storeClient: this.#redis,
            rejectIfRedisNotReady: true,
            insuranceLimiter: inProcess,
          })
        : inProcess
      this.#limiters.set(points, limiter)
    }
    return limiter
  }
}

/** The headers that describe a limit: the established `X-RateLimit-*` and the IETF's `RateLimit` fields. */
export function limitHeaders({ limit, remaining, msToReset }: Standing): Record<string, string> {
  const seconds = Math.max(1, Math.ceil(msToReset / 1_000))
  return {
    'x-ratelimit-limit': String(limit.points),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil((Date.now() + msToReset) / 1_000)),
    ratelimit: `"${limit.policy}";r=${remaining};t=${seconds}`,
    'ratelimit-policy': `"${limit.policy}";q=${limit.points};w=${WINDOW_SECONDS}`,
  }
}
