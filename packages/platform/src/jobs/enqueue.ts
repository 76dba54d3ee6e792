import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { query, statement } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { newUuid } from '../ids.ts'

/** A kind of background work: its name and the ids that it is given. Never rows, never secrets. */
export interface JobType<S extends TSchema = TSchema> {
  /** `area.verb-noun`. */
  readonly name: string
  readonly payload: S
}

const insertJob = statement(
  'insert_outbox_job',
  (v: { id: string; name: string; payload: string; runAt: Date }) =>
    query
      .insertInto('outbox')
      .values({ id: v.id, kind: 'job', name: v.name, payload: sql`${v.payload}::json`, run_at: v.runAt }),
)

/**
 * Asks for background work in the caller's transaction; a rolled-back request asks for nothing.
 * @param runAt not before this time; at once where omitted
 */
export function enqueue<S extends TSchema>(
  ctx: Context,
  type: JobType<S>,
  payload: NoInfer<Static<S>>,
  runAt = new Date(),
): void {
  ctx.tx.effect(insertJob, { id: newUuid(), name: type.name, payload: JSON.stringify(payload), runAt })
}
