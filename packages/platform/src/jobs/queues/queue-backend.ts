import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type PgPool,
  PostgresQueueBackend,
} from 'bullmq'
import type { Config } from '../../config.ts'
import { LoginPool } from '../../db/login-keys.ts'
import { directUrlOf } from '../../db/pool.ts'
import { connectRedis, type RedisClient } from '../../redis/connect-redis.ts'
import { redisNamespace } from '../../redis/redis-namespace.ts'
import { LANES, type Lane } from './lanes.ts'

/** Where BullMQ keeps its signals: Redis when there is one, else its own schema in our PostgreSQL. */
export interface QueueBackend {
  readonly kind: 'redis' | 'postgres'
  /** What the names of a lane's keys begin with. */
  readonly prefixOf: (lane: Lane) => string
  /** Options of a `Queue`: its commands fail soon instead of waiting. */
  readonly producer: BackendFactory<IQueueBackend, object>
  /** Options of a `Worker`: it waits for jobs, and for the server to come back. */
  readonly consumer: BackendFactory<IQueueBackend, object>
  close(): Promise<void>
}

/** Who hears of connections: of their errors, after which they are replaced automatically, and of those that were made. */
interface Listeners {
  readonly onError: (error: Error) => void
  readonly onConnect: () => void
}

export function openQueueBackend(config: Config, listeners: Listeners): QueueBackend {
  return config.REDIS_URL === undefined
    ? openPostgres(config, listeners)
    : openRedis(config, config.REDIS_URL, listeners)
}

function openRedis(config: Config, url: string, { onError, onConnect }: Listeners): QueueBackend {
  // The next sweep sends a signal that cannot be sent now; nothing may wait for it.
  const producer = connectRedis(
    url,
    {
      connectionName: 'guildhall-signals',
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: 2_000,
      enableAutoPipelining: true,
    },
    onError,
  ).on('ready', onConnect)
  // Made when the first lane is served. It is not one that connects lazily: BullMQ gives up for ever where such a
  // connection fails at first.
  let lanes: RedisClient | undefined
  const consumer = () => {
    lanes ??= connectRedis(
      url,
      {
        connectionName: 'guildhall-lanes',
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        retryStrategy: reconnectAfter,
      },
      onError,
    ).on('ready', onConnect)
    return lanes
  }
  const on =
    (connection: () => RedisClient): BackendFactory<IQueueBackend, object> =>
    (name, opts, options) =>
      createRedisBackend(name, { ...opts, connection: connection() }, options)
  const namespace = redisNamespace(config)
  return {
    kind: 'redis',
    // In braces, all keys of a lane are in one slot of a Redis Cluster, because BullMQ's scripts touch several keys at
    // once; lanes are spread over its nodes.
    prefixOf: (lane) => `{${namespace}-${lane}}`,
    producer: on(() => producer),
    consumer: on(consumer),
    close: async () => {
      producer.disconnect()
      lanes?.disconnect()
    },
  }
}

/** Milliseconds: soon at first, then every second, so that the return of a Redis is noticed at once. */
const reconnectAfter = (times: number) => Math.min(50 * times, 1_000)

/** Milliseconds before a worker asks again for work after PostgreSQL failed. */
const RETRY_MS = 500

/** Connections for short commands, besides the one that each lane listens on. */
const COMMAND_CONNECTIONS = 8

function openPostgres(config: Config, { onError, onConnect }: Listeners): QueueBackend {
  const pool = new LoginPool(directUrlOf(config), 'queue', config, {
    application_name: 'guildhall queue',
    max: LANES.length + COMMAND_CONNECTIONS,
    connectionTimeoutMillis: 5_000,
    // Longer than the time between two looks for stalled signals, which all lanes begin at once: making connections costs
    // PostgreSQL more than anything else that an idle worker asks of it.
    idleTimeoutMillis: 150_000,
    // Longer than PostgreSQL takes to end a command: a command without an answer by then gets none.
    query_timeout: 15_000,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', onConnect)
  // Every queue and every worker listens for its errors too.
  pool.setMaxListeners(4 * LANES.length)
  // The same pool: @types/pg words the overloads of `on` as one generic signature, BullMQ as three.
  const connection = pool as unknown as PgPool
  const open: BackendFactory<IQueueBackend, object> = (name, opts, options) => {
    const backend = createPostgresBackend(name, { ...opts, connection }, options)
    forgetFailure(backend)
    if (backend instanceof PostgresQueueBackend) forgetFailure(backend.connection)
    return backend
  }
  return {
    kind: 'postgres',
    prefixOf: () => 'guildhall',
    producer: open,
    consumer: (name, opts, options) => pauseAfterFailure(open(name, opts, options)),
    close: () => pool.end(),
  }
}

/**
 * BullMQ keeps the outcome of its first look at the database for good. A process that starts while PostgreSQL is away, or
 * too busy to let it in within five seconds, would neither signal nor serve a lane until it is started again. Here a failure is
 * forgotten, so that the next command looks again.
 */
function forgetFailure(target: Pick<IQueueBackend, 'waitUntilReady'>): void {
  const waitUntilReady = target.waitUntilReady.bind(target)
  target.waitUntilReady = () =>
    waitUntilReady().catch((error: unknown) => {
      Reflect.deleteProperty(target, 'readyPromise')
      throw error
    })
}

/**
 * BullMQ's workers pause only after errors that it knows from Redis. After others they ask again at once, and where the error
 * came without any I/O, nothing else of the process ever got a turn: no timer, no relay, no stop.
 */
function pauseAfterFailure(backend: IQueueBackend): IQueueBackend {
  const moveToActive = backend.moveToActive.bind(backend)
  backend.moveToActive = (...parameters) =>
    moveToActive(...parameters).catch(async (error: unknown) => {
      await sleep(RETRY_MS)
      throw error
    })
  return backend
}
