import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { newUuid } from '../ids.ts'
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

interface NewJob {
  id: string
  name: string
  lane: string
  payload: string
  runAt: Date | null
  traceparent: string | null
}

const insertJob = defineQuery('insert_outbox_job', (v: NewJob) =>
  query.insertInto('outbox').values({
    id: v.id,
    kind: 'job',
    name: v.name,
    lane: v.lane,
    payload: sql`${v.payload}::json`,
    // The database's clock, because the relay and the claims use it: the clock of another machine may be ahead.
    run_at: sql`coalesce(${v.runAt}::timestamptz, now())`,
    traceparent: v.traceparent,
  }),
)

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
  const job = { id: newUuid(), name, lane, payload: JSON.stringify(payload) }
  ctx.tx.askLast(insertJob({ ...job, runAt, traceparent: currentTraceparent() }))
}
