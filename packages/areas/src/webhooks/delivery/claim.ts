import type { Pool } from 'pg'
import { type Bound, type Rows, runBatch } from '#platform/db/batch.ts'
import { isResting } from '#platform/db/resting.ts'
import type { Payload } from '../schema.ts'

/** Sends in flight to one endpoint, over all workers; one in fifo mode. */
export const ENDPOINT_SENDS = 5
/** Rows of one claim at the most. */
export const CLAIM_ROWS = 10
/**
 * A running worker always has more than this share of its lease left, because it renews the lease every sixth of it.
 * With less left, the worker is assumed to have crashed: its deliveries stay reserved until the end of the lease, but
 * they do not count as in flight.
 */
const ALIVE_SHARE = 0.6
/** How often leases are renewed. */
export const RENEWALS_PER_LEASE = 6
/** Seconds of a rate limit that an idle endpoint can save up and use at once. */
const BURST_SECONDS = 0.05

/** What a worker asks for. */
export interface ClaimRequest {
  readonly projectId: string
  readonly endpointId: string
  /** The fencing token of a claim; it stays the same while this worker serves the endpoint. */
  readonly token: string
  readonly limit: number
}

/** An endpoint as senders need it, sealed as it is stored. */
export interface SealedEndpoint {
  readonly id: string
  readonly projectId: string
  readonly url: string
  readonly payload: Payload
  readonly fifo: boolean
  readonly headers: Buffer | null
  readonly secret: Buffer
  /** While a rotation overlaps. */
  readonly previousSecret: Buffer | null
  readonly lane: string
  /** Milliseconds since 1970, by the database's clock. */
  readonly now: number
}

/** A delivery that this worker holds. */
export interface Claimed {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  /** ISO 8601. */
  readonly occurredAt: string
  /** The data of the event, as JSON; null where the event is past its time. */
  readonly payload: string | null
  /** Tries of the schedule before this one, and attempts in all. */
  readonly step: number
  readonly attempts: number
  readonly traceparent: string | null
  /** The request that caused the event; null where none did, and where the event is past its time. */
  readonly requestId: string | null
}

export interface Claim {
  /** Undefined where it is disabled or gone, or its project rests. */
  readonly endpoint: SealedEndpoint | undefined
  readonly deliveries: readonly Claimed[]
  /** How many were to be claimed, as limits allow. */
  readonly wanted: number
  /** Sends that may be in flight here, others' counted. */
  readonly room: number
  /** Milliseconds after which a rate limit or fifo mode allows more; undefined where they do not matter. */
  readonly wait: number | undefined
}

/**
 * Locks endpoints first, in one order, so that claims of several workers for one endpoint run one after the other. A
 * later statement, with its own snapshot, counts what others hold.
 */
const LOCK = `
  select e.id, e.project_id, e.url, e.payload, e.fifo, e.headers, e.secret, e.lane,
    case when e.previous_secret_until > now() then e.previous_secret end as previous_secret,
    extract(epoch from clock_timestamp())::float8 * 1000 as now
  from unnest($1::uuid[], $2::uuid[]) as w (project_id, endpoint_id)
  join webhook_endpoints e on e.project_id = w.project_id and e.id = w.endpoint_id and e.enabled
    and not ${isResting('e.project_id')}
  order by e.project_id, e.id for no key update of e`

/** A run does not claim again what it still sends, even if the lease ended meanwhile. In fifo mode none is passed over. */
const candidates = (isRetry: boolean) => `
  select * from (
    select d.ctid, d.due_at, d.event_id, d.is_retry from webhook_deliveries d
    where d.project_id = w.project_id and d.endpoint_id = w.endpoint_id and d.is_retry = ${isRetry}
      and d.due_at <= now() and (d.lease_until is null or d.lease_until <= now())
      and (w.fifo or d.lease_token is distinct from w.token)
      and (w.relayed_until is null or d.due_at < w.relayed_until)
    order by d.due_at limit w.wanted for update skip locked
  ) as heads`

/**
 * Due deliveries, first attempts before retries. In fifo mode they are ordered by the time of the event, and none is
 * returned while an older event is still in the outbox. There is at least one row per endpoint.
 *
 * Rows are updated by their physical place (ctid). By key, a plan that was made while the table was empty would read
 * all deliveries of a project for each claim, until the table is analyzed for the first time.
 */
