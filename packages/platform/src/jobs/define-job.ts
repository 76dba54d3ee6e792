import type { Static, TSchema } from 'typebox'
import type { Context, ProjectData } from '../db/tenant.ts'
import type { Log } from '../telemetry/log.ts'
import type { AreaWorkerDeps } from '../worker-deps.ts'
import type { JobType } from './enqueue.ts'

/** What one run of a job is given. */
export interface JobRun extends ProjectData {
  readonly id: string
  readonly projectId: string
  /** 1 for the first run; a run whose worker crashed counts too. */
  readonly attempt: number
  /** Aborted when the worker stops or has lost its lease: another worker may already run the job. */
  readonly signal: AbortSignal
  readonly deps: AreaWorkerDeps
  /** Names the job and the project in every line. */
  readonly log: Log
  /**
   * The last step: `work` and the end of the job commit together.
   * @throws LeaseLost where another worker has taken the job over; nothing of `work` is kept then
   */
  record<T>(work: (ctx: Context) => T | PromiseLike<T>): Promise<T>
}

/** A kind of background work and how it is done. */
export interface Job<S extends TSchema = TSchema> extends JobType<S> {
  /** Runs at the most; after the last one the job is failed, and stays visible as such. */
  readonly attempts: number
  /**
   * Does the work in three visible steps: load (`run.read`, `run.write`) → act (no transaction) → record (`run.record`). It may
   * be repeated at any point, so it checks in load whether the work is already done. What it throws is kept as the
   * job's last error, and the job runs again later, after 10 s, 20 s, 40 s … at most an hour.
   */
  run(run: JobRun, payload: Static<S>): Promise<void>
}

/** Declares a job; it becomes known by being listed in the registry of areas. */
export const defineJob = <S extends TSchema>(job: Job<S>): Job<S> => Object.freeze(job)

/** Thrown by a run that no repetition can save: the job fails at once. The message is kept for operators. */
export class NonRetryableError extends Error {
  override name = 'NonRetryableError'
}

/** The lease of this worker has ended: another worker runs the job again. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor() {
    super('the lease has ended and the job was taken over')
  }
}
