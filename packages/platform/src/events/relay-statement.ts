import { isFenced } from '../db/resting.ts'
import type { Lane } from '../jobs/queues/lanes.ts'
import { JOBS_CONSUMER, SIGNAL_KIND } from '../jobs/queues/work-signal.ts'
import type { FanOut } from './fan-out.ts'

/** A row of its answer: how many rows of the outbox were moved, or somebody to signal. */
export interface RelayedRow {
  readonly moved: number | null
  readonly lane: Lane | null
  readonly consumer: string | null
  readonly project_id: string | null
  readonly key: string | null
}

/**
 * Takes rows out of the outbox, puts the jobs among them where they are claimed, and does what fan-outs make of the events:
 * one statement is one round trip and one transaction. Rows that another relay has locked are skipped, not waited for; a
 * cursor over ids would miss rows that commit late. Rows of projects that live in another cell stay. The time of the
 * statement decides what is due: rows that were written after the transaction began would not be due by the time of the
 * transaction.
 *
 * An event has the time of its row in the outbox: one statement writes both, at the time of the emit.
 */
export const relayStatement = (fanOuts: readonly FanOut[]): string => `
  with next as (
    select ctid from outbox where (retry_at is null or retry_at <= now()) and not ${isFenced('outbox.project_id')}
    order by id limit $1 for update skip locked
  ), taken as (
    delete from outbox o using next where o.ctid = next.ctid
    returning o.project_id, o.id, o.kind, o.name, o.lane, o.payload, o.run_at, o.created_at, o.traceparent, o.request_id
  ), put as (
    insert into jobs (project_id, id, name, lane, payload, due_at, traceparent, request_id, created_at)
    select project_id, id, name, lane, payload, run_at, traceparent, request_id, created_at from taken where kind = 'job'
    on conflict (project_id, id) do nothing
  ), emitted as (
    select project_id, id, name as type, created_at as occurred_at, traceparent, request_id
    from taken where kind = 'event'
  ), logged as (
    select project_id, id, name as type, created_at as occurred_at, (payload ->> 'subject')::uuid as subject_id
    from taken where kind in ('event', 'stream')
  )${fanOuts.map(({ ctes }) => (ctes === undefined ? '' : `, ${ctes}`)).join('')}
  select count(*)::int as moved, null as lane, null as consumer, null::uuid as project_id, null as key from taken
  union all
  select distinct null::int, lane, '${JOBS_CONSUMER}', project_id, project_id::text from taken
  where kind = 'job' and run_at <= statement_timestamp()
  union all
  select null, lane, name, project_id, payload ->> 'key' from taken where kind = '${SIGNAL_KIND}'
  ${fanOuts.map(({ signals }) => `union all select null, w.lane, w.consumer, w.project_id, w.key from (${signals}) as w`).join(' ')}`

/** Sets the oldest row aside for a minute. */
export const SET_ASIDE = `
  update outbox set retry_at = now() + interval '1 minute' where ctid = (
    select ctid from outbox where (retry_at is null or retry_at <= now()) and not ${isFenced('outbox.project_id')}
    order by id limit 1 for update skip locked
  ) returning id`