const CLAIM = `
  with asked as materialized (
    select w.project_id, w.endpoint_id, w.token, w.asked, e.fifo, e.rate_limit,
      case when e.rate_limit is not null then
        least(e.tokens + extract(epoch from now() - e.tokens_at)::float8 * e.rate_limit,
          greatest(1, e.rate_limit * ${BURST_SECONDS}))
      end as tokens,
      case when e.fifo then greatest(0, extract(epoch from e.blocked_until - now()) * 1000) end as blocked,
      case when e.fifo then 1 else ${ENDPOINT_SENDS} end - (
        select count(*)::int from webhook_deliveries d
        where d.project_id = w.project_id and d.endpoint_id = w.endpoint_id and d.lease_token is not null
          and d.lease_token <> w.token
          and d.lease_until > now() + case when e.fifo then 0 else $6 end * interval '1 millisecond'
      ) as room,
      case when e.fifo then (
        select min(o.created_at) from outbox o
        where o.project_id = w.project_id and o.kind = 'event' and o.retry_at is null
      ) end as relayed_until
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[]) as w (project_id, endpoint_id, token, asked)
    join webhook_endpoints e on e.project_id = w.project_id and e.id = w.endpoint_id and e.enabled
      and not ${isResting('e.project_id')}
  ), wanted as materialized (
    select *, case when room <= 0 or blocked > 0 then 0
      else least(asked, coalesce(floor(tokens), asked))::int end as wanted
    from asked
  ), claimed as (
    update webhook_deliveries d
    set lease_token = chosen.token, lease_until = now() + $5 * interval '1 millisecond'
    from wanted w cross join lateral (
      select w.token, c.* from ((${candidates(false)}) union all (${candidates(true)})) as c
      order by case when not w.fifo then c.is_retry end, c.due_at, c.event_id limit w.wanted
    ) as chosen
    where w.wanted > 0 and d.ctid = chosen.ctid
    returning d.project_id, d.endpoint_id, d.id, d.event_id, d.event_type, d.due_at, d.is_retry, d.step, d.attempts,
      d.traceparent
  ), spent as (
    update webhook_endpoints e
    set tokens = w.tokens - (
        select count(*) from claimed c where c.project_id = w.project_id and c.endpoint_id = w.endpoint_id),
      tokens_at = now()
    from wanted w
    where w.tokens is not null and e.project_id = w.project_id and e.id = w.endpoint_id
  )
  select w.endpoint_id, w.room, w.wanted,
    greatest(w.blocked, case when w.tokens < 1 then (1 - w.tokens) / w.rate_limit * 1000 end)::float8 as wait,
    c.id, c.event_id, c.event_type, v.occurred_at, v.payload::text as payload, c.step, c.attempts, c.traceparent,
    v.request_id
  from wanted w
  left join claimed c on c.project_id = w.project_id and c.endpoint_id = w.endpoint_id
  left join events v on v.project_id = c.project_id and v.id = c.event_id
  order by w.endpoint_id, case when not w.fifo then c.is_retry end, c.due_at, c.event_id`

interface EndpointRow {
  id: string
  project_id: string
  url: string
  payload: Payload
  fifo: boolean
  headers: Buffer | null
  secret: Buffer
  previous_secret: Buffer | null
  lane: string
  now: number
}

interface DeliveryRow {
  endpoint_id: string
  room: number
  wanted: number
  wait: number | null
  id: string | null
  event_id: string
  event_type: string
  occurred_at: string
  payload: string | null
  step: number
  attempts: number
  traceparent: string | null
  request_id: string | null
}

/**
 * Claims what is due of each endpoint, under a lease in the database's time. Record, release or renew each before its
 * lease ends.
 * @param pool logs in as guildhall_webhooks
 * @param requests at most one per endpoint
 */
export async function claim(
  pool: Pool,
  requests: readonly ClaimRequest[],
  leaseMs: number,
): Promise<Claim[]> {
  const projects = requests.map((request) => request.projectId)
  const ids = requests.map((request) => request.endpointId)
  const tokens = requests.map((request) => request.token)
  const limits = requests.map((request) => request.limit)
  const [endpoints = [], rows = []] = await inOneTransaction(pool, [
    { name: 'webhooks_lock', sql: LOCK, values: [projects, ids] },
    {
      name: 'webhooks_claim',
      sql: CLAIM,
      values: [projects, ids, tokens, limits, leaseMs, leaseMs * ALIVE_SHARE],
    },
  ])
  const sealed = new Map(endpoints.map((row) => [row.id, toSealed(row as unknown as EndpointRow)]))
  const byEndpoint = Map.groupBy(rows as unknown as DeliveryRow[], (row) => row.endpoint_id)
  return ids.map((id) => toClaim(sealed.get(id), byEndpoint.get(id) ?? []))
}

/** Statements of all projects as one implicit transaction, in one round trip. */
async function inOneTransaction(pool: Pool, statements: readonly Bound[]): Promise<readonly Rows[]> {
  const client = await pool.connect()
  try {
    const { results, failure } = await runBatch(client, statements)
    if (failure !== undefined) throw failure
    return results
  } finally {
    client.release()
  }
}

const toSealed = ({ project_id, previous_secret, ...row }: EndpointRow): SealedEndpoint => ({
  ...row,
  projectId: project_id,
  previousSecret: previous_secret,
})

function toClaim(endpoint: SealedEndpoint | undefined, rows: readonly DeliveryRow[]): Claim {
  return {
    endpoint,
    wanted: rows[0]?.wanted ?? 0,
    room: Math.max(0, rows[0]?.room ?? 0),
    wait: rows[0]?.wait ?? undefined,
    deliveries: rows.flatMap((row) =>
      row.id === null
        ? []
        : [
            {
              id: row.id,
              eventId: row.event_id,
              eventType: row.event_type,
              occurredAt: row.occurred_at,
              payload: row.payload,
              step: row.step,
              attempts: row.attempts,
              traceparent: row.traceparent,
              requestId: row.request_id,
            },
          ],
    ),
  }
}
