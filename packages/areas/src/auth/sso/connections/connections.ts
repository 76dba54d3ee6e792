import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody, invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { checkOutboundUrl } from '#platform/outbound/outbound-url.ts'
import { connectionId } from '../../ids.ts'
import { endOtherSessions } from '../../sessions/sessions.ts'
import { connectionCreated, connectionDeleted } from '../events.ts'
import { SharedIssuer } from '../protocols/oidc.ts'
import { readDocument } from '../protocols/provider-fetch.ts'
import { type IdpMetadata, MetadataFault, parseMetadata } from '../protocols/saml-metadata.ts'
import type { Connection, ConnectionChanges, NewConnection } from '../schema.ts'
import type { SsoTools } from '../tools.ts'
import {
  type GivenConnection,
  getConnectionRow,
  insertConnection,
  type NewConnectionRow,
  patchConnection,
  removeConnection,
} from './queries.ts'
import { toConnection, toSummary } from './rows.ts'

/** The fields that belong to each type of provider. */
const OIDC_FIELDS = ['issuer', 'client_id', 'client_secret'] as const
const SAML_FIELDS = ['metadata', 'metadata_url'] as const

/**
 * Does the work outside of a transaction: checks the input, calls the provider, and encrypts secrets.
 * @throws ApiError 422 for invalid input, or if the provider does not match it
 */
export async function prepareConnection(
  tools: SsoTools,
  projectId: string,
  input: NewConnection,
): Promise<NewConnectionRow> {
  assertFields(input)
  const id = newUuid()
  const { type, name, enabled = true, domains = [], required = false } = input
  const common = { id, type, name, enabled, required, domains: inLowerCase(domains) }
  if (type === 'saml') {
    const { entityId, ssoUrl, certificates } = await readMetadata(tools, input)
    const metadata_url = input.metadata_url ?? null
    const saml = { issuer: entityId, sso_url: ssoUrl, certificates, metadata_url }
    return { ...common, ...saml, client_id: null, client_secret: null }
  }
  const { issuer = '', client_id: clientId = '', client_secret: clientSecret } = input
  await assertIssuer(tools, { issuer, clientId, clientSecret })
  const client_secret = clientSecret === undefined ? null : tools.box.seal(clientSecret, id, projectId)
  const oidc = { issuer, client_id: clientId, client_secret }
  return { ...common, ...oidc, sso_url: null, certificates: [], metadata_url: null }
}

type Settings = Pick<NewConnectionRow, 'name' | 'issuer' | 'domains' | 'enabled' | 'required'> & {
  readonly type: string
}
/** What the audit log has of a connection: never a secret. */
const settingsOf = ({ name, type, issuer, domains, enabled, required }: Settings) => ({
  ...{ name, type, issuer, domains, enabled, required },
})

/** @throws ApiError 422 if the connection is required and has no domains */
export async function createConnection(
  ctx: Context,
  { places }: SsoTools,
  row: NewConnectionRow,
): Promise<Connection> {
  const made = await insertConnection(ctx, row)
  if (made.required && made.enabled) await endOtherSessions(ctx, made.domains)
  emit(ctx, connectionCreated, toSummary(made))
  audit(ctx, {
    action: 'sso_connection.create',
    target: toId(connectionId, made.id),
    after: settingsOf(made),
  })
  return toConnection(made, places)
}

/**
 * Reads the fields of a change that depend on the provider. Calls the provider, so it runs outside of a transaction.
 */
export async function prepareChange(
  tools: SsoTools,
  changes: ConnectionChanges,
): Promise<IdpMetadata | undefined> {
  const hasMetadata = SAML_FIELDS.some((field) => changes[field] !== undefined)
  return hasMetadata ? readMetadata(tools, changes) : undefined
}

