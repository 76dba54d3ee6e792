import { type InferResult, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { definePatch, givenField, jsonField } from '#platform/http/define-patch.ts'
import { defineList } from '#platform/lists/list.ts'
import { type PaymentAccount, PaymentAccountChanges } from './schema.ts'

const accounts = () =>
  query
    .selectFrom('payment_accounts')
    .select(['id', 'provider', 'name', 'is_default', 'settings', 'publishable_key'])
    .select(['created_at', 'updated_at'])
    .select(sql<boolean>`sealed_secrets is not null`.as('has_secrets'))
    .select(sql<boolean>`sealed_secrets is not null and has_webhook_secret`.as('has_webhook_secret'))
    .$narrowType<Pick<PaymentAccount, 'provider'>>()
    .where('archived_at', 'is', null)

/** An account without its secrets. */
export type AccountRow = InferResult<ReturnType<typeof accounts>>[number]

/** One page of accounts, the newest first. */
export const listAccounts = defineList({ label: 'payment_accounts', rows: accounts, key: 'id' })

/** @throws ApiError 404 */
export const getAccount = defineQuery('payment_account', (v: { id: string }) =>
  accounts().where('id', '=', v.id),
).one('Payment account')

/** Two who choose a default take turns. */
export const lockAccounts = defineQuery('lock_accounts', () =>
  query.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended('payment accounts ' || app.current_project(), 0))`.as(
      'locked',
    ),
  ),
)

export const findDefault = defineQuery('has_default_account', () =>
  query.selectFrom('payment_accounts').select('id').where('is_default', '=', true),
).first()

export const unsetDefault = defineQuery('unset_default_account', () =>
  query
    .updateTable('payment_accounts')
    .set({ is_default: false, updated_at: now })
    .where('is_default', '=', true),
)

interface StoredSecrets {
  sealed_secrets: Buffer | null
  has_webhook_secret: boolean
}
interface StoredAccount extends StoredSecrets {
  id: string
  provider: string
  name: string
  is_default: boolean
  settings: string
  publishable_key: string | null
}
export const insertAccount = defineQuery('insert_payment_account', (v: StoredAccount) =>
  query.insertInto('payment_accounts').values({
    ...pick(v, 'id', 'provider', 'name', 'is_default', 'publishable_key'),
    ...pick(v, 'sealed_secrets', 'has_webhook_secret'),
    settings: sql<string>`${v.settings}::jsonb`,
    created_at: now,
    updated_at: now,
  }),
)

/** Changes what is sent of an account; secrets come as they are stored. @throws ApiError 404 */
export const patchAccount = definePatch('payment_accounts', {
  body: PaymentAccountChanges,
  current: deriveQuery(({ id }: { id: string } & Partial<StoredSecrets>) => getAccount({ id })),
  columns: ['name', 'is_default', 'publishable_key'],
  fields: {
    settings: jsonField('settings'),
    secrets: givenField('sealed_secrets', 'has_webhook_secret'),
  },
  also: { updated_at: now },
})

/** A subscription that runs with an account. */
export const findUser = defineQuery('account_in_use', (v: { id: string }) =>
  query
    .selectFrom('subscriptions')
    .select('id')
    .where('account_id', '=', v.id)
    .where('status', '<>', 'canceled')
    .limit(1),
).first()

/** It stays for what was paid with it. */
export const archiveAccount = defineQuery('archive_account', (v: { id: string }) =>
  query.updateTable('payment_accounts').set({ archived_at: now, is_default: false }).where('id', '=', v.id),
)
