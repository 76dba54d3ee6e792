import type { Pool } from 'pg'
import type { Catalogue } from './catalogue/catalogue.ts'
import { Cells } from './cells/cells.ts'
import { ChangeFeed } from './change-feed.ts'
import type { Config } from './config.ts'
import { CopyStreams } from './db/copy/copy-streams.ts'
import { loginClientOf } from './db/login-keys.ts'
import { directly, directUrlOf, openPool } from './db/pool.ts'
import { RecentWrites } from './db/replicas/recent-writes.ts'
import { Replicas } from './db/replicas/replicas.ts'
import { onOutboxWrite } from './db/statement.ts'
import type { AsOperator, AsSystem } from './db/tenant.ts'
import { RelayNotifier } from './events/relay-notifications.ts'
import { RateLimiter } from './http/limits/rate-limiter.ts'
import { MOST_EXPORTS, makeTransfers, type Transfers } from './http/limits/transfer-slots.ts'
import { ConnectionOwners } from './keys/connection-owners.ts'
import { KeyStore } from './keys/key-store.ts'
import { KeyUsage } from './keys/key-usage.ts'
import { MemberLimits } from './keys/member-limits.ts'
import { ProjectKeys } from './keys/project-keys.ts'
import { ProjectStates } from './keys/project-states.ts'
import { RequestCounts } from './keys/request-counts.ts'
import { Markdown } from './markdown/markdown.ts'
import type { RedisClient } from './redis/connect-redis.ts'
import { explainRedis } from './redis/explain-redis.ts'
import { redisNamespace } from './redis/redis-namespace.ts'
import { RequestLog } from './requests/request-log.ts'
import { Passwords } from './secrets/passwords.ts'
import { Objects } from './storage/objects.ts'
import { type Log, openLog } from './telemetry/log.ts'
import { type Metrics, makeMetrics } from './telemetry/metrics.ts'
import { makeReadMetrics, type ReadMetrics } from './telemetry/read-metrics.ts'
import { askedServer, collectPools, collectServers } from './telemetry/server-metrics.ts'
import { throttledWarn } from './telemetry/throttled-warn.ts'
import { EventLoopTurns } from './threads/event-loop-turns.ts'
import { FairSemaphore } from './threads/fair-semaphore.ts'
import { AccessTokens } from './tokens/access-token.ts'
import { EndedSessions } from './tokens/ended-sessions.ts'
import { LiveRoles } from './tokens/live-roles.ts'
import { OperatorTokens } from './tokens/operator-token.ts'
import { SigningKeys } from './tokens/signing-keys.ts'

/** The dependencies of an API process, built once. */
export interface Deps {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Logs in as guildhall_api; reached by `read` and `write` only. */
  readonly pool: Pool
  /** Logs in as guildhall_operator, which makes projects and sees all of them: for the console. */
  readonly operators: Pool
  /** Logs in as guildhall_reports, for reports; reached by `read` and `write` only. */
  readonly reportPool: Pool
  /** Standbys that lists, reports and exports are read from; reached by `read` and `write` only. */
  readonly replicas: Replicas
  readonly reads: ReadMetrics
  /** Members and keys that wrote a moment ago, and so read from the primary. */
  readonly recentWrites: RecentWrites
  /** Reads for exports. */
  readonly copies: CopyStreams
  /** Reports changes that other processes made, for data that is kept in memory. */
  readonly feed: ChangeFeed
  readonly keys: KeyStore
  readonly usage: KeyUsage
  readonly requestCounts: RequestCounts
  readonly requestLog: RequestLog
  readonly connectionOwners: ConnectionOwners
  readonly signingKeys: SigningKeys
  /** Makes and verifies members' access tokens. */
  readonly accessTokens: AccessTokens
  readonly endedSessions: EndedSessions
  /** Makes and verifies the tokens with which operators call /api/v1. */
  readonly operatorTokens: OperatorTokens
  readonly liveRoles: LiveRoles
  readonly memberLimits: MemberLimits
  /** Which projects rest. */
  readonly projectStates: ProjectStates
  /** The other installations that projects can live in. */
  readonly cells: Cells
  readonly passwords: Passwords
  /** Turns of the event loop for what takes milliseconds in it. */
  readonly turns: EventLoopTurns
  /** Turns of projects at reports. */
  readonly reports: FairSemaphore
  /** Renders what members write. */
  readonly markdown: Markdown
  readonly redis: RedisClient | undefined
  readonly limiter: RateLimiter
  readonly objects: Objects
  /** Slots for uploads, downloads and exports. */
  readonly transfers: Transfers
  /** Closes everything, in the reverse order of opening. */
  close(): Promise<void>
}

