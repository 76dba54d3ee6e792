import type { Pool } from 'pg'
import { toId } from '../ids.ts'
import { LANES, type Lane } from '../jobs/queues/lanes.ts'
import type { Queues } from '../jobs/queues/queues.ts'
import { SCHEDULE } from '../jobs/schedules/scheduler.ts'

/** The background work of all projects, for operators. */
export interface WorkReport {
  readonly queue: 'redis' | 'postgres'
  readonly outbox: { readonly rows: number; readonly aside: number; readonly seconds: number }
  readonly lanes: readonly LaneReport[]
  readonly failedJobs: readonly FailedJob[]
  /**
   * Signals whose handling failed because of an error on our side, newest first; BullMQ may have lost a name or reason,
   * which is then empty.
   */
  readonly failedSignals: readonly { readonly lane: Lane; readonly name: string; readonly reason: string }[]
  readonly schedules: readonly { readonly name: string; readonly next: string }[]
}

interface LaneReport {
  readonly lane: Lane
  readonly jobs: {
    readonly due: number
    readonly later: number
    readonly running: number
    readonly failed: number
  }
  /** Seconds by which the oldest due job is late. */
  readonly late: number
  readonly signals: {
    readonly waiting: number
    readonly active: number
    readonly later: number
    readonly failed: number
  }
}

interface FailedJob {
  readonly id: string
  readonly project_id: string
  readonly name: string
  readonly attempts: number
  readonly error: string
  readonly finished_at: string
}

const SHOWN = 50

/**
 * @param operators logs in as guildhall_operator
 * @throws if PostgreSQL or the queue cannot be reached
 */
export async function reportWork(operators: Pool, queues: Queues): Promise<WorkReport> {
  const { outbox, jobs } = await backlogOf(operators)
  const { rows: failedJobs } = await operators.query<FailedJob>(FAILED, [SHOWN])
  const signals = await Promise.all(LANES.map((lane) => signalsOf(queues, lane)))
  const failedSignals = await Promise.all(LANES.map((lane) => failedSignalsOf(queues, lane)))
  const schedules = await queues.of('schedule').getJobSchedulers()
  return {
    queue: queues.kind,
    outbox,
    lanes: LANES.map((lane, index) => {
      const {
        due = 0,
        later = 0,
        running = 0,
        failed = 0,
        late = 0,
      } = jobs.find((row) => row.lane === lane) ?? {}
      const none = { waiting: 0, active: 0, later: 0, failed: 0 }
      return { lane, jobs: { due, later, running, failed }, late, signals: signals[index] ?? none }
    }),
    failedJobs: failedJobs.map((row) => ({ ...row, project_id: toId('project', row.project_id) })),
    failedSignals: failedSignals.flat(),
    schedules: schedules.map(({ key, next }) => ({ name: key, next: new Date(next ?? 0).toISOString() })),
  }
}

/** What waits in PostgreSQL: rows of the outbox, and jobs of each lane that has some. */
export async function backlogOf(operators: Pool) {
  const { rows: outbox } = await operators.query<WorkReport['outbox']>(OUTBOX)
  const { rows: jobs } = await operators.query<{ lane: string; late: number } & LaneReport['jobs']>(JOBS)
  return { outbox: outbox[0] ?? { rows: 0, aside: 0, seconds: 0 }, jobs }
}

const OUTBOX = `
  select count(*) as rows, count(*) filter (where retry_at > now()) as aside,
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
  from outbox`

const JOBS = `
  select lane,
    count(*) filter (where state = 'queued' and due_at <= now()) as due,
    count(*) filter (where state = 'queued' and due_at > now()) as later,
    count(*) filter (where state = 'running') as running,
    count(*) filter (where state = 'failed') as failed,
    coalesce(extract(epoch from now() - min(due_at) filter (where due_at <= now())), 0)::float8 as late
  from jobs where state <> 'done' group by lane`

const FAILED = `
  select id, project_id, name, attempts, coalesce(last_error, '') as error, finished_at
  from jobs where state = 'failed' order by finished_at desc limit $1`

async function signalsOf(queues: Queues, lane: Lane): Promise<LaneReport['signals']> {
  const counts = await queues.of(lane).getJobCounts('waiting', 'active', 'delayed', 'failed')
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts
  return { waiting, active, later: delayed, failed }
}

async function failedSignalsOf(queues: Queues, lane: Lane): Promise<WorkReport['failedSignals']> {
  const jobs = await queues.of(lane).getFailed(0, SHOWN - 1)
  return jobs.map(({ name, data, failedReason = '' }) => ({
    lane,
    name: name === SCHEDULE ? data.key : name,
    reason: failedReason,
  }))
}
