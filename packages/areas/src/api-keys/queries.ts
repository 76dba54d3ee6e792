import { type InferResult, sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import type { KeyType } from '#platform/keys/key-format.ts'
import type { ApiKeyRecord } from './schema.ts'

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

/** What is read of a key: everything but the hash. */
const keys = () => query.selectFrom('api_keys').select(keyColumns)

/** A row as clients see it. */
export const toRecord = ({
  permissions,
  capabilities,
  ...row
}: InferResult<ReturnType<typeof keys>>[number]): ApiKeyRecord => ({
  ...row,
  id: toId('API key', row.id),
  type: row.type as KeyType,
  ...(row.type === 'secret' ? { permissions } : { capabilities }),
})

/** Every key of the project, the newest first, the revoked ones included. */
export const listKeys = defineQuery('api_keys', () => keys().orderBy('created_at', 'desc').orderBy('id')).map(
  toRecord,
)

/** @throws ApiError 404 */
export const getKey = defineLookup('api_key_by_id', (v: { id: string }) => keys().where('id', '=', v.id))
  .map(toRecord)
  .one('API key')

/** A key that still works, as it is stored, locked until the end of the transaction. @throws ApiError 404 */
export const lockUsableKey = defineQuery('usable_api_key', (v: { id: string }) =>
  keys()
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null)
    // By the clock: now() is when this transaction began, perhaps before the one it waited for ended the key.
    .where(sql<boolean>`coalesce(expires_at > clock_timestamp(), true)`)
    .forUpdate(),
).one('API key')

export interface NewKey {
  id: string
  name: string
  type: string
  prefix: string
  key_hash: Buffer
  permissions: string[]
  capabilities: string[]
  allowed_ips: string[]
  allowed_origins: string[]
  created_by: string | null
  expires_at: Date | string | null
}

export const insertKey = defineQuery('insert_api_key', (v: NewKey) =>
  query
    .insertInto('api_keys')
    .values({
      ...pick(v, 'id', 'name', 'type', 'prefix', 'key_hash', 'permissions', 'capabilities'),
      ...pick(v, 'allowed_ips', 'allowed_origins', 'created_by', 'expires_at'),
    })
    .returning(keyColumns),
)
  .map(toRecord)
  .single()

/** @throws ApiError 404, for a key that is revoked already too */
export const endKey = defineQuery('revoke_api_key', (v: { id: string }) =>
  query
    .updateTable('api_keys')
    .set({ revoked_at: sql`now()` })
    .where('id', '=', v.id)
    .where('revoked_at', 'is', null)
    .returning('id'),
).one('API key')

/** Lets a key work for so many seconds more, or for as long as it would have if that is shorter. */
export const expireKey = defineQuery('expire_api_key', (v: { id: string; seconds: number }) =>
  query
    .updateTable('api_keys')
    .set({ expires_at: sql`least(expires_at, now() + make_interval(secs => ${v.seconds}))` })
    .where('id', '=', v.id),
)
