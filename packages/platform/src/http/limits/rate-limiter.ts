import type { Redis } from 'ioredis'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'

const WINDOW_SECONDS = 60

/** Something that may be done so many times in a window: by whom, and how often. */
export interface Limit {
  /** What is counted: it names the policy in the headers. */
  readonly policy: 'key' | 'member' | 'address' | 'authentication' | 'account'
  /** Who is counted. */
  readonly id: string
  /** Times per window. */
  readonly points: number
  /** A minute where omitted. */
  readonly windowSeconds?: number
}

/** Where a limit stands after a request. */
export interface RateLimitState {
  readonly limit: Limit
  readonly allowed: boolean
  readonly remaining: number
  readonly msToReset: number
}

/** What a window says after some were taken. */
interface Used {
  readonly taken: number
  readonly consumed: number
  readonly msToReset: number
}

/** What requests take of one limit together. */
interface Taking {
  readonly limit: Limit
  count: number
  readonly used: PromiseWithResolvers<Used>
}

/**
 * Counts requests in windows: over all API processes with Redis, in this process without. While Redis is away it counts
 * in this process, and requests go on.
 */
export class RateLimiter {
  readonly #redis: Redis | undefined
  readonly #limiters = new Map<string, RateLimiterAbstract>()
  /** What is about to be taken in this turn of the event loop, by limit and who. */
  #turn = new Map<string, Taking>()

  constructor(redis: Redis | undefined) {
    this.#redis = redis
  }

  /** Counts one against a limit. */
  async take(limit: Limit): Promise<RateLimitState> {
    if (!this.#redis) return this.#consume(limit, 1).then((used) => standingAfter(limit, used, used.consumed))
    const key = `${prefixOf(limit)}:${keyOf(limit)}`
    let taking = this.#turn.get(key)
    if (!taking) {
      taking = { limit, count: 0, used: Promise.withResolvers<Used>() }
      if (this.#turn.size === 0) setImmediate(() => this.#countAll())
      this.#turn.set(key, taking)
    }
    const place = ++taking.count
    const used = await taking.used.promise
    return standingAfter(limit, used, used.consumed - used.taken + place)
  }

  /** What came in the same turn goes to Redis as one: a busy key costs it few commands. */
  #countAll(): void {
    const turn = this.#turn
    this.#turn = new Map()
    for (const { limit, count, used } of turn.values())
      this.#consume(limit, count).then(used.resolve, used.reject)
  }

  async #consume(limit: Limit, taken: number): Promise<Used> {
    const result = await this.#limiter(limit)
      .consume(keyOf(limit), taken)
      // A refusal is counted too.
      .catch((refusal) => refusal)
    // Anything but a refusal is a fault of the limiter itself.
    if (!(result instanceof RateLimiterRes)) throw result
    return { taken, consumed: result.consumedPoints, msToReset: result.msBeforeNext }
  }

  /** Where a limit stands, without counting; not allowed where nothing is left. */
  async look(limit: Limit): Promise<RateLimitState> {
    const result = await this.#limiter(limit).get(keyOf(limit))
    const remaining = Math.max(0, result?.remainingPoints ?? limit.points)
    return { limit, allowed: remaining > 0, remaining, msToReset: result?.msBeforeNext ?? 0 }
  }

  /** Forgets what was counted. */
  async clear(limit: Limit): Promise<void> {
    await this.#limiter(limit).delete(keyOf(limit))
  }

  #limiter(limit: Limit): RateLimiterAbstract {
    const { points, windowSeconds = WINDOW_SECONDS } = limit
    const keyPrefix = prefixOf(limit)
    let limiter = this.#limiters.get(keyPrefix)
    if (!limiter) {
      const options = { points, duration: windowSeconds, keyPrefix }
      const inProcess = new RateLimiterMemory(options)
      limiter = this.#redis
        ? new RateLimiterRedis({
            ...options,
            storeClient: this.#redis,
            rejectIfRedisNotReady: true,
            insuranceLimiter: inProcess,
          })
        : inProcess
      this.#limiters.set(keyPrefix, limiter)
    }
    return limiter
  }
}

const keyOf = (limit: Limit) => `${limit.policy}:${limit.id}`
const prefixOf = ({ points, windowSeconds = WINDOW_SECONDS }: Limit) =>
  `limit:${points}${windowSeconds === WINDOW_SECONDS ? '' : `/${windowSeconds}`}`

/** @param consumed all that was taken in this window, up to this one and with it */
function standingAfter(limit: Limit, { msToReset }: Used, consumed: number): RateLimitState {
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
