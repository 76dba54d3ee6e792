import { sql } from 'kysely'
import { defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, field, givenField, storedElsewhere } from '#platform/http/define-patch.ts'
import { defineList } from '#platform/lists/list.ts'
import { between, contains, equals } from '#platform/lists/list-filters.ts'
import { EndpointChanges, type Payload } from '../schema.ts'
import { endpointColumns, toEndpoint } from './rows.ts'
import type { Signing } from './signing.ts'

/** Hours that a replaced secret goes on signing. */
const OVERLAP_HOURS = 24

const NOT_FOUND = 'Webhook endpoint'

/** A previous secret is ignored after its overlap. */
const overlap = sql<string | null>`case when previous_secret_until > now() then previous_secret_until end`.as(
  'previous_secret_until',
)

const endpoints = () => query.selectFrom('webhook_endpoints').select(endpointColumns).select(overlap)

const endpointById = defineLookup('webhook_endpoint', (v: { id: string }) =>
  endpoints().where('id', '=', v.id),
)
/** @throws ApiError 404 */
export const getEndpoint = endpointById.map(toEndpoint).one(NOT_FOUND)
/** The same as it is stored. @throws ApiError 404 */
export const getEndpointRow = endpointById.one(NOT_FOUND)

/** Locks an endpoint. @throws ApiError 404 */
export const lockEndpoint = defineQuery('lock_webhook_endpoint', (v: { id: string }) =>
  query
    .selectFrom('webhook_endpoints')
    .select(['signing', 'enabled', 'events', 'url', 'failing_since', 'failing_announced'])
    .select(sql<number | null>`extract(epoch from now() - failing_since)::float8`.as('failing_seconds'))
    .where('id', '=', v.id)
    .forNoKeyUpdate(),
).one(NOT_FOUND)

/** One page of endpoints, the newest first, and how many there are in all. */
export const listEndpoints = defineList({
  label: 'webhook_endpoints',
  rows: endpoints,
  map: toEndpoint,
  key: 'id',
  filters: { enabled: equals<boolean>('enabled'), ...between('created_at') },
  search: contains('url', 'description'),
  sorts: { created_at: ['created_at', 'timestamptz'] },
})

/** Headers as they are stored. */
export interface SealedHeaders {
  readonly header_names: string[]
  readonly headers: Buffer | null
}

export interface NewEndpointRow extends SealedHeaders {
  id: string
  url: string
  description: string
  events: string[]
  enabled: boolean
  payload: Payload
  fifo: boolean
  rate_limit: number | null
  signing: Signing
  secret: Buffer
}

const requested = sql<string>`'requested'`
export const insertEndpoint = defineQuery('insert_webhook_endpoint', (v: NewEndpointRow) =>
  query
    .insertInto('webhook_endpoints')
    .values({
      ...pick(v, 'id', 'url', 'description', 'enabled', 'payload', 'fifo', 'rate_limit', 'headers'),
      ...pick(v, 'events', 'header_names', 'signing', 'secret'),
      disabled_at: sql`case when not ${v.enabled}::boolean then now() end`,
      disabled_reason: sql`case when not ${v.enabled}::boolean then ${requested} end`,
    })
    .returning(endpointColumns)
    .returning(overlap),
)
  .map(toEndpoint)
  .single()

/** Changes what is sent; headers come as they are stored. @throws ApiError 404 */
export const patchEndpoint = definePatch('webhook_endpoints', {
  body: EndpointChanges,
  current: deriveQuery(({ id }: { id: string } & Partial<SealedHeaders>) => getEndpointRow({ id })),
  columns: ['url', 'description', 'events', 'payload', 'rate_limit'],
  fields: {
    enabled: storedElsewhere,
    fifo: field(
      (fifo: boolean) => ({ fifo }),
      (v) => ({ fifo: v.fifo, blocked_until: null }),
    ),
    headers: givenField('header_names', 'headers'),
  },
  also: { updated_at: sql`now()` },
  // Headers are not shown: a change of them shows in `updated_at`.
  tagMore: ['updated_at'],
})
export const endpointTag = patchEndpoint.tag

/** Answers undefined where it is missing or enabled already. */
export const enableEndpoint = defineQuery('enable_webhook_endpoint', (v: { id: string }) =>
  query
    .updateTable('webhook_endpoints')
    .set({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      // The failure statistics start again: those from before the repair say nothing about now.
      failing_since: null,
      failing_announced: 0,
      blocked_until: null,
      lane: 'webhooks',
      updated_at: sql`now()`,
    })
    .where('id', '=', v.id)
    .where('enabled', '=', false)
    .returning('id'),
).first()

export type DisabledReason = 'requested' | 'gone' | 'failing'

/** Answers undefined where it is missing or disabled already. */
export const disableEndpoint = defineQuery(
  'disable_webhook_endpoint',
  (v: { id: string; reason: DisabledReason }) =>
    query
      .updateTable('webhook_endpoints')
      .set({
        enabled: false,
        disabled_at: sql`now()`,
        disabled_reason: v.reason,
        updated_at: sql`now()`,
      })
      .where('id', '=', v.id)
      .where('enabled', '=', true)
      .returning(['url', 'failing_since']),
).first()

/** Notes at which percentage of the time allowed the failing was last announced. */
export const noteFailingAnnounced = defineQuery(
  'webhook_failing_announced',
  (v: { id: string; percent: number }) =>
    query.updateTable('webhook_endpoints').set({ failing_announced: v.percent }).where('id', '=', v.id),
)

/** Its deliveries are seen by nobody from then on. @throws ApiError 404 */
export const deleteEndpoint = defineQuery('delete_webhook_endpoint', (v: { id: string }) =>
  query.deleteFrom('webhook_endpoints').where('id', '=', v.id).returning(['url', 'events', 'enabled']),
).one(NOT_FOUND)

/** The sealed secret. @throws ApiError 404 */
export const getSealedSecret = defineQuery('webhook_secret', (v: { id: string }) =>
  query.selectFrom('webhook_endpoints').select('secret').where('id', '=', v.id),
).one(NOT_FOUND)

/** Replaces the secret; the one before signs too for 24 hours. @throws ApiError 404 */
export const replaceSecret = defineQuery(
  'rotate_webhook_secret',
  (v: { id: string; secret: Buffer; signing: Signing }) =>
    query
      .updateTable('webhook_endpoints')
      .set((row) => ({
        previous_secret: row.ref('secret'),
        previous_secret_until: sql`now() + interval '${sql.lit(OVERLAP_HOURS)} hours'`,
        ...pick(v, 'secret', 'signing'),
        updated_at: sql`now()`,
      }))
      .where('id', '=', v.id)
      .returning(endpointColumns)
      .returning(overlap),
)
  .map(toEndpoint)
  .one(NOT_FOUND)
