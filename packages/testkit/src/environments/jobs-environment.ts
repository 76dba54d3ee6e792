import pg from 'pg'
import { areas } from '#areas/areas.ts'
import { openPool } from '#platform/db/pool.ts'
import { onOutboxWrite } from '#platform/db/statement.ts'
import { dataOf, type ProjectData } from '#platform/db/tenant.ts'
import { RelayNotifier } from '#platform/events/relay-notifications.ts'
import { newUuid } from '#platform/ids.ts'
import type { Background } from '#platform/jobs/background.ts'
import { LANES, type Lane } from '#platform/jobs/queues/lanes.ts'
import { type RunningWorker, startWorker } from '#platform/jobs/worker.ts'
import { type Config, parseConfig } from '#platform/parse-config.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps, type WorkerDeps } from '#platform/worker-deps.ts'
import { cloneDatabase } from '../database.ts'
import { startRedis, type TestRedis } from '../servers/redis.ts'

/** Where signals travel. */
export type QueueKind = 'postgres' | 'redis'

/** Workers that run in this process, and what they work on. */
export interface JobsEnvironment {
  /** What a worker process of its own needs to join in. */
  readonly environment: Record<string, string>
  readonly config: Config
  /** Ids of two projects. */
  readonly projects: readonly [string, string]
  readonly redis: TestRedis | undefined
  /** A worker that does what is given, and nothing else. */
  start(background: Partial<Background>, options?: StartOptions): TestWorker
  /** A project's data, as an operator; the first project's where none is named. */
  data(projectId?: string): ProjectData
  /** Rows of a query of the owner's, across all projects. */
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  /** Stops the workers and forgets all work: after each test, so that one that failed leaves nothing to the next. */
  clear(): Promise<void>
  /** Stops the workers that still run, and removes the database. */
  close(): Promise<void>
}

export interface StartOptions {
  readonly lanes?: readonly Lane[]
  /** Milliseconds that runs get to finish when the worker stops. */
  readonly finishMs?: number
}

export interface TestWorker extends RunningWorker {
  readonly deps: WorkerDeps
}

/**
 * What makes waiting short. A lease is not short: a machine that stands still for longer than one has work done twice,
 * which is right, and which only tests of leases want.
 */
const QUICK = { LEASE_MS: '10000', SWEEP_MS: '300', LOG_LEVEL: 'silent' }
/** For tests of leases. */
export const SHORT_LEASES = { LEASE_MS: '1500' }
const NOTHING: Background = { jobs: [], consumers: [], fanOuts: [], sweeps: [], schedules: [] }

/** @param settings environment variables, in place of those that make waiting short */
export async function startJobsEnvironment(
  queue: QueueKind,
  settings: Record<string, string> = {},
): Promise<JobsEnvironment> {
  const database = await cloneDatabase()
  const redis = queue === 'redis' ? await startRedis() : undefined
  const environment = {
    ...QUICK,
    ...settings,
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    ...(redis && { REDIS_URL: redis.url }),
  }
  const config = parseConfig(environment)
  const owner = new pg.Pool({ connectionString: database.url, max: 2 })
  // `end` does not wait until PostgreSQL has let a connection go, and the database is dropped with those that are left.
  owner.on('connect', (client) => client.on('error', () => undefined))
  const pool = openPool(config, { role: 'api', size: 8, onError: () => undefined })
  const notifier = new RelayNotifier(config, () => undefined)
  onOutboxWrite(pool, () => notifier.notify())
  const projects = [newUuid(), newUuid()] as const
  const running = new Set<TestWorker>()

  const start = (background: Partial<Background>, { lanes = LANES, finishMs = 5_000 }: StartOptions = {}) => {
    const deps = makeWorkerDeps(config, makeLog(config.LOG_LEVEL, 'worker'))
    const worker = startWorker({ deps, areas, background: { ...NOTHING, ...background }, lanes, finishMs })
    const stop = async () => {
      if (!running.delete(started)) return
      await worker.stop()
      await deps.close()
    }
    const started = { deps, stop }
    running.add(started)
    return started
  }

  const stopAll = () => Promise.all([...running].map((worker) => worker.stop()))

  return {
    environment,
    config,
    projects,
    redis,
    start,
    data: (projectId = projects[0]) => dataOf(pool, projectId, { kind: 'operator' }),
    sql: async <R extends object>(text: string, values: unknown[] = []) =>
      (await owner.query<R>(text, values)).rows,
    clear: async () => {
      await stopAll()
      await owner.query('delete from outbox')
      await owner.query('delete from jobs')
    },
    close: async () => {
      await stopAll()
      await notifier.close()
      await pool.end()
      await owner.end()
      await redis?.stop()
      await database.drop()
    },
  }
}
