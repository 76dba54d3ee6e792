import { sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import { isResting } from '../db/resting.ts'
import { query } from '../db/statement.ts'

/** A job that was claimed for a run. */
export interface ClaimedJob {
  id: string
  name: string
  payload: unknown
  attempts: number
  traceparent: string | null
  /** The request that asked for it. */
  request_id: string | null
  /** Whether more of the lane is due in this project. */
  more: boolean
}

const leaseEnd = (leaseMs: number) => sql<string>`now() + ${leaseMs}::float8 * interval '1 millisecond'`

/**
 * Takes the job of the lane that has been due the longest: a new one, or one whose lease has ended; none while the project
 * rests.
 */
export const claimJob = defineQuery('claim_job', (v: { lane: string; token: string; leaseMs: number }) =>
  query
    .with('due', (db) =>
      db
        .selectFrom('jobs')
        .select('id')
        .where('lane', '=', v.lane)
        .where('due_at', '<=', sql<string>`now()`)
        .where(sql<boolean>`not ${sql.raw(isResting('app.current_project()'))}`)
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('jobs')
    .set({
      state: 'running',
      attempts: sql`attempts + 1`,
      lease_token: v.token,
      due_at: leaseEnd(v.leaseMs),
    })
    .where('id', 'in', (db) => db.selectFrom('due').select('due.id'))
    .returning([
      'id',
      'name',
      'payload',
      'attempts',
      'traceparent',
      'request_id',
      sql<boolean>`exists (select from jobs as other
        where other.lane = jobs.lane and other.due_at <= now() and other.id <> jobs.id)`.as('more'),
    ]),
).first()

/** A job that this worker holds, or leased. */
export interface LeasedJob {
  readonly id: string
  readonly token: string
}

/** Undefined where the lease was lost. */
export const renewLease = defineQuery('renew_job_lease', (v: LeasedJob & { leaseMs: number }) =>
  query
    .updateTable('jobs')
    .set({ due_at: leaseEnd(v.leaseMs) })
    .where('id', '=', v.id)
    .where('lease_token', '=', v.token)
    .returning('id'),
).first()

/** How a run ends: with the job done or failed, or queued again after `wait` milliseconds. */
export interface Ending {
  readonly state: 'done' | 'failed' | 'queued'
  /** Milliseconds, of a queued job; null for the others. */
  readonly wait: number | null
  readonly error: string | null
  /** 1 where the run is not to count as an attempt. */
  readonly refund: 0 | 1
}

/** Ends a run; undefined where the lease was lost, and nothing is recorded then. */
export const endRun = defineQuery('end_job_run', (v: LeasedJob & Ending) =>
  query
    .updateTable('jobs')
    .set({
      state: v.state,
      lease_token: null,
      due_at: leaseEnd(v.wait as number),
      finished_at: sql`case when ${v.wait}::float8 is null then now() end`,
      attempts: sql`attempts - ${v.refund}`,
      last_error: v.error,
    })
    .where('id', '=', v.id)
    .where('lease_token', '=', v.token)
    .returning('id'),
).first()
