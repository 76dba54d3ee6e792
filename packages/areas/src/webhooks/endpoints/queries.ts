import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Payload } from '../schema.ts'
import { endpointColumns } from './rows.ts'
import type { Signing } from './signing.ts'

/** Hours that a replaced secret goes on signing. */
const OVERLAP_HOURS = 24

const NOT_FOUND = 'Webhook endpoint'

/** A previous secret is ignored after its overlap. */
const overlap = sql<string | null>`case when previous_secret_until > now() then previous_secret_until end`.as(
  'previous_secret_until',
)

const byId = lookup('webhook_endpoint', (v: { id: string }) =>
  query.selectFrom('webhook_endpoints').select(endpointColumns).select(overlap).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const getEndpoint = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, NOT_FOUND)

const locked = statement('lock_webhook_endpoint', (v: { id: string }) =>
  query
    .selectFrom('webhook_endpoints')
    .select(['signing', 'enabled', 'events', 'url', 'failing_since', 'failing_announced'])
    .select(sql<number | null>`extract(epoch from now() - failing_since)::float8`.as('failing_seconds'))
    .where('id', '=', v.id)
    .forNoKeyUpdate(),
)

/** Locks an endpoint. @throws ApiError 404 */
export const lockEndpoint = (ctx: Context, id: string) => ctx.tx.one(locked, { id }, NOT_FOUND)

/** One page of endpoints, the newest first, and how many there are in all. */
export const listEndpoints = defineList({
  label: 'webhook_endpoints',
  rows: () => query.selectFrom('webhook_endpoints').select(endpointColumns).select(overlap),
  key: 'id',
  sorts: { created_at: ['created_at', 'timestamptz'] },
})

export interface NewEndpointRow {
  id: string
  url: string
  description: string
  events: readonly string[]
  enabled: boolean
  payload: Payload
  fifo: boolean
  rate_limit: number | null
  header_names: readonly string[]
  headers: Buffer | null
  signing: Signing
  secret: Buffer
}

const requested = sql<string>`'requested'`
const insert = statement('insert_webhook_endpoint', (v: NewEndpointRow) =>
  query
    .insertInto('webhook_endpoints')
    .values({
      id: v.id,
      url: v.url,
      description: v.description,
      events: v.events as string[],
      enabled: v.enabled,
      disabled_at: sql`case when not ${v.enabled}::boolean then now() end`,
      disabled_reason: sql`case when not ${v.enabled}::boolean then ${requested} end`,
      payload: v.payload,
      fifo: v.fifo,
      rate_limit: v.rate_limit,
      header_names: v.header_names as string[],
      headers: v.headers,
      signing: v.signing,
      secret: v.secret,
    })
    .returning(endpointColumns)
    .returning(overlap),
)

export const insertEndpointRow = (ctx: Context, endpoint: NewEndpointRow) => ctx.tx.single(insert, endpoint)

/** What a change may set. */
export interface EndpointUpdate {
  url?: string
  description?: string
  events?: readonly string[]
  payload?: Payload
  fifo?: boolean
  rate_limit?: number | null
  headers?: { names: readonly string[]; sealed: Buffer | null }
}

type UpdateValues = Required<Omit<EndpointUpdate, 'headers'>> & {
  id: string
  names: readonly string[]
  sealed: Buffer | null
}

const SETTERS: { [C in keyof EndpointUpdate]-?: (v: UpdateValues) => Record<string, unknown> } = {
  url: (v) => ({ url: v.url }),
  description: (v) => ({ description: v.description }),
  events: (v) => ({ events: v.events }),
  payload: (v) => ({ payload: v.payload }),
  fifo: (v) => ({ fifo: v.fifo, blocked_until: null }),
  rate_limit: (v) => ({ rate_limit: v.rate_limit }),
  headers: (v) => ({ header_names: v.names, headers: v.sealed }),
}

const update = statements(
  'update_webhook_endpoint',
  (columns: (keyof EndpointUpdate)[]) => (v: UpdateValues) =>
    query
      .updateTable('webhook_endpoints')
      .set(Object.assign({ updated_at: sql`now()` }, ...columns.map((column) => SETTERS[column](v))))
      .where('id', '=', v.id)
      .returning(endpointColumns)
      .returning(overlap),
)

/** @throws ApiError 404 */
export function updateEndpointRow(ctx: Context, id: string, { headers, ...others }: EndpointUpdate) {
  const given = { ...others, ...(headers && { headers }) }
  const columns = (Object.keys(SETTERS) as (keyof EndpointUpdate)[]).filter(
    (column) => given[column] !== undefined,
  )
  const values = { id, ...others, ...headers } as UpdateValues
  return ctx.tx.one(update(columns), values, NOT_FOUND)
}

const enable = statement('enable_webhook_endpoint', (v: { id: string }) =>
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
)

/** Answers undefined where it is missing or enabled already. */
export const enableEndpointRow = (ctx: Context, id: string) => ctx.tx.first(enable, { id })

export type DisabledReason = 'requested' | 'gone' | 'failing'

const disable = statement('disable_webhook_endpoint', (v: { id: string; reason: DisabledReason }) =>
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
)

/** Answers undefined where it is missing or disabled already. */
export const disableEndpointRow = (ctx: Context, id: string, reason: DisabledReason) =>
  ctx.tx.first(disable, { id, reason })

const announced = statement('webhook_failing_announced', (v: { id: string; percent: number }) =>
  query.updateTable('webhook_endpoints').set({ failing_announced: v.percent }).where('id', '=', v.id),
)

/** Notes at which percentage of the time allowed the failing was last announced. */
export const putFailingAnnounced = (ctx: Context, id: string, percent: number) =>
  ctx.tx.defer(announced, { id, percent })

const remove = statement('delete_webhook_endpoint', (v: { id: string }) =>
  query.deleteFrom('webhook_endpoints').where('id', '=', v.id).returning('id'),
)

/** Its deliveries are seen by nobody from then on. @throws ApiError 404 */
export const deleteEndpointRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, NOT_FOUND)

const secret = statement('webhook_secret', (v: { id: string }) =>
  query.selectFrom('webhook_endpoints').select('secret').where('id', '=', v.id),
)

/** The sealed secret. @throws ApiError 404 */
export const getSealedSecret = (ctx: Context, id: string) => ctx.tx.one(secret, { id }, NOT_FOUND)

const rotate = statement('rotate_webhook_secret', (v: { id: string; secret: Buffer; signing: Signing }) =>
  query
    .updateTable('webhook_endpoints')
    .set((row) => ({
      previous_secret: row.ref('secret'),
      previous_secret_until: sql`now() + interval '${sql.lit(OVERLAP_HOURS)} hours'`,
      secret: v.secret,
      signing: v.signing,
      updated_at: sql`now()`,
    }))
    .where('id', '=', v.id)
    .returning(endpointColumns)
    .returning(overlap),
)

/** Replaces the secret; the one before signs too for 24 hours. @throws ApiError 404 */
export const replaceSecret = (ctx: Context, id: string, secret: Buffer, signing: Signing) =>
  ctx.tx.one(rotate, { id, secret, signing }, NOT_FOUND)
