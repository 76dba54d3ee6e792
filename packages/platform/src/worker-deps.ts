import type { Pool } from 'pg'
import type { Catalogue } from './catalogue/catalogue.ts'
import type { Config } from './config.ts'
import { CopyStreams } from './db/copy/copy-streams.ts'
import { directly, openPool } from './db/pool.ts'
import { Replicas } from './db/replicas/replicas.ts'
import { asSystemOf } from './db/tenant.ts'
import type { AsSystem } from './deps.ts'
import { SLOTS } from './jobs/queues/lanes.ts'
import { makeWorkerMetrics, type WorkerMetrics } from './jobs/worker-metrics.ts'
import { ProjectKeys } from './keys/project-keys.ts'
import { Mailer } from './mail/mailer.ts'
import { Objects } from './storage/objects.ts'
import { type Log, openLog } from './telemetry/log.ts'
import { makeReadMetrics } from './telemetry/read-metrics.ts'
import { askedServer, collectPools, collectServers } from './telemetry/server-metrics.ts'
import { throttledWarn } from './telemetry/throttled-warn.ts'

/** What background work is given, built once by the worker process. */
export interface WorkerDeps {
  readonly config: Config
  readonly log: Log
  readonly metrics: WorkerMetrics
  /** Logs in as guildhall_api; reached by `read` and `write` only. */
  readonly pool: Pool
  /** Reads for exports. */
  readonly copies: CopyStreams
  /** Logs in as guildhall_relay; for the relay and the sweeps only. */
  readonly relayPool: Pool
  /** Logs in as guildhall_housekeeper: sees and deletes what is past its time. */
  readonly housekeeping: Pool
  /** Logs in as guildhall_auditor: reads the money of all projects. */
  readonly auditing: Pool
  readonly objects: Objects
  readonly mailer: Mailer
  /** Resolves when the keys of projects have been read, or cannot be read now. */
  readonly knowsKeys: Promise<void>
  /** Closes everything in the reverse order of its making. */
  close(): Promise<void>
}

/** What areas are given in the background: no pool, because data is reached through a run and `asSystem` only. */
export interface AreaWorkerDeps
  extends Omit<WorkerDeps, 'pool' | 'relayPool' | 'housekeeping' | 'auditing' | 'close'> {
  /** What all areas declare. */
  readonly catalogue: Catalogue
  readonly asSystem: AsSystem
}

/** @param catalogue what all areas declare */
export function forAreas(
  {
    pool,
    relayPool: _relay,
    housekeeping: _housekeeping,
    auditing: _auditing,
    close: _close,
    ...deps
  }: WorkerDeps,
  catalogue: Catalogue,
): AreaWorkerDeps {
  return { ...deps, catalogue, asSystem: asSystemOf(pool) }
}

/** One for the relay, one for the sweep. */
const RELAY_POOL_SIZE = 2
const HOUSEKEEPING_POOL_SIZE = 2

/** Builds what the worker process works with. Connections are made when they are first needed. */
export function makeWorkerDeps(config: Config, given?: Log): WorkerDeps {
  const { log, output } = given === undefined ? openLog(config.LOG_LEVEL, 'worker') : { log: given }
  const onError = throttledWarn(log, 'idle database connections broke')
  const pool = openPool(config, { role: 'api', size: config.DATABASE_POOL_SIZE, onError })
  const copyPool = openPool(directly(config), { role: 'reports', size: SLOTS.exports, onError })
  const relayPool = openPool(config, { role: 'relay', size: RELAY_POOL_SIZE, onError })
  const housekeeping = openPool(config, { role: 'housekeeper', size: HOUSEKEEPING_POOL_SIZE, onError })
  const auditing = openPool(config, { role: 'auditor', size: 1, onError })
  const mailer = new Mailer(config, log)
  const objects = new Objects(config, log)
  const replicas = new Replicas(config, { log, sizes: { reads: 1, reports: 1, copies: SLOTS.exports } })
  replicas.start()
  const metrics = makeWorkerMetrics()
  const reads = makeReadMetrics(metrics.registry, replicas)
  collectPools(metrics.registry, { api: pool, relay: relayPool, housekeeper: housekeeping, copies: copyPool })
  collectServers(metrics.registry, {
    postgresql: askedServer(() => relayPool.query('select')),
    storage: objects,
    mail: mailer,
    ...(output && { log: output }),
  })
  const projectKeys = new ProjectKeys(relayPool, config, log)
  const knowsKeys = projectKeys.start()
  const close = async () => {
    await projectKeys.close()
    objects.close()
    mailer.close()
    await auditing.end()
    await housekeeping.end()
    await relayPool.end()
    await replicas.close()
    await copyPool.end()
    await pool.end()
  }
  const copies = new CopyStreams(copyPool, { beside: [pool], replicas, reads })
  return {
    config,
    log,
    metrics,
    pool,
    copies,
    relayPool,
    housekeeping,
    auditing,
    objects,
    mailer,
    knowsKeys,
    close,
  }
}
