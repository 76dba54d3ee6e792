import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { type Environment, type KeyType, makeKey } from '#platform/keys/key-format.ts'
import { CAPABILITIES } from '#platform/keys/permissions.ts'
import { isAddressRange } from '#platform/values/address-range.ts'
import { keyCreated, keyRevoked, keyRotated } from './events.ts'
import * as queries from './queries.ts'
import { endKey, expireKey, getKey, insertKey, lockUsableKey } from './queries.ts'
import type { ApiKeyRecord } from './schema.ts'

/** Every key of a side, the newest first. */
export const { listKeys } = queries

/** A key with its record, at the one time that the key is shown. */
export type ShownKey = ApiKeyRecord & { readonly key: string }

export interface KeyRequest {
  readonly type: KeyType
  readonly name: string
  /** Of secret keys. */
  readonly permissions?: readonly string[]
  /** Of public keys, besides `auth`, which all have. */
  readonly capabilities?: readonly string[]
  /** Addresses and CIDR ranges. */
  readonly allowed_ips?: readonly string[]
  readonly allowed_origins?: readonly string[]
  readonly expires_at?: Date | string | null
  readonly created_by?: string | null
}

/**
 * Makes a key. Its text is in the answer and nowhere else.
 * @param known the permissions that there are: `permissionsOf(areas)`
 * @throws ApiError 422 for unknown permissions or capabilities, malformed addresses and origins
 */
export async function createKey(
  ctx: Context,
  environment: Environment,
  request: KeyRequest,
  known: readonly string[],
): Promise<ShownKey> {
  const faults = faultsOf(request, known)
  if (faults.length > 0) throw invalidBody(faults)
  const shown = await storeKey(ctx, environment, request)
  emit(ctx, keyCreated, summaryOf(shown))
  audit(ctx, { action: 'key.create', target: shown.id, after: rightsOf(shown) })
  return shown
}

/** Ends a key at once. @throws ApiError 404 */
export async function revokeKey(ctx: Context, id: string): Promise<void> {
  const key = getKey(ctx, { id })
  await endKey(ctx, { id })
  const revoked = await key
  emit(ctx, keyRevoked, summaryOf(revoked))
  audit(ctx, { action: 'key.revoke', target: revoked.id, before: rightsOf(revoked) })
}

/**
 * Replaces a key by a new one with the same rights; the old one goes on working for the grace period.
 * @throws ApiError 404 where the key no longer works
 */
export async function rotateKey(
  ctx: Context,
  environment: Environment,
  id: string,
  graceSeconds: number,
): Promise<ShownKey> {
  const old = await lockUsableKey(ctx, { id })
  const { name, type, permissions, capabilities, allowed_ips, allowed_origins, expires_at, created_by } = old
  const request = {
    name,
    type: type as KeyType,
    permissions,
    capabilities,
    allowed_ips,
    allowed_origins,
    expires_at,
    created_by,
  }
  expireKey(ctx, { id, seconds: graceSeconds })
  const shown = await storeKey(ctx, environment, request)
  emit(ctx, keyRotated, summaryOf(shown))
  audit(ctx, {
    action: 'key.rotate',
    target: toId('API key', id),
    after: { key: shown.id, grace_seconds: graceSeconds },
  })
  return shown
}

async function storeKey(ctx: Context, environment: Environment, request: KeyRequest): Promise<ShownKey> {
  const { key, prefix, hash } = makeKey(request.type, environment)
  const record = await insertKey(ctx, {
    id: newUuid(),
    name: request.name,
    type: request.type,
    prefix,
    key_hash: hash,
    permissions: request.type === 'secret' ? [...(request.permissions ?? [])] : [],
    capabilities: request.type === 'public' ? [...new Set(['auth', ...(request.capabilities ?? [])])] : [],
    allowed_ips: [...(request.allowed_ips ?? [])],
    allowed_origins: [...(request.allowed_origins ?? [])],
    created_by: request.created_by ?? null,
    expires_at: request.expires_at ?? null,
  })
  return { ...record, key }
}

/** What a key may do, for the audit log. */
const rightsOf = ({
  name,
  type,
  permissions,
  capabilities,
  allowed_ips,
  allowed_origins,
  expires_at,
}: ApiKeyRecord) => ({
  ...{ name, type, permissions, capabilities, allowed_ips, allowed_origins, expires_at },
})

const summaryOf = ({ id, name, type, prefix }: ApiKeyRecord) => ({ id, name, type, prefix })

function faultsOf(request: KeyRequest, known: readonly string[]): FieldFault[] {
  const check = (
    field: string,
    values: readonly string[] = [],
    fits: (value: string) => boolean,
    message: string,
  ) =>
    values.flatMap((value, i) => (fits(value) ? [] : [{ field: `${field}[${i}]`, rule: 'value', message }]))
  const among = (known: readonly string[]) => (value: string) => known.includes(value)
  return [
    ...(request.name.length >= 1 && request.name.length <= 120
      ? []
      : [{ field: 'name', rule: 'length', message: 'must have 1 to 120 characters' }]),
    ...check('permissions', request.permissions, among(known), `must be one of: ${known.join(', ')}`),
    ...check(
      'capabilities',
      request.capabilities,
      among(CAPABILITIES),
      `must be one of: ${CAPABILITIES.join(', ')}`,
    ),
    ...check('allowed_ips', request.allowed_ips, isAddressRange, 'must be an IP address or a CIDR range'),
    ...check(
      'allowed_origins',
      request.allowed_origins,
      isOrigin,
      'must be an origin like https://example.com',
    ),
  ]
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
