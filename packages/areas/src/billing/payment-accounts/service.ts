import { audit } from '#platform/audit.ts'
import type { Config } from '#platform/config.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { accountInUse } from '../errors.ts'
import { accountId } from '../ids.ts'
import { findAccount } from '../payments/accounts.ts'
import { accountBox, type StripeSecrets, secretsOf } from '../providers/open-provider.ts'
import {
  type AccountRow,
  archiveAccount,
  findDefault,
  findUser,
  getAccount,
  insertAccount,
  lockAccounts,
  patchAccount,
  unsetDefault,
} from './queries.ts'
import type { NewPaymentAccount, PaymentAccount, PaymentAccountChanges } from './schema.ts'

const seal = (ctx: Context, config: Config, id: string, secrets: StripeSecrets) =>
  accountBox(config).seal(JSON.stringify(secrets), id, ctx.projectId)

/** @throws ApiError 422 where a provider lacks its secrets, or has some that it does not need */
export async function createAccount(
  ctx: Context,
  config: Config,
  input: NewPaymentAccount,
): Promise<AccountRow> {
  assertKeys(input.provider, input)
  const id = newUuid()
  lockAccounts(ctx)
  const isFirst = (await findDefault(ctx)) === undefined
  const is_default = input.is_default ?? isFirst
  if (is_default) unsetDefault(ctx)
  insertAccount(ctx, {
    id,
    provider: input.provider,
    name: input.name,
    is_default,
    settings: JSON.stringify(input.settings ?? {}),
    sealed_secrets: input.secrets === undefined ? null : seal(ctx, config, id, input.secrets),
    has_webhook_secret: input.secrets?.webhook_secret !== undefined,
    publishable_key: input.publishable_key ?? null,
  })
  audit(ctx, {
    action: 'payment_account.create',
    target: toId(accountId, id),
    after: { name: input.name },
  })
  return getAccount(ctx, { id })
}

/** @throws ApiError 422 where a provider lacks its secrets, or has keys that it does not need */
function assertKeys(provider: string, { secrets, publishable_key: key }: Keys): void {
  if (provider === 'stripe') {
    if (secrets === undefined) throw invalidField('secrets', 'required', 'are required for stripe')
    return
  }
  if (secrets !== undefined) throw invalidField('secrets', 'none', 'must be left out for the type manual')
  if (key !== undefined && key !== null)
    throw invalidField('publishable_key', 'none', 'must be left out for the type manual')
}

type Keys = Pick<PaymentAccountChanges, 'secrets' | 'publishable_key'>

/** @throws ApiError 404; 422 as createAccount */
export async function updateAccount(
  ctx: Context,
  config: Config,
  id: string,
  changes: PaymentAccountChanges,
): Promise<AccountRow> {
  lockAccounts(ctx)
  const before = await getAccount(ctx, { id })
  if (before.provider === 'manual') assertKeys('manual', changes)
  const secrets = changes.secrets && { ...(await openSecrets(ctx, config, id)), ...changes.secrets }
  if (changes.is_default && !before.is_default) unsetDefault(ctx)
  const stored = secrets && {
    sealed_secrets: seal(ctx, config, id, secrets),
    has_webhook_secret: secrets.webhook_secret !== undefined,
  }
  const account = await patchAccount(ctx, { id, ...stored, changes, ifMatch: undefined })
  const { name, is_default } = account
  audit(ctx, {
    action: 'payment_account.update',
    target: toId(accountId, id),
    before: { name: before.name, is_default: before.is_default },
    after: { name, is_default, secrets_replaced: changes.secrets !== undefined },
  })
  return account
}

/** The secrets that an account at a provider has. */
async function openSecrets(ctx: Context, config: Config, id: string): Promise<StripeSecrets> {
  const account = await findAccount(ctx, { id })
  const secrets = account && secretsOf(account, config)
  if (secrets === undefined) throw new Error('an account of a provider has no secrets')
  return secrets
}

/** @throws ApiError 404; 422 ACCOUNT_IN_USE */
export async function deleteAccount(ctx: Context, id: string): Promise<void> {
  const { name } = await getAccount(ctx, { id })
  if ((await findUser(ctx, { id })) !== undefined) throw accountInUse()
  archiveAccount(ctx, { id })
  audit(ctx, { action: 'payment_account.delete', target: toId(accountId, id), before: { name } })
}

/** An account as clients see it. */
export function toAccount(row: AccountRow, { BASE_URL }: Pick<Config, 'BASE_URL'>): PaymentAccount {
  const id = toId(accountId, row.id)
  return {
    ...row,
    id,
    settings: row.settings as PaymentAccount['settings'],
    webhook_url: `${BASE_URL}/api/v1/payment-accounts/${id}/webhook`,
  }
}
