import { randomUUID } from 'node:crypto'
import type { Context, ProjectData } from '../db/tenant.ts'
import { toId } from '../ids.ts'
import { inRequest } from '../telemetry/request-context.ts'
import { inSpan, traceOf } from '../telemetry/trace-context.ts'
import { fits } from '../values/fits.ts'
import type { AreaWorkerDeps } from '../worker-deps.ts'
import { type Job, LeaseLost, NonRetryableError } from './define-job.ts'
import { type ClaimedJob, claimJob, type Ending, endRun, type LeasedJob, renewLease } from './job-queries.ts'
import { type Lane, MOST_OF_PROJECT } from './queues/lanes.ts'

const FIRST_WAIT_MS = 10_000
const LONGEST_WAIT_MS = 3_600_000
/** Milliseconds for which a worker leaves a job that it does not know to others, while a newer release rolls out. */
const UNKNOWN_WAIT_MS = 30_000
const LONGEST_ERROR = 2_000
/** Milliseconds for which one project keeps a slot; then other projects get it. */
const SLICE_MS = 500

const DONE: Ending = { state: 'done', wait: null, error: null, refund: 0 }

interface Parts {
  readonly deps: AreaWorkerDeps
  readonly jobs: ReadonlyMap<string, Job>
  /** Aborted when the worker stops. */
  readonly stopping: AbortSignal
}

/** Runs jobs under a lease: the worker that holds a job renews its lease, and no other worker's result counts. */
export class JobRunner {
  readonly #deps: AreaWorkerDeps
  readonly #jobs: ReadonlyMap<string, Job>
  readonly #stopping: AbortSignal
  /** The running jobs, with their projects. */
  readonly #leased = new Map<LeasedJob, string>()
  /** How many slots a project has in a lane where it cannot have all, by both. */
  readonly #slots = new Map<string, number>()
  /** Those who were signaled while they had as many slots as they can have. */
  readonly #postponed = new Set<string>()

  constructor({ deps, jobs, stopping }: Parts) {
    this.#deps = deps
    this.#jobs = jobs
    this.#stopping = stopping
  }

