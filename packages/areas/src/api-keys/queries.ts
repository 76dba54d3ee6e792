import { sql } from 'kysely'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const keyColumns = [
  'id',
  'name',
  'type',
  'prefix',
  'permissions',
  'capabilities',
  'allowed_ips',
  'allowed_origins',
  'created_by',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

/** What queries for keys read: everything but the hash. */
export interface KeyRow {
  id: string
  name: string
  type: string
  prefix: string
  permissions: string[]
  capabilities: string[]
  allowed_ips: string[]
  allowed_origins: string[]
  created_by: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

const all = statement('api_keys', () =>
  query.selectFrom('api_keys').select(keyColumns).orderBy('created_at', 'desc').orderBy('id'),
)

/** Every key of the project, the newest first, the revoked ones included. */
export const listKeys = (ctx: Context) => ctx.tx.all(all, {})

const byId = lookup('api_key_by_id', (v: { id: string }) =>
  query.selectFrom('api_keys').select(keyColumns).where('id', '=', v.id),
)

/** @throws ApiError 404 */
export const getKey = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'API key')

const usable = statement('usable_api_key', (v: { id: string }) =>
  query
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null)
    // By the clock: now() is when this transaction began, perhaps before the one it waited for ended the key.
    .where(sql<boolean>`coalesce(expires_at > clock_timestamp(), true)`)
    .forUpdate(),
)

/** A key that still works, held until the end of the transaction. @throws ApiError 404 */
export const lockUsableKey = (ctx: Context, id: string) => ctx.tx.one(usable, { id }, 'API key')

export interface NewKeyRow {
  id: string
  name: string
  type: string
  prefix: string
  hash: Buffer
  permissions: readonly string[]
  capabilities: readonly string[]
  allowed_ips: readonly string[]
  allowed_origins: readonly string[]
  created_by: string | null
  expires_at: Date | string | null
}

const insert = statement('insert_api_key', (v: NewKeyRow) =>
  query
    .insertInto('api_keys')
    .values({
      id: v.id,
      name: v.name,
      type: v.type,
      prefix: v.prefix,
      key_hash: v.hash,
      permissions: v.permissions as string[],
      capabilities: v.capabilities as string[],
      allowed_ips: v.allowed_ips as string[],
      allowed_origins: v.allowed_origins as string[],
      created_by: v.created_by,
      expires_at: v.expires_at,
    })
    .returning(keyColumns),
)
export const insertKeyRow = (ctx: Context, key: NewKeyRow) => ctx.tx.single(insert, key)

const revoke = statement('revoke_api_key', (v: { id: string }) =>
  query
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null)
    .returning('id'),
)

/** @throws ApiError 404, for a key that is revoked already too */
export const revokeKeyRow = (ctx: Context, id: string) => ctx.tx.one(revoke, { id }, 'API key')

const expire = statement('expire_api_key', (v: { id: string; seconds: number }) =>
  query
    .updateTable('api_keys')
    .set({ expires_at: sql`least(expires_at, now() + make_interval(secs => ${v.seconds}))` })
    .where('id', '=', v.id),
)

/** Lets a key work for so many seconds more, or for as long as it would have if that is shorter. */
export const expireKey = (ctx: Context, id: string, seconds: number) => ctx.tx.all(expire, { id, seconds })