export type { AsOperator, AsSystem }

/** What only the platform works with. */
export type OfPlatform =
  | 'pool'
  | 'reportPool'
  | 'replicas'
  | 'reads'
  | 'recentWrites'
  | 'keys'
  | 'cells'
  | 'usage'
  | 'requestCounts'
  | 'requestLog'
  | 'redis'
  | 'close'

/** What areas are given: no pool, because data is reached through `request.read`, `request.write` and `asSystem` only. */
export interface AreaDeps extends Omit<Deps, OfPlatform> {
  /** What all areas declare. */
  readonly catalogue: Catalogue
  readonly asSystem: AsSystem
  /** The data of a project for an operator, as requests to the console reach it. */
  readonly asOperator: AsOperator
}

/** Look-ups of credentials have their own small pool, so that they never wait for requests, nor requests for them. */
const KEY_POOL_SIZE = 4
/** The console's work on projects. Connections are made when they are first needed. */
const OPERATOR_POOL_SIZE = 2
/**
 * Reports that run at the same time in one process. A report of raw events uses a core of PostgreSQL for seconds, and several times
 * 64 MB of memory.
 */
const MOST_REPORTS = 4
/** Reports of one project that one process reads at the same time: half of the connections, and of two cores, is left to others. */
const REPORTS_OF_PROJECT = 2
/** Reports that may wait for their project's turn. */
const WAITING_REPORTS = 100
/** Milliseconds that a report waits for others to end. */
const REPORT_WAIT_MS = 15_000

/** One project that asks for many reports must not take the connections of all. How many run in all is decided by these. */
export const makeReportTurns = (): FairSemaphore =>
  new FairSemaphore({
    slots: Number.POSITIVE_INFINITY,
    ...{ perProject: REPORTS_OF_PROJECT, waiting: WAITING_REPORTS },
    busy: 'Too many reports are running now',
  })

/** The connections to PostgreSQL. */
function openDatabase(config: Config, log: Log, { registry }: Metrics) {
  const onError = throttledWarn(log, 'idle database connections broke')
  const pool = openPool(config, { role: 'api', size: config.DATABASE_POOL_SIZE, onError })
  const ofReports = { role: 'reports', onError } as const
  const reportPool = openPool(config, { ...ofReports, size: MOST_REPORTS, waitMs: REPORT_WAIT_MS })
  const copyPool = openPool(directly(config), { ...ofReports, size: MOST_EXPORTS })
  const sizes = { reads: config.DATABASE_POOL_SIZE, reports: MOST_REPORTS, copies: MOST_EXPORTS }
  const replicas = new Replicas(config, { log, sizes })
  const reads = makeReadMetrics(registry, replicas)
  const keyPool = openPool(config, { role: 'keys', size: KEY_POOL_SIZE, onError })
  const operators = openPool(config, { role: 'operator', size: OPERATOR_POOL_SIZE, onError })
  const beside = [pool, ...replicas.all.map((each) => each.pool)]
  collectPools(registry, { api: pool, reports: reportPool, copies: copyPool, keys: keyPool })
  const copies = new CopyStreams(copyPool, { beside, replicas, reads })
  const close = async () => {
    await keyPool.end()
    await operators.end()
    await replicas.close()
    await copyPool.end()
    await reportPool.end()
    await pool.end()
  }
  return { pool, reportPool, keyPool, operators, replicas, reads, copies, close }
}

/** What knows credentials and limits, in memory under the change feed. */
function makeCredentials(config: Config, log: Log, keyPool: Pool, { registry }: Metrics) {
  const feedIsDown = throttledWarn(log, 'the change feed is down; credentials are looked up on every request')
  const Client = loginClientOf(directUrlOf(config), 'keys', config)
  const feed = new ChangeFeed({
    open: (options) => new Client(options),
    onError: feedIsDown,
    onBeat: feedIsDown.over,
  })
  const followed = { pool: keyPool, feed, log }
  const signingKeys = new SigningKeys({ ...followed, secretKeys: config })
  const endedSessions = new EndedSessions(followed)
  const usage = new KeyUsage(keyPool, log)
  const requestCounts = new RequestCounts(keyPool, log)
  const cells = new Cells({ ...followed, secretKeys: config, registry })
  const close = async () => {
    await cells.close()
    await usage.close()
    await requestCounts.close()
    endedSessions.close()
    await feed.close()
  }
  return {
    feed,
    keys: new KeyStore(keyPool, feed),
    usage,
    requestCounts,
    cells,
    connectionOwners: new ConnectionOwners(keyPool, cells),
    signingKeys,
    accessTokens: new AccessTokens(signingKeys, config.BASE_URL),
    endedSessions,
    operatorTokens: new OperatorTokens(signingKeys, config.BASE_URL),
    liveRoles: new LiveRoles(followed),
    memberLimits: new MemberLimits(followed),
    projectStates: new ProjectStates(followed),
    close,
  }
}

