import { readEnvironment } from '#platform/config.ts'
import type { RateLimitState } from '#platform/http/limits/rate-limiter.ts'
import { findPlace, keysOf } from './operator.ts'

const WAIT_MS = 5_000

/**
 * How often an account was guessed at, as the API processes count it in Redis.
 * @returns undefined where they count by themselves, or Redis does not answer
 */
export async function askGuesses(account: string): Promise<RateLimitState | undefined> {
  const { REDIS_URL } = readEnvironment()
  if (!REDIS_URL) return undefined
  const [{ accountLimit }, { RateLimiter }, { connectRedis }, { redisNamespace }] = await Promise.all([
    import('#areas/auth/passwords/account-limit.ts'),
    import('#platform/http/limits/rate-limiter.ts'),
    import('#platform/redis/connect-redis.ts'),
    import('#platform/redis/redis-namespace.ts'),
  ])
  const place = await findPlace()
  const redis = connectRedis(
    REDIS_URL,
    {
      ...{ connectionName: 'guildhall-why', commandTimeout: WAIT_MS, connectTimeout: WAIT_MS },
      ...{ enableOfflineQueue: true, maxRetriesPerRequest: 1 },
      keyPrefix: `${redisNamespace({ DATABASE_URL: place.databaseUrl, ...keysOf(place) })}:`,
    },
    () => undefined,
  )
  try {
    await redis.ping()
    let isShared = true
    const limiter = new RateLimiter(redis, () => {
      isShared = false
    })
    const state = await limiter.look(accountLimit(account))
    return isShared ? state : undefined
  } catch {
    return undefined
  } finally {
    redis.disconnect()
  }
}
