import { X509Certificate } from 'node:crypto'
import { toId } from '#platform/ids.ts'
import { connectionId } from '../../ids.ts'
import type { Connection } from '../schema.ts'

/** What queries for connections read: everything but what is sealed. */
export const connectionColumns = [
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

export interface ConnectionRow {
  id: string
  type: string
  name: string
  enabled: boolean
  domains: string[]
  required: boolean
  issuer: string
  client_id: string | null
  has_client_secret: boolean
  sso_url: string | null
  certificates: string[]
  metadata_url: string | null
  uses_old_callback: boolean
  created_at: string
  updated_at: string
}

/** The addresses that providers are told. */
export interface Places {
  /** Where OpenID providers lead back to: one address for each connection, so that no answer reaches another. */
  callback(connectionId: string): string
  /** The one that all had once. */
  readonly oldCallback: string
  acs(connectionId: string): string
  /** Also what a SAML provider knows us by. */
  metadata(connectionId: string): string
}

/** @param baseUrl where the API is reached from outside */
export function placesAt(baseUrl: string): Places {
  const root = `${baseUrl}/api/v1/auth/sso`
  const of = (id: string) => `${root}/${toId(connectionId, id)}`
  return Object.freeze({
    callback: (id: string) => `${of(id)}/callback`,
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
