import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { lookup, query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { connectionColumns } from './rows.ts'

const WHAT = 'SSO connection'
const constraints = {
  sso_connections_required: (cause: unknown) =>
    invalidField('required', 'domains', 'needs domains: name the domains whose addresses must use it', cause),
}
const hasSecret = sql<boolean>`client_secret is not null`.as('has_client_secret')
const connections = () => query.selectFrom('sso_connections').select(connectionColumns).select(hasSecret)

const byId = lookup('sso_connection', (v: { id: string }) => connections().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getConnection = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, WHAT)

const usable = statement('usable_sso_connection', (v: { id: string }) =>
  connections().select('client_secret').where('id', '=', v.id).where('enabled', '=', true),
)
/** A connection that members can log in by, with its encrypted secret; undefined if there is none. */
export const findUsable = (ctx: Context, id: string) => ctx.tx.first(usable, { id })

const ofIssuer = statement('sso_connections_of_issuer', (v: { issuer: string }) =>
  query
    .selectFrom('sso_connections')
    .select(sql<number>`count(*)`.as('connections'))
    .where('issuer', '=', v.issuer),
)
/** How many connections there are to a provider. */
export const countOfIssuer = (ctx: Context, issuer: string) =>
  ctx.tx.single(ofIssuer, { issuer }).map(({ connections }) => connections)

/** One page of connections, the newest first, and how many there are in all. */
export const listConnections = defineList({
  label: 'sso_connections',
  rows: connections,
  key: 'id',
  sorts: { created_at: ['created_at', 'timestamptz'] },
})

const offered = statement('offered_sso_connections', (v: { domain: string }) =>
  query
    .selectFrom('sso_connections')
    .select(['id', 'type', 'name', 'required'])
    .where('enabled', '=', true)
    .where(sql<boolean>`(cardinality(domains) = 0 or ${v.domain} = any (domains))`)
    .orderBy('required', 'desc')
    .orderBy(sql`cardinality(domains) = 0`)
    .orderBy('name')
    .orderBy('id'),
)
/** The connections for addresses of a domain; with an empty domain, those for all addresses. */
export const listOffered = (ctx: Context, domain: string) => ctx.tx.all(offered, { domain })

export interface NewConnectionRow {
  id: string
  type: 'oidc' | 'saml'
  name: string
  enabled: boolean
  domains: readonly string[]
  required: boolean
  issuer: string
  client_id: string | null
  client_secret: Buffer | null
  sso_url: string | null
  certificates: readonly string[]
  metadata_url: string | null
}

const insert = statement(
  'insert_sso_connection',
  (v: NewConnectionRow) =>
    query
      .insertInto('sso_connections')
      .values({
        id: v.id,
        type: v.type,
        name: v.name,
        enabled: v.enabled,
        domains: v.domains as string[],
        required: v.required,
        issuer: v.issuer,
        client_id: v.client_id,
        client_secret: v.client_secret,
        sso_url: v.sso_url,
        certificates: v.certificates as string[],
        metadata_url: v.metadata_url,
      })
      .returning(connectionColumns)
      .returning(hasSecret),
  constraints,
)
/** @throws ApiError 422 if the connection is required and has no domains */
export const insertConnectionRow = (ctx: Context, row: NewConnectionRow) => ctx.tx.single(insert, row)

/** The columns that a change can set. */
export interface ConnectionUpdate {
  name?: string
  enabled?: boolean
  domains?: readonly string[]
  required?: boolean
  client_id?: string
  client_secret?: Buffer | null
  sso_url?: string
  certificates?: readonly string[]
  metadata_url?: string | null
  uses_old_callback?: boolean
}
const CHANGEABLE = [
  'name',
  'enabled',
  'domains',
  'required',
  'client_id',
  'client_secret',
  'sso_url',
  'certificates',
  'metadata_url',
  'uses_old_callback',
] as const satisfies readonly (keyof ConnectionUpdate)[]

const update = statements(
  'update_sso_connection',
  (columns: (keyof ConnectionUpdate)[]) => (v: ConnectionUpdate & { id: string }) =>
    query
      .updateTable('sso_connections')
      .set(Object.assign({ updated_at: sql`now()` }, ...columns.map((column) => ({ [column]: v[column] }))))
      .where('id', '=', v.id)
      .returning(connectionColumns)
      .returning(hasSecret),
  constraints,
)
/** @throws ApiError 404; 422 if the connection is required and has no domains */
export function updateConnectionRow(ctx: Context, id: string, changes: ConnectionUpdate) {
  const columns = CHANGEABLE.filter((column) => changes[column] !== undefined)
  return ctx.tx.one(update(columns), { ...changes, id }, WHAT)
}

const remove = statement('delete_sso_connection', (v: { id: string }) =>
  query.deleteFrom('sso_connections').where('id', '=', v.id).returning('id'),
)
/** Deletes a connection and the identities of its users. Sessions are kept. @throws ApiError 404 */
export const deleteConnectionRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, WHAT)
