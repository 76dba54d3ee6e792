import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { patternsOf } from '#areas/events/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineJob, type JobRun } from '#platform/jobs/define-job.ts'
import { signalAfterCommit } from '#platform/jobs/queues/work-signal.ts'
import { webhookTest } from '../events.ts'
import { signalFor } from './rows.ts'

/** Events looked at in one transaction. */
const CHUNK = 2_000
/** Ids carry the time of the process that made them, whose clock may differ from the database's by so much. */
const CLOCK_SLACK_MS = 10 * 60_000

const Payload = Type.Object({ endpoint_id: Type.String(), since: Type.String(), until: Type.String() })

/**
 * Sends what an endpoint missed: events without a delivery, failed deliveries, and deliveries that wait for a retry.
 * Successful deliveries are not repeated, and the others only become due, so the job may run again.
 */
export const recoverEndpoint = defineJob({
  name: 'webhooks.recover-endpoint',
  lane: 'exports',
  payload: Payload,
  attempts: 10,
  run: async (run, payload) => {
    let after: string | undefined = idAt(Date.parse(payload.since) - CLOCK_SLACK_MS)
    while (after !== undefined) {
      run.signal.throwIfAborted()
      after = await recoverChunk(run, payload, after)
    }
  },
})

/** Makes due what was missed among the next events. @returns the last one looked at, or undefined at the end */
async function recoverChunk(
  run: JobRun,
  { endpoint_id: id, since, until }: Static<typeof Payload>,
  after: string,
): Promise<string | undefined> {
  const last = await run.write(async (ctx) => {
    const endpoint = await listensTo(ctx, { id })
    if (endpoint === undefined) return undefined
    const types = typesOf(run.deps.catalogue.events.keys(), endpoint.events)
    signalAfterCommit(ctx, signalFor(endpoint))
    const before = idAt(Date.parse(until) + CLOCK_SLACK_MS)
    return recover(ctx, { id, since, until, types, after, before, limit: CHUNK })
  })
  return last?.id
}

const listensTo = defineQuery('webhook_endpoint_events', (v: { id: string }) =>
  query.selectFrom('webhook_endpoints').select(['id', 'lane', 'events']).where('id', '=', v.id),
).first()

/** The events that an endpoint listens to. A test is for the moment in which somebody looks. */
const typesOf = (types: Iterable<string>, patterns: readonly string[]): string[] =>
  [...types].filter(
    (type) => type !== webhookTest.name && patternsOf(type).some((pattern) => patterns.includes(pattern)),
  )

interface Chunk {
  id: string
  since: string
  until: string
  types: readonly string[]
  after: string
  before: string
  limit: number
}

const recover = defineQuery('recover_webhook_deliveries', (v: Chunk) =>
  query
    .with('chunk', (db) =>
      db
        .selectFrom('events')
        .select(['id', 'type', 'occurred_at'])
        .where('id', '>', v.after)
        .where('id', '<', v.before)
        .orderBy('id')
        .limit(v.limit),
    )
    .with('recovered', (db) =>
      db
        .insertInto('webhook_deliveries')
        .columns(['endpoint_id', 'event_id', 'event_type', 'due_at', 'is_retry'])
        .expression((missed) =>
          missed
            .selectFrom('chunk')
            .select([
              sql<string>`${v.id}::uuid`.as('endpoint_id'),
              'chunk.id',
              'chunk.type',
              'chunk.occurred_at',
              sql<boolean>`true`.as('is_retry'),
            ])
            .where(sql<boolean>`chunk.type = any (${v.types}::text[])`)
            .where('chunk.occurred_at', '>=', v.since)
            .where('chunk.occurred_at', '<', v.until),
        )
        .onConflict((conflict) =>
          conflict
            .constraint('webhook_deliveries_event_key')
            .doUpdateSet({
              state: 'pending',
              due_at: (row) => row.ref('excluded.due_at'),
              is_retry: true,
              // A delivery that was given up gets all attempts again; one that waits for a retry keeps the attempts that are left.
              step: sql`case when webhook_deliveries.state = 'failed' then 0 else webhook_deliveries.step end`,
              finished_at: null,
            })
            .where((row) =>
              row.or([
                row('webhook_deliveries.state', '=', 'failed'),
                // One that is being sent is due already.
                row('webhook_deliveries.due_at', '>', sql<string>`now()`),
              ]),
            ),
        ),
    )
    .selectFrom('chunk')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1),
).first()

/** The first UUIDv7 of a millisecond. */
function idAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
