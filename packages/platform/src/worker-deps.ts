import type { Pool } from 'pg'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What background work is given, built once by the worker process. */
export interface WorkerDeps {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Logs in as guildhall_api; reached through the door only. */
  readonly pool: Pool
  /** Logs in as guildhall_housekeeper: sees and deletes what is past its time. */
  readonly housekeeping: Pool
}
