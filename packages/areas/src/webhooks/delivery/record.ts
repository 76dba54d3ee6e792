import type { Pool } from 'pg'
import { DURATION_BOUNDS } from '../log/stats.ts'

/** What came of one attempt. */
export interface AttemptResult {
  readonly projectId: string
  readonly deliveryId: string
  /** Of the claim: without it nothing is recorded. */
  readonly token: string
  readonly state: 'delivered' | 'pending' | 'failed'
  /** Seconds until the next attempt, of a pending one. */
  readonly delay: number
  readonly fifo: boolean
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** JSON. */
  readonly headers: string | null
  readonly body: string | null
}

/** How far it got into the database. */
export interface Recorded {
  /** False where the lease was lost: another worker has the delivery, and only its result counts. */
  readonly accepted: boolean
  /** For how many seconds nothing has succeeded at the endpoint, and up to which percentage that was announced. */
  readonly failingSeconds: number
  readonly failingAnnounced: number
}

const bucket = `width_bucket(duration_ms, array[${DURATION_BOUNDS.map((bound) => bound + 1).join(', ')}])`
const buckets = [...DURATION_BOUNDS, 0].map((_, i) => `count(*) filter (where ${bucket} = ${i})::int`)

/**
 * Writes attempts and new states in one transaction, fenced by the token of each claim. Of endpoints only changed
 * columns are written; they are locked in the same order as by claims.
 */
const RECORD = `
  with results as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::boolean[], $7::smallint[],
      $8::text[], $9::int[], $10::text[], $11::text[])
      as r (project_id, id, token, state, delay, fifo, status, error, duration_ms, headers, body)
  ), done as (
    update webhook_deliveries d
    set state = r.state,
      attempts = d.attempts + 1,
      step = d.step + 1,
      due_at = case when r.state = 'pending' then
        case when r.fifo then d.due_at else now() + r.delay * interval '1 second' end end,
      is_retry = d.is_retry or (r.state = 'pending' and not r.fifo),
      lease_token = null,
      lease_until = null,
      last_status = r.status,
      last_error = r.error,
      finished_at = case when r.state <> 'pending' then now() end
    from results r
    where d.project_id = r.project_id and d.id = r.id and d.lease_token = r.token
    returning d.project_id, d.id, d.endpoint_id, d.attempts, r.state, r.delay, r.fifo, r.status, r.error,
      r.duration_ms, r.headers, r.body
  ), attempts as (
    insert into webhook_attempts (project_id, delivery_id, number, started_at, duration_ms, status, error,
      response_headers, response_body)
    select project_id, id, attempts, clock_timestamp() - duration_ms * interval '1 millisecond', duration_ms, status,
      error, headers::json, body
    from done
  ), counted as (
    insert into webhook_stats as s (project_id, endpoint_id, hour, delivered, failed_attempts, failed_deliveries,
      duration_ms, durations)
    select project_id, endpoint_id, date_trunc('hour', now()),
      count(*) filter (where state = 'delivered'), count(*) filter (where state <> 'delivered'),
      count(*) filter (where state = 'failed'), sum(duration_ms), array[${buckets.join(', ')}]
    from done group by project_id, endpoint_id order by project_id, endpoint_id
    on conflict (project_id, endpoint_id, hour) do update
    set delivered = s.delivered + excluded.delivered,
      failed_attempts = s.failed_attempts + excluded.failed_attempts,
      failed_deliveries = s.failed_deliveries + excluded.failed_deliveries,
      duration_ms = s.duration_ms + excluded.duration_ms,
      durations = array(select a + b from unnest(s.durations, excluded.durations) as pair (a, b))
  ), seen as (
    select project_id, endpoint_id, bool_or(state = 'delivered') as succeeded,
      max(delay) filter (where fifo and state = 'pending') as blocked
    from done group by project_id, endpoint_id
  ), changed as (
    select e.project_id, e.id, s.succeeded, s.blocked
    from seen s join webhook_endpoints e on e.project_id = s.project_id and e.id = s.endpoint_id
    where s.succeeded = (e.failing_since is not null) or s.blocked is not null
    order by e.project_id, e.id for no key update of e
  ), health as (
    update webhook_endpoints e
    set failing_since = case when not c.succeeded then coalesce(e.failing_since, now()) end,
      failing_announced = case when not c.succeeded and e.failing_since is not null then e.failing_announced else 0 end,
      blocked_until = now() + c.blocked * interval '1 second'
    from changed c where e.project_id = c.project_id and e.id = c.id
  )
  select d.id, coalesce(extract(epoch from now() - e.failing_since), 0)::float8 as failing_seconds,
    coalesce(e.failing_announced, 0) as failing_announced
  from done d left join webhook_endpoints e on e.project_id = d.project_id and e.id = d.endpoint_id`