  /**
   * Runs due jobs of a lane and project, one after the other, for a while; others of the project run beside them in the
   * slots of further signals.
   * @param signalAnother called where more is due
   */
  async runDue(lane: Lane, projectId: string, signalAnother: () => Promise<void>): Promise<void> {
    const key = `${lane} ${projectId}`
    const slots = this.#slots.get(key) ?? 0
    if (slots >= (MOST_OF_PROJECT[lane] ?? Number.POSITIVE_INFINITY)) {
      this.#postponed.add(key)
      return
    }
    this.#slots.set(key, slots + 1)
    try {
      await this.#runDueInSlot(lane, projectId, signalAnother)
    } finally {
      const left = (this.#slots.get(key) ?? 1) - 1
      if (left > 0) this.#slots.set(key, left)
      else this.#slots.delete(key)
      if (this.#postponed.delete(key)) await signalAnother()
    }
  }

  async #runDueInSlot(lane: Lane, projectId: string, signalAnother: () => Promise<void>): Promise<void> {
    const until = performance.now() + SLICE_MS
    for (let first = true; ; first = false) {
      const token = randomUUID()
      const leaseMs = this.#deps.config.LEASE_MS
      const claimed = await this.#data(projectId).write(claimJob({ lane, token, leaseMs }))
      if (claimed === undefined) return
      const last = performance.now() > until || this.#stopping.aborted
      const leased = { id: claimed.id, token }
      this.#leased.set(leased, projectId)
      try {
        if (claimed.more && (first || last)) await signalAnother()
        await this.#run(claimed, leased, projectId)
      } finally {
        this.#leased.delete(leased)
      }
      if (last || !claimed.more) return
    }
  }

  /** Releases the running jobs to other workers; these runs do not count as attempts. */
  async handBack(): Promise<void> {
    await Promise.allSettled(
      [...this.#leased].map(([leased, projectId]) =>
        this.#end(projectId, leased, { state: 'queued', wait: 0, error: null, refund: 1 }),
      ),
    )
  }

  async #run(claimed: ClaimedJob, leased: LeasedJob, projectId: string): Promise<void> {
    const job = this.#jobs.get(claimed.name)
    const log = this.#deps.log.child({
      job: claimed.name,
      job_id: claimed.id,
      project_id: toId('project', projectId),
      ...(claimed.request_id !== null && { request_id: claimed.request_id }),
      ...traceOf(claimed.traceparent),
    })
    if (job === undefined) {
      log.warn('this release does not know the job; it is left to others')
      await this.#end(projectId, leased, { state: 'queued', wait: UNKNOWN_WAIT_MS, error: null, refund: 1 })
      return
    }
    const lease = this.#keepLease(projectId, leased)
    const signal = AbortSignal.any([this.#stopping, lease.lost])
    const started = performance.now()
    let recorded = false
    const data = this.#data(projectId)
    const record = async <T>(work: (ctx: Context) => T | PromiseLike<T>): Promise<T> => {
      const result = await data.write(async (ctx) => {
        // This comes first, so that no other worker can take the job before this transaction commits.
        if ((await endRun(ctx, { ...leased, ...DONE })) === undefined) throw new LeaseLost()
        return await work(ctx)
      })
      recorded = true
      return result
    }
    const { id, attempts: attempt } = claimed
    const run = {
      id,
      projectId,
      attempt,
      signal,
      deps: this.#deps,
      log,
      ...data,
      record,
    }
    try {
      assertRunnable(job, claimed)
      const attributes = { 'guildhall.project_id': projectId, 'guildhall.job_id': id }
      await inRequest(claimed.request_id, () =>
        inSpan(claimed.traceparent, job.name, attributes, () => job.run(run, claimed.payload as never)),
      )
      if (!recorded) await record(async () => undefined)
      this.#report(job, 'done')
      log.info({ attempt, ms: performance.now() - started }, 'job done')
    } catch (error) {
      if (recorded) log.error({ err: error }, 'a job failed after it had recorded its result')
      else await this.#recordFailure(job, run, leased, error)
    } finally {
      lease.release()
    }
  }

  async #recordFailure(
    job: Job,
    { projectId, attempt, log }: { projectId: string; attempt: number; log: AreaWorkerDeps['log'] },
    leased: LeasedJob,
    error: unknown,
  ): Promise<void> {
    const { outcome, ending } = endingOf(job, attempt, error, this.#stopping.aborted)
    const kept = error instanceof LeaseLost ? undefined : await this.#end(projectId, leased, ending)
    this.#report(job, kept === undefined ? 'lease_lost' : outcome)
    if (kept === undefined) log.warn({ attempt }, 'the lease of a job was lost; another worker has it')
    else log[outcome === 'failed' ? 'error' : 'warn']({ attempt, err: error }, `job ${outcome}`)
  }

  /** Renews the lease until it is released or lost. */
  #keepLease(projectId: string, leased: LeasedJob): { lost: AbortSignal; release: () => void } {
    const leaseMs = this.#deps.config.LEASE_MS
    const lost = new AbortController()
    let believedUntil = performance.now() + leaseMs
    const timer = setInterval(async () => {
      const asked = performance.now()
      try {
        const renewed = await this.#data(projectId).write(renewLease({ ...leased, leaseMs }))
        if (renewed === undefined) lost.abort(new LeaseLost())
        else believedUntil = asked + leaseMs
      } catch (error) {
        this.#deps.log.warn({ err: error, job_id: leased.id }, 'a lease could not be renewed')
        if (performance.now() > believedUntil) lost.abort(new LeaseLost())
      }
    }, leaseMs / 3)
    return { lost: lost.signal, release: () => clearInterval(timer) }
  }

  #end(projectId: string, leased: LeasedJob, ending: Ending): Promise<{ id: string } | undefined> {
    return this.#data(projectId).write(endRun({ ...leased, ...ending }))
  }

  #data(projectId: string): ProjectData {
    return this.#deps.asSystem(projectId, 'job')
  }

  #report(job: Job, outcome: string): void {
    this.#deps.metrics.attempts.inc({ work: job.name, outcome })
  }
}

/** @throws NonRetryableError for a job that kills its workers, and for a payload that another release wrote */
function assertRunnable(job: Job, claimed: ClaimedJob): void {
  if (claimed.attempts > job.attempts) throw new NonRetryableError('its last run ended with its worker')
  if (!fits(job.payload, claimed.payload)) throw new NonRetryableError('its payload does not fit')
}

function endingOf(
  job: Job,
  attempt: number,
  error: unknown,
  stopping: boolean,
): { outcome: 'failed' | 'handed_back' | 'retried'; ending: Ending } {
  const text = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)
  if (error instanceof NonRetryableError || (attempt >= job.attempts && !stopping))
    return { outcome: 'failed', ending: { state: 'failed', wait: null, error: text, refund: 0 } }
  if (stopping)
    return { outcome: 'handed_back', ending: { state: 'queued', wait: 0, error: null, refund: 1 } }
  return { outcome: 'retried', ending: { state: 'queued', wait: waitAfter(attempt), error: text, refund: 0 } }
}

/** Milliseconds: 10 s, doubled with each attempt, at most an hour; ±20 % so that what failed together does not return together. */
function waitAfter(attempt: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS)
  return wait * (0.8 + 0.4 * Math.random())
}
