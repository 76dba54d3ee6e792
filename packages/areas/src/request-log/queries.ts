import { type InferResult, type SqlBool, sql } from 'kysely'
import { deliveryId, endpointId } from '#areas/webhooks/ids.ts'
import { type AnswerOf, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, choice, condition, equals, hasId } from '#platform/lists/list-filters.ts'
import type { LoggedRequest, StatusClass } from './schema.ts'

const rows = () =>
  query
    .selectFrom('request_log as r')
    .select(['r.id', 'r.request_id', 'r.at', 'r.method', 'r.route', 'r.status', 'r.ms', 'r.code'])
    .select(['r.key_id', 'r.member_id', 'r.operator_id'])
    .where('r.at', '>', sql<string>`now() - interval '7 days'`)

/** A request as operators see it. */
const toRequest = (row: InferResult<ReturnType<typeof rows>>[number]): LoggedRequest => ({
  id: row.request_id,
  at: row.at,
  method: row.method as LoggedRequest['method'],
  route: row.route,
  status: row.status,
  ms: Math.round(row.ms * 100) / 100,
  code: row.code,
  key_id: row.key_id === null ? null : toId('API key', row.key_id),
  member_id: row.member_id === null ? null : toId('member', row.member_id),
  operator_id: row.operator_id === null ? null : toId('operator', row.operator_id),
})

const CLASSES: Readonly<Record<StatusClass, ReturnType<typeof sql<SqlBool>>>> = {
  '2xx': sql`r.status between 200 and 299`,
  '3xx': sql`r.status between 300 and 399`,
  '4xx': sql`r.status >= 400 and r.status < 500`,
  '5xx': sql`r.status >= 400 and r.status >= 500`,
  failed: sql`r.status >= 400`,
}

/** One page of requests of the last 7 days, the newest first. */
export const listRequests = defineList({
  label: 'request_log',
  rows,
  map: toRequest,
  key: 'r.id',
  sorts: { at: ['r.at', 'timestamptz'] },
  counts: false,
  filters: {
    operators: choice<false>(() => sql`r.operator_id is null`),
    method: equals<string>('r.method'),
    status: condition<number>((value) => sql<SqlBool>`r.status = ${value}::int4`),
    status_class: choice<StatusClass>((each) => CLASSES[each]),
    // Words of the index of failed requests, which alone have a code.
    code: condition<string>((value) => sql<SqlBool>`(r.status >= 400 and r.code = ${value})`),
    route: equals<string>('r.route'),
    key_id: hasId('r.key_id', (text) => parseId('API key', text)),
    member_id: hasId('r.member_id', (text) => parseId('member', text)),
    request_id: equals<string>('r.request_id'),
    ...between('r.at'),
  },
})

/** Rows of one kind that an answer shows. */
const MOST = 100

export const requestsById = defineQuery('requests_by_id', (v: { request_id: string }) =>
  rows().where('r.request_id', '=', v.request_id).orderBy('r.at', 'desc').limit(MOST),
).map(toRequest)

/** @param types those that are shown; null for all */
export const eventsOfRequest = defineQuery(
  'events_of_request',
  (v: { request_id: string; types: readonly string[] | null }) =>
    query
      .selectFrom('events')
      .select(['id', 'type', 'occurred_at', 'member_id'])
      .where('request_id', '=', v.request_id)
      .where(sql<boolean>`(${v.types}::text[] is null or type = any (${v.types}::text[]))`)
      .orderBy('id')
      .limit(MOST),
)

export const jobsOfRequest = defineQuery('jobs_of_request', (v: { request_id: string }) =>
  query
    .selectFrom('jobs')
    .select(['id', 'name', 'state', 'attempts', 'last_error', 'created_at'])
    .where('request_id', '=', v.request_id)
    .orderBy('id')
    .limit(MOST),
)

/** Deliveries of events. Each is looked up at each webhook, of which there are few. */
export const deliveriesOfEvents = defineQuery('deliveries_of_events', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .select(['d.id', 'd.endpoint_id', 'd.event_id', 'd.state', 'd.attempts', 'd.last_status', 'd.last_error'])
    .where('d.event_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('d.id'),
)

type DeliveryRow = AnswerOf<typeof deliveriesOfEvents>[number]

/** A delivery as operators see it beside its event. */
export const toDelivery = ({ event_id: _event, ...row }: DeliveryRow) => ({
  ...row,
  id: toId(deliveryId, row.id),
  endpoint_id: toId(endpointId, row.endpoint_id),
  state: row.state as 'pending' | 'delivered' | 'failed',
})
