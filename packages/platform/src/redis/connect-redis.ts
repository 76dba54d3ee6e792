import { Cluster, Redis } from 'ioredis'
import { CLUSTER_DOWN, explainRedis } from './explain-redis.ts'
import { type RedisPlace, readRedisPlace } from './redis-place.ts'

/** A Redis, or a cluster of them. */
export type RedisClient = Redis | Cluster

/** How long a client waits, by its use. */
export interface RedisUse {
  readonly connectionName: string
  readonly keyPrefix?: string
  readonly enableOfflineQueue: boolean
  readonly maxRetriesPerRequest: number | null
  /** Milliseconds. */
  readonly commandTimeout?: number
  readonly connectTimeout?: number
  /** Milliseconds without an answer after which a connection is closed. */
  readonly socketTimeout?: number
  readonly autoResendUnfulfilledCommands?: boolean
  readonly enableAutoPipelining?: boolean
  readonly retryStrategy?: (times: number) => number
}

/** How often a cluster asks again where a slot is, when nobody may wait; and when somebody may. */
const FEW_REDIRECTIONS = 2
const MANY_REDIRECTIONS = 16
/** Milliseconds until a cluster is asked again, when nobody may wait. */
const SOON_MS = 10

/**
 * Connects to what REDIS_URL names: the one way to a Redis, for limits and for queues.
 * @param onError called with errors of connections, which are made again; each is a sentence where there is one
 */
export function connectRedis(url: string, use: RedisUse, onError: (error: Error) => void): RedisClient {
  const place = readRedisPlace(url)
  if (place === undefined) throw new TypeError('REDIS_URL cannot be read')
  const client = open(place, use)
  const report = (error: unknown) => onError(explainRedis(error, place) as Error)
  if (client instanceof Cluster) {
    client.on('node error', (error: Error, node: string) =>
      onError(ofNode(node, explainRedis(error) as Error)),
    )
    // It asks again and again, and says nothing more, until the nodes that it reaches call themselves a cluster.
    client.on('reconnecting', () => onError(new Error(CLUSTER_DOWN)))
  }
  return client.on('error', report) as RedisClient
}

const ofNode = (node: string, error: Error) =>
  new Error(`The node ${node} of the Redis Cluster does not serve: ${error.message}`, { cause: error })

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
      // The master by TLS, and the sentinels too.
      ...(isEncrypted && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
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
    ...(!waits && {
      retryDelayOnFailover: SOON_MS,
      retryDelayOnClusterDown: SOON_MS,
      retryDelayOnTryAgain: SOON_MS,
    }),
    slotsRefreshTimeout: 2_000,
    // How soon it is noticed that slots have moved.
    slotsRefreshInterval: 5_000,
    // The certificates name hosts, so hosts are connected to and not their addresses.
    ...(isEncrypted && { dnsLookup: (host, done) => done(null, host) }),
  })
}
