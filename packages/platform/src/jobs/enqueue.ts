import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import type { Transaction } from '../db/transaction.ts'
import { newUuid } from '../ids.ts'
import { currentRequestId } from '../telemetry/request-context.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'
import type { Lane } from './queues/lanes.ts'

/** What has to be known of a kind of background work to ask for it. Made by `defineJob`. */
export interface JobType<S extends TSchema = TSchema> {
  /** `area.verb-noun`. */
  readonly name: string
  readonly lane: Lane
  /** Ids. Never rows, never secrets. */
  readonly payload: S
}

/** The jobs of one transaction, column by column. */
interface NewJobs {
  readonly ids: string[]
  readonly names: string[]
  readonly lanes: string[]
  readonly payloads: string[]
  readonly runAts: (string | null)[]
  readonly traceparents: (string | null)[]
  /** All of them come from one request. */
  readonly requestId: string | null
}

/** One statement writes all jobs: where a transaction asks for a mail to each of a hundred members, one for each would cost most of it. */
const insertJobs = defineQuery('insert_jobs', (v: NewJobs) =>
  query
    .insertInto('outbox')
    .columns(['id', 'kind', 'name', 'lane', 'payload', 'run_at', 'traceparent', 'request_id'])
    .expression(
      // The database's clock, because the relay and the claims use it: the clock of another machine may be ahead.
      sql`select j.id, 'job', j.name, j.lane, j.payload::json, coalesce(j.run_at, now()), j.traceparent,
          ${v.requestId}::text
        from unnest(${v.ids}::uuid[], ${v.names}::text[], ${v.lanes}::text[], ${v.payloads}::text[],
          ${v.runAts}::timestamptz[], ${v.traceparents}::text[]) as j (id, name, lane, payload, run_at, traceparent)`,
    ),
)

/** What the statement of each transaction will write: it is sent with the commit, and until then jobs are added. */
const collected = new WeakMap<Transaction, NewJobs>()

/**
 * Adds a job in the caller's transaction; a transaction that is rolled back adds none.
 * @param runAt the earliest time; at once where it is null
 */
export function enqueue<S extends TSchema>(
  ctx: Context,
  { name, lane }: JobType<S>,
  payload: NoInfer<Static<S>>,
  runAt: Date | null = null,
): void {
  const before = collected.get(ctx.tx)
  const lists = { ids: [], names: [], lanes: [], payloads: [], runAts: [], traceparents: [] }
  const jobs = before ?? { ...lists, requestId: currentRequestId() }
  jobs.ids.push(newUuid())
  jobs.names.push(name)
  jobs.lanes.push(lane)
  jobs.payloads.push(JSON.stringify(payload))
  jobs.runAts.push(runAt?.toISOString() ?? null)
  jobs.traceparents.push(currentTraceparent())
  if (before !== undefined) return
  collected.set(ctx.tx, jobs)
  ctx.tx.askLast(insertJobs(jobs))
}
