import { Cluster, Redis } from 'ioredis'
import { type RedisPlace, readRedisPlace } from './redis-place.ts'

/** A Redis, or a cluster of them. */
export type RedisClient = Redis | Cluster

/** What a client is for decides how long it waits. */
export interface RedisUse {
  readonly connectionName: string
  readonly keyPrefix?: string
  readonly enableOfflineQueue: boolean
  readonly maxRetriesPerRequest: number | null
  /** Milliseconds. */
  readonly commandTimeout?: number
  /** Milliseconds without an answer after which a connection is closed. */
  readonly socketTimeout?: number
  readonly autoResendUnfulfilledCommands?: boolean
  readonly enableAutoPipelining?: boolean
  readonly retryStrategy?: (times: number) => number
}

/** How often a cluster asks again where a slot is, when nobody may wait; and when somebody may. */
const FEW_REDIRECTIONS = 2
const MANY_REDIRECTIONS = 16

/**
 * Connects to what REDIS_URL names: the one way to a Redis, for limits and for queues.
 * @param onError called with errors of connections, which are made again
 */
export function connectRedis(url: string, use: RedisUse, onError: (error: Error) => void): RedisClient {
  const place = readRedisPlace(url)
  if (place === undefined) throw new TypeError('REDIS_URL cannot be read')
  const client = open(place, use)
  return client.on('error', onError) as RedisClient
}

function open(place: RedisPlace, use: RedisUse): RedisClient {
  const { username, password, db, isEncrypted } = place
  const options = {
    keepAlive: 10_000,
    ...use,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: {} }),
  }
  if (place.kind === 'one') return new Redis({ ...options, ...place.node, db })
  if (place.kind === 'sentinel') {
    const { sentinels, name, sentinelPassword } = place
    return new Redis({
      ...options,
      db,
      sentinels: [...sentinels],
      name,
      ...(sentinelPassword !== undefined && { sentinelPassword }),
      ...(isEncrypted && { enableTLSForSentinelMode: true }),
      // A master that is dead still accepts nothing: ask the sentinels again soon.
      sentinelRetryStrategy: use.retryStrategy ?? ((times) => Math.min(50 * times, 1_000)),
    })
  }
  const waits = use.maxRetriesPerRequest === null
  const { keyPrefix, enableOfflineQueue, retryStrategy, ...ofNodes } = options
  return new Cluster([...place.nodes], {
    redisOptions: ofNodes,
    ...(keyPrefix !== undefined && { keyPrefix }),
    ...(retryStrategy && { clusterRetryStrategy: retryStrategy }),
    enableOfflineQueue,
    enableAutoPipelining: use.enableAutoPipelining ?? false,
    maxRedirections: waits ? MANY_REDIRECTIONS : FEW_REDIRECTIONS,
    slotsRefreshTimeout: 2_000,
    // How soon it is noticed that slots have moved.
    slotsRefreshInterval: 5_000,
    // The certificates name hosts, so hosts are connected to and not their addresses.
    ...(isEncrypted && { dnsLookup: (host, done) => done(null, host) }),
  })
}

/** What Redis itself says begins with a code. */
const SENTENCES: Readonly<Record<string, string>> = {
  MOVED: 'REDIS_URL names one node of a Redis Cluster: name several of its nodes, separated by commas',
  NOAUTH: 'Redis asks for a password that REDIS_URL does not have',
  WRONGPASS: 'Redis refuses the user or the password of REDIS_URL',
}

/** An error as the log has it: with a sentence in place of what Redis says of a REDIS_URL that does not fit. */
export function explainRedis(error: unknown): unknown {
  const code = error instanceof Error ? error.message.split(' ')[0] : undefined
  const sentence = SENTENCES[code ?? '']
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}
