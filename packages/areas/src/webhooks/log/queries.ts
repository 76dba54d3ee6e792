import { sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenIds, choice, equals } from '#platform/lists/list-filters.ts'
import { toDelivery } from './rows.ts'
import type { DeliveryStatus } from './schema.ts'

const leased = sql<boolean>`(d.lease_until is not null and d.lease_until > now())`

/** Deliveries of endpoints that exist. */
const deliveries = () =>
  query.selectFrom('webhook_deliveries as d').innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')

const columns = [
  'd.id',
  'd.endpoint_id',
  'd.event_id',
  'd.event_type',
  'd.attempts as attempt_count',
  'd.last_status',
  'd.last_error',
  'd.created_at',
  'd.finished_at',
] as const
const status = sql<DeliveryStatus>`case when ${leased} then 'sending' else d.state end`.as('status')
const nextAttempt = sql<string | null>`case when e.enabled and not ${leased}
  then greatest(d.due_at, case when e.fifo and d.due_at is not null then e.blocked_until end) end`.as(
  'next_attempt_at',
)

const STATUS: Readonly<Record<DeliveryStatus, () => ReturnType<typeof sql<boolean>>>> = {
  pending: () => sql`d.state = 'pending' and not ${leased}`,
  sending: () => sql`d.state = 'pending' and ${leased}`,
  delivered: () => sql`d.state = 'delivered'`,
  failed: () => sql`d.state = 'failed'`,
}

/** One page of the deliveries of an endpoint, newest event first, and their total. */
export const listDeliveries = defineList({
  label: 'webhook_deliveries',
  rows: () => deliveries().select(columns).select([status, nextAttempt]),
  map: toDelivery,
  // An endpoint has one delivery for each event.
  key: 'd.event_id',
  scope: { endpoint_id: equals<string>('d.endpoint_id') },
  filters: {
    status: choice<DeliveryStatus>((word) => STATUS[word]()),
    event_type: equals<string>('d.event_type'),
    ...betweenIds('d.event_id'),
  },
  sorts: { created_at: ['d.event_id', 'uuid'] },
})

/** A delivery with its event. @throws ApiError 404 */
export const getDelivery = defineQuery('webhook_delivery', (v: { id: string }) =>
  deliveries()
    .innerJoin('events as v', 'v.id', 'd.event_id')
    .select(columns)
    .select([status, nextAttempt, 'v.payload', 'v.occurred_at'])
    .where('d.id', '=', v.id),
).one('Delivery')

/** The attempts of a delivery, in their order. */
export const listAttempts = defineQuery('webhook_attempts', (v: { deliveryId: string }) =>
  query
    .selectFrom('webhook_attempts')
    .select(['number', 'started_at', 'duration_ms', 'status', 'error', 'response_headers', 'response_body'])
    .where('delivery_id', '=', v.deliveryId)
    .orderBy('number'),
)

/** Makes a delivery due now, with the whole schedule of retries again. */
export const retryDelivery = defineQuery('retry_webhook_delivery', (v: { id: string }) =>
  query
    .updateTable('webhook_deliveries')
    .set({
      state: 'pending',
      due_at: sql`now()`,
      is_retry: false,
      step: 0,
      lease_token: null,
      lease_until: null,
      finished_at: null,
    })
    .where('id', '=', v.id)
    // A delivery that is being sent now does not change.
    .where(sql<boolean>`(lease_until is null or lease_until <= now())`),
)

const insertEvent = defineQuery('insert_webhook_test', (v: { id: string; type: string; payload: string }) =>
  query.insertInto('events').values({ ...pick(v, 'id', 'type'), payload: sql`${v.payload}::json` }),
)

interface NewDelivery {
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  traceparent: string | null
}
const insertDelivery = defineQuery('insert_webhook_delivery', (v: NewDelivery) =>
  query.insertInto('webhook_deliveries').values({
    ...pick(v, 'id', 'endpoint_id', 'event_id', 'event_type', 'traceparent'),
    due_at: sql`now()`,
  }),
)

/** An event for one endpoint, whatever its `events` are, with its delivery. */
export function insertDirectEvent(ctx: Context, delivery: NewDelivery, payload: string): void {
  insertEvent(ctx, { id: delivery.event_id, type: delivery.event_type, payload })
  insertDelivery(ctx, delivery)
}