/** Builds what the API process works with. Connections are made when they are first needed. */
export async function makeDeps(config: Config, given?: Log): Promise<Deps> {
  const { log, output } = given === undefined ? openLog(config.LOG_LEVEL, 'api') : { log: given }
  const metrics = makeMetrics()
  const { keyPool, close: closeDatabase, ...database } = openDatabase(config, log, metrics)
  const { close: closeCredentials, ...credentials } = makeCredentials(config, log, keyPool, metrics)
  const redis = config.REDIS_URL === undefined ? undefined : await openLimits(config, config.REDIS_URL, log)
  const requestLog = new RequestLog(keyPool, metrics.registry, log)
  const objects = new Objects(config, log)
  collectServers(metrics.registry, {
    postgresql: askedServer(() => keyPool.query('select')),
    ...(redis && { redis: askedServer(() => redis.ping()) }),
    storage: objects,
    ...(output && { log: output }),
  })
  const markdown = new Markdown()
  const passwords = new Passwords({ threads: config.PASSWORD_THREADS })
  const unsent = throttledWarn(log, 'relays could not be signaled; they look each second')
  const notifier = new RelayNotifier(config, unsent, unsent.over)
  onOutboxWrite(database.pool, () => notifier.notify())
  const projectKeys = new ProjectKeys(keyPool, config, log)
  await projectKeys.start()
  database.replicas.start()
  await credentials.feed.start()

  const close = async () => {
    await markdown.close()
    await passwords.close()
    objects.close()
    redis?.disconnect()
    await requestLog.close()
    await projectKeys.close()
    await closeCredentials()
    await notifier.close()
    await closeDatabase()
  }
  return {
    ...{ config, log, metrics, ...database, ...credentials },
    recentWrites: makeRecentWrites(redis, config, log),
    requestLog,
    passwords,
    turns: new EventLoopTurns(),
    reports: makeReportTurns(),
    markdown,
    redis,
    limiter: makeLimiter(redis, metrics, log),
    objects,
    transfers: makeTransfers(config.SLOW_CLIENT_MS),
    close,
  }
}

function makeRecentWrites(redis: RedisClient | undefined, config: Config, log: Log): RecentWrites {
  const warn = throttledWarn(log, 'Redis does not know who wrote lately; lists are read from the primary')
  return new RecentWrites(redis, config.REPLICA_MAX_LAG_MS, warn)
}

function makeLimiter(redis: RedisClient | undefined, metrics: Metrics, log: Log): RateLimiter {
  const warn = throttledWarn(log, 'Redis refuses to count; limits are counted in this process')
  const onFallback = (error: unknown) => {
    metrics.limitsInProcess.inc()
    warn(explainRedis(error))
  }
  return new RateLimiter(redis, onFallback, warn.over)
}

/**
 * A client that never makes a request wait for an unreachable Redis: with the defaults of ioredis, requests would hang
 * for seconds, even with an insurance limiter.
 */
async function openLimits(config: Config, url: string, log: Log): Promise<RedisClient> {
  const { connectRedis } = await import('./redis/connect-redis.ts')
  const use = {
    enableOfflineQueue: false,
    commandTimeout: config.LIMITS_TIMEOUT_MS,
    // A connection that does not answer is closed. Otherwise every request would wait for it, and commands would pile
    // up.
    socketTimeout: 5 * config.LIMITS_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    // A command that timed out has been counted in process instead.
    autoResendUnfulfilledCommands: false,
    connectionName: 'guildhall-limits',
    keyPrefix: `${redisNamespace(config)}:`,
  }
  const warn = throttledWarn(log, 'Redis is away; limits are counted in this process')
  return connectRedis(url, use, warn).on('ready', warn.over)
}