/** Changes the fields that are sent. @throws ApiError 404; 422 for fields that do not fit this connection */
export async function updateConnection(
  ctx: Context,
  { box, places }: SsoTools,
  id: string,
  changes: ConnectionChanges,
  metadata: IdpMetadata | undefined,
): Promise<Connection> {
  const before = await getConnectionRow(ctx, { id })
  const { type, issuer } = before
  const foreign = (type === 'oidc' ? SAML_FIELDS : OIDC_FIELDS).filter((field) => field in changes)
  if (foreign.length > 0) throw invalidBody(foreign.map((field) => belongsTo(field)))
  if (metadata && metadata.entityId !== issuer)
    throw invalidField(
      'metadata',
      'issuer',
      'is the metadata of another provider: create another connection for it',
    )
  const { domains, client_secret, metadata_url = null } = changes
  const given: GivenConnection = {
    ...(domains !== undefined && { domains: inLowerCase(domains) }),
    ...(client_secret !== undefined && {
      client_secret: client_secret === null ? null : box.seal(client_secret, id, ctx.projectId),
    }),
    ...(metadata && {
      sso_url: metadata.ssoUrl,
      certificates: metadata.certificates,
      metadata_url,
    }),
  }
  const changed = await patchConnection(ctx, { id, ...given, changes, ifMatch: undefined })
  if (changed.required && changed.enabled) await endOtherSessions(ctx, changed.domains)
  audit(ctx, {
    action: 'sso_connection.update',
    target: toId(connectionId, id),
    before: settingsOf(before),
    after: { ...settingsOf(changed), changed: Object.keys(changes) },
  })
  return toConnection(changed, places)
}

/** @throws ApiError 404 */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  const before = await removeConnection(ctx, { id })
  emit(ctx, connectionDeleted, { id: toId(connectionId, id) })
  audit(ctx, { action: 'sso_connection.delete', target: toId(connectionId, id), before })
}

const inLowerCase = (domains: readonly string[]) => [
  ...new Set(domains.map((domain) => domain.toLowerCase())),
]

const belongsTo = (field: string): FieldFault => ({
  field,
  rule: 'type',
  message: 'is not a field of a connection of this type',
})

function assertFields(input: NewConnection): void {
  const own = input.type === 'oidc' ? OIDC_FIELDS : SAML_FIELDS
  const faults = [...OIDC_FIELDS, ...SAML_FIELDS]
    .filter((field) => input[field] !== undefined && !(own as readonly string[]).includes(field))
    .map(belongsTo)
  const missing = (field: string, message: string) => faults.push({ field, rule: 'required', message })
  if (input.type === 'oidc' && input.issuer === undefined) missing('issuer', 'is required')
  if (input.type === 'oidc' && input.client_id === undefined) missing('client_id', 'is required')
  if (input.type === 'saml' && (input.metadata === undefined) === (input.metadata_url === undefined))
    missing('metadata', 'is required, or metadata_url instead')
  if (input.required && (input.domains ?? []).length === 0)
    faults.push({
      field: 'required',
      rule: 'domains',
      message: 'needs `domains`: send the domains of the addresses that must use the connection',
    })
  if (faults.length > 0) throw invalidBody(faults)
}

/** Reads the discovery document, so that no connection is created that cannot work. */
async function assertIssuer(
  { oidc, rules }: SsoTools,
  client: { issuer: string; clientId: string; clientSecret: string | undefined },
): Promise<void> {
  const fault = checkOutboundUrl(client.issuer, rules, 'issuer')
  if (fault) throw invalidBody([fault])
  // The URL would be fetched as it is, and the document behind it could claim any issuer.
  if (/\/\.well-known\/|[?#]/.test(client.issuer))
    throw invalidField(
      'issuer',
      'format',
      'must be the issuer only, without /.well-known/, query or fragment',
    )
  await oidc.discover(client).catch((cause: unknown) => {
    if (cause instanceof SharedIssuer)
      throw invalidField(
        'issuer',
        'tenant',
        'must be the issuer of one tenant: replace common with the id of the tenant',
        cause,
      )
    throw invalidField(
      'issuer',
      'discovery',
      'has no discovery document of an OpenID provider with this issuer',
      cause,
    )
  })
}

async function readMetadata(
  { outbound, rules }: SsoTools,
  { metadata, metadata_url }: { metadata?: string; metadata_url?: string },
): Promise<IdpMetadata> {
  if (metadata !== undefined && metadata_url !== undefined)
    throw invalidField('metadata_url', 'oneOf', 'cannot be given together with metadata')
  const field = metadata === undefined ? 'metadata_url' : 'metadata'
  try {
    return parseMetadata(metadata ?? (await fetchMetadata(metadata_url ?? '')), rules)
  } catch (error) {
    if (!(error instanceof MetadataFault)) throw error
    throw invalidField(field, 'metadata', error.message, error)
  }

  async function fetchMetadata(url: string): Promise<string> {
    const fault = checkOutboundUrl(url, rules, field)
    if (fault) throw invalidBody([fault])
    return readDocument(outbound, url).catch((cause: unknown) => {
      throw invalidField(field, 'fetch', 'cannot be read: check the address', cause)
    })
  }
}
