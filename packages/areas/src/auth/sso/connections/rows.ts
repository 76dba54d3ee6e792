import { X509Certificate } from 'node:crypto'
import { type InferResult, sql } from 'kysely'
import { query } from '#platform/db/statement.ts'
import { CONSOLE_API } from '#platform/http/server/console-access.ts'
import { toId } from '#platform/ids.ts'
import { connectionId } from '../../ids.ts'
import type { Connection } from '../schema.ts'

const columns = [
  'id',
  'type',
  'name',
  'enabled',
  'domains',
  'required',
  'issuer',
  'client_id',
  'sso_url',
  'certificates',
  'metadata_url',
  'uses_old_callback',
  'created_at',
  'updated_at',
] as const

const hasSecret = sql<boolean>`client_secret is not null`.as('has_client_secret')
/** What is read of a connection: everything except what is encrypted. */
export const connectionColumns = [...columns, hasSecret] as const
export const connections = () => query.selectFrom('sso_connections').select(connectionColumns)
export type ConnectionRow = InferResult<ReturnType<typeof connections>>[number]

/** The addresses that are entered at the provider. */
export interface Places {
  /**
   * The callback of an OpenID provider: one address for each connection, so that no answer reaches another connection.
   */
  callback(connectionId: string): string
  /** The callback that all connections shared once. */
  readonly oldCallback: string
  acs(connectionId: string): string
  /** The metadata of a SAML connection; its address is also our entity id. */
  metadata(connectionId: string): string
}

/** The stored id of the connection by which operators log in. It is in the project of operators, and is written as the settings say. */
export const CONSOLE_CONNECTION = '01a00000-0000-7000-8000-0000000000ab'
export const CONSOLE_CALLBACK = '/sso/callback'
/** The redirect URI that is entered at the provider of the console. */
export const consoleCallback = (baseUrl: string): string => `${baseUrl}${CONSOLE_API}${CONSOLE_CALLBACK}`

/** @param baseUrl the public address of the API */
export function placesAt(baseUrl: string): Places {
  const root = `${baseUrl}/api/v1/auth/sso`
  const of = (id: string) => `${root}/${toId(connectionId, id)}`
  return Object.freeze({
    callback: (id: string) => (id === CONSOLE_CONNECTION ? consoleCallback(baseUrl) : `${of(id)}/callback`),
    oldCallback: `${root}/callback`,
    acs: (id: string) => `${of(id)}/acs`,
    metadata: (id: string) => `${of(id)}/metadata`,
  })
}

export function toConnection({ certificates, ...row }: ConnectionRow, places: Places): Connection {
  const isSaml = row.type === 'saml'
  return {
    ...row,
    id: toId(connectionId, row.id),
    type: row.type as Connection['type'],
    certificate_fingerprints: certificates.map(
      (text) => new X509Certificate(Buffer.from(text, 'base64')).fingerprint256,
    ),
    callback_url: isSaml ? places.acs(row.id) : places.callback(row.id),
    uses_old_callback: !isSaml && row.uses_old_callback,
    service_metadata_url: isSaml ? places.metadata(row.id) : null,
  }
}

export const toSummary = ({ id, type, name, enabled, domains, required }: ConnectionRow) => ({
  id: toId(connectionId, id),
  type: type as Connection['type'],
  name,
  enabled,
  domains,
  required,
})
