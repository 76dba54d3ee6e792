import { sql } from 'kysely'
import { type AnswerOf, defineLookup, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { definePatch, givenField } from '#platform/http/define-patch.ts'
import { toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { connectionId } from '../../ids.ts'
import { connectionUpdated } from '../events.ts'
import { type Connection, ConnectionChanges } from '../schema.ts'
import { connectionColumns, connections, type Places, toConnection, toSummary } from './rows.ts'

const WHAT = 'SSO connection'
const constraints = {
  sso_connections_required: (cause: unknown) =>
    invalidField(
      'required',
      'domains',
      'needs `domains`: send the domains of the addresses that must use the connection',
      cause,
    ),
}

/** @throws ApiError 404 */
export const getConnection = defineLookup('sso_connection', (v: { id: string; places: Places }) =>
  connections().where('id', '=', v.id),
)
  .map((row, { places }) => toConnection(row, places))
  .one(WHAT)
/** The same as it is stored. @throws ApiError 404 */
export const getConnectionRow = defineLookup('sso_connection_row', (v: { id: string }) =>
  connections().where('id', '=', v.id),
).one(WHAT)

/** A connection that members can log in by, with its encrypted secret; undefined if there is none. */
export const findUsable = defineQuery('usable_sso_connection', (v: { id: string }) =>
  connections()
    .select('client_secret')
    .select(
      sql<boolean>`(uses_old_callback and not exists (select from sso_connections as o
        where o.issuer = sso_connections.issuer and o.id <> sso_connections.id))`.as('may_use_old_callback'),
    )
    .where('id', '=', v.id)
    .where('enabled', '=', true),
).first()
/** A connection with all that a login needs. */
export type UsableConnection = NonNullable<AnswerOf<typeof findUsable>>

/** One page of connections, the newest first, and how many there are in all. */
export const listConnections = defineList({
  label: 'sso_connections',
  rows: connections,
  key: 'id',
  sorts: { created_at: ['created_at', 'timestamptz'] },
})

/** The connections for addresses of a domain; with an empty domain, those for all addresses. */
export const listOffered = defineQuery('offered_sso_connections', (v: { domain: string }) =>
  query
    .selectFrom('sso_connections')
    .select(['id', 'type', 'name', 'required'])
    .where('enabled', '=', true)
    .where(sql<boolean>`(cardinality(domains) = 0 or ${v.domain} = any (domains))`)
    .orderBy('required', 'desc')
    .orderBy(sql`cardinality(domains) = 0`)
    .orderBy('name')
    .orderBy('id'),
).map((row) => ({ ...row, id: toId(connectionId, row.id), type: row.type as Connection['type'] }))

export interface NewConnectionRow {
  id: string
  type: 'oidc' | 'saml'
  name: string
  enabled: boolean
  domains: string[]
  required: boolean
  issuer: string
  client_id: string | null
  client_secret: Buffer | null
  sso_url: string | null
  certificates: string[]
  metadata_url: string | null
}

/** @throws ApiError 422 if the connection is required and has no domains */
export const insertConnection = defineQuery(
  'insert_sso_connection',
  (v: NewConnectionRow) =>
    query
      .insertInto('sso_connections')
      .values({
        ...pick(v, 'id', 'type', 'name', 'enabled', 'domains', 'required', 'issuer'),
        ...pick(v, 'client_id', 'client_secret', 'sso_url', 'certificates', 'metadata_url'),
      })
      .returning(connectionColumns),
  constraints,
).single()

/** What fields of a change become: those that were sent. */
export interface GivenConnection {
  readonly domains?: readonly string[]
  readonly client_secret?: Buffer | null
  readonly sso_url?: string
  readonly certificates?: readonly string[]
  readonly metadata_url?: string | null
}

const ofProvider = givenField('sso_url', 'certificates', 'metadata_url')
const current = deriveQuery(({ id }: { id: string } & GivenConnection) => getConnectionRow({ id }))
/** Changes what is sent. @throws ApiError 404; 422 if the connection is required and has no domains */
export const patchConnection = definePatch('sso_connections', {
  body: ConnectionChanges,
  current,
  columns: ['name', 'enabled', 'required', 'client_id', 'uses_old_callback'],
  fields: {
    domains: givenField('domains'),
    client_secret: givenField('client_secret'),
    metadata: ofProvider,
    metadata_url: ofProvider,
  },
  also: { updated_at: sql`now()` },
  constraints,
  announce: (ctx, connection) => emit(ctx, connectionUpdated, toSummary(connection)),
})

/** Deletes a connection and the identities of its users. Sessions are kept. @throws ApiError 404 */
export const removeConnection = defineQuery('delete_sso_connection', (v: { id: string }) =>
  query.deleteFrom('sso_connections').where('id', '=', v.id).returning(['name', 'type', 'domains']),
).one(WHAT)
