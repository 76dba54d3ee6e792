import type { Pool } from 'pg'
import type { Context } from '../../db/tenant.ts'
import type { Log } from '../../telemetry/log.ts'
import type { AreaWorkerDeps } from '../../worker-deps.ts'

/** What one run of a scheduled piece of work is given. */
export interface ScheduleRun {
  readonly signal: AbortSignal
  readonly deps: AreaWorkerDeps
  readonly log: Log
  /** Logs in as guildhall_housekeeper, which sees and deletes what is past its time, of all projects. */
  readonly housekeeping: Pick<Pool, 'query' | 'connect'>
  /** Logs in as guildhall_auditor, which reads the money of all projects and writes nothing. */
  readonly auditing: Pick<Pool, 'query'>
  /**
   * A transaction in every project that does not rest, one after the other. Stops between two when the worker stops; one that throws is
   * logged, and the rest is done.
   */
  inEachProject(work: (ctx: Context) => PromiseLike<unknown>): Promise<void>
}

/** Work that belongs to the clock and to no request. */
export interface Schedule {
  /** `area.verb-noun`. */
  readonly name: string
  /** Milliseconds between two runs, or a cron expression in UTC. */
  readonly every: number | string
  /** Runs once per cluster at each time; after a crash perhaps again, so that it is idempotent. */
  run(run: ScheduleRun): Promise<void>
}

/** Declares a schedule; it becomes known by being listed in the registry of areas. */
export const defineSchedule = (schedule: Schedule): Schedule => Object.freeze(schedule)
