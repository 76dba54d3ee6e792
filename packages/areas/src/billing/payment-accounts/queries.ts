import { sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

export interface AccountRow {
  id: string
  provider: string
  name: string
  is_default: boolean
  settings: unknown
  has_secrets: boolean
  has_webhook_secret: boolean
  publishable_key: string | null
  created_at: string
  updated_at: string
}

const rows = () =>
  query
    .selectFrom('payment_accounts')
    .select([
      'id',
      'provider',
      'name',
      'is_default',
      'settings',
      'publishable_key',
      'created_at',
      'updated_at',
    ])
    .select(sql<boolean>`sealed_secrets is not null`.as('has_secrets'))
    .select(sql<boolean>`sealed_secrets is not null and has_webhook_secret`.as('has_webhook_secret'))
    .where('archived_at', 'is', null)

/** One page of accounts, the newest first. */
export const listAccounts = defineList({ label: 'payment_accounts', rows, key: 'id' })

const byId = statement('payment_account', (v: { id: string }) => rows().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getAccount = (ctx: Context, id: string) => ctx.tx.one(byId, { id }, 'Payment account')

const lock = statement('lock_accounts', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('payment accounts ' || app.current_project(), 0))`.as(
      'locked',
    ),
  ),
)
/** Two who choose a default take turns. */
export const lockAccounts = (ctx: Context) => ctx.tx.run(lock, {})

const hasDefault = statement('has_default_account', () =>
  query.selectFrom('payment_accounts').select('id').where('is_default', '=', true),
)
export const findDefault = (ctx: Context) => ctx.tx.first(hasDefault, {})

const unset = statement('unset_default_account', () =>
  query
    .updateTable('payment_accounts')
    .set({ is_default: false, updated_at: now })
    .where('is_default', '=', true),
)
export const unsetDefault = (ctx: Context) => ctx.tx.run(unset, {})

export interface StoredAccount {
  id: string
  provider: string
  name: string
  is_default: boolean
  settings: string
  /** Null: as they are. */
  sealed_secrets: Buffer | null
  has_webhook_secret: boolean
  publishable_key: string | null
}
const put = statement('put_payment_account', (v: StoredAccount) =>
  query
    .insertInto('payment_accounts')
    .values({
      id: v.id,
      provider: v.provider,
      name: v.name,
      is_default: v.is_default,
      settings: sql`${v.settings}::jsonb`,
      sealed_secrets: v.sealed_secrets,
      has_webhook_secret: v.has_webhook_secret,
      publishable_key: v.publishable_key,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'id']).doUpdateSet({
        name: v.name,
        is_default: v.is_default,
        settings: sql`${v.settings}::jsonb`,
        has_webhook_secret: v.has_webhook_secret,
        publishable_key: v.publishable_key,
        sealed_secrets: sql`coalesce(excluded.sealed_secrets, payment_accounts.sealed_secrets)`,
        updated_at: now,
      }),
    ),
)
/** Makes an account, or changes it; secrets that are null stay as they are. */
export const putAccount = (ctx: Context, account: StoredAccount) => ctx.tx.run(put, account)

const inUse = statement('account_in_use', (v: { id: string }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('account_id', '=', v.id)
    .where('status', '<>', 'canceled')
    .limit(1),
)
/** A subscription that runs with an account. */
export const findUser = (ctx: Context, id: string) => ctx.tx.first(inUse, { id })

const archive = statement('archive_account', (v: { id: string }) =>
  query.updateTable('payment_accounts').set({ archived_at: now, is_default: false }).where('id', '=', v.id),
)
/** It stays for what was paid with it. */
export const archiveAccountRow = (ctx: Context, id: string) => ctx.tx.run(archive, { id })