/**
 * Records what came of attempts.
 * @param pool logs in as guildhall_webhooks
 * @returns for each, in their order, how far it got
 */
export async function record(pool: Pool, results: readonly AttemptResult[]): Promise<Recorded[]> {
  const column = <T>(value: (result: AttemptResult) => T): T[] => results.map(value)
  const { rows } = await pool.query<{ id: string; failing_seconds: number; failing_announced: number }>({
    name: 'webhooks_record',
    text: RECORD,
    values: [
      column((result) => result.projectId),
      column((result) => result.deliveryId),
      column((result) => result.token),
      column((result) => result.state),
      column((result) => result.delay),
      column((result) => result.fifo),
      column((result) => result.status),
      column((result) => result.error),
      column((result) => result.durationMs),
      column((result) => result.headers),
      column((result) => result.body),
    ],
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  return results.map(({ deliveryId }) => {
    const row = byId.get(deliveryId)
    return {
      accepted: row !== undefined,
      failingSeconds: row?.failing_seconds ?? 0,
      failingAnnounced: row?.failing_announced ?? 0,
    }
  })
}

/** A delivery that is leased. */
export interface LeasedDelivery {
  readonly projectId: string
  readonly deliveryId: string
  readonly token: string
}

const RELEASE = `
  update webhook_deliveries d set lease_token = null, lease_until = null
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as h (project_id, id, token)
  where d.project_id = h.project_id and d.id = h.id and d.lease_token = h.token`

/** Releases deliveries that were not sent; they stay due. */
export async function release(pool: Pool, leased: readonly LeasedDelivery[]): Promise<void> {
  await pool.query({ name: 'webhooks_release', text: RELEASE, values: columnsOf(leased) })
}

const RENEW = `
  update webhook_deliveries d set lease_until = now() + $4 * interval '1 millisecond'
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as h (project_id, id, token)
  where d.project_id = h.project_id and d.id = h.id and d.lease_token = h.token
  returning d.id`

/** Renews the leases of slow sends. @returns the ids of the deliveries that are still leased */
export async function renew(
  pool: Pool,
  leased: readonly LeasedDelivery[],
  leaseMs: number,
): Promise<Set<string>> {
  const values = [...columnsOf(leased), leaseMs]
  const { rows } = await pool.query<{ id: string }>({ name: 'webhooks_renew', text: RENEW, values })
  return new Set(rows.map((row) => row.id))
}

const columnsOf = (leased: readonly LeasedDelivery[]) => [
  leased.map((each) => each.projectId),
  leased.map((each) => each.deliveryId),
  leased.map((each) => each.token),
]

const MOVE = 'update webhook_endpoints set lane = $3 where project_id = $1 and id = $2'

/** Moves an endpoint to another lane. */
export async function moveToLane(
  pool: Pool,
  projectId: string,
  endpointId: string,
  lane: string,
): Promise<void> {
  await pool.query({ name: 'webhooks_move', text: MOVE, values: [projectId, endpointId, lane] })
}
