import type { Config } from '#platform/config.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { makeProjectBox, type ProjectBox } from '#platform/secrets/project-box.ts'
import type { SecretKeys } from '#platform/secrets/secret-keys.ts'
import type { Provider } from './provider.ts'

/** What purpose the secrets of accounts are sealed for. */
const SEALED_FOR = 'payment accounts'

export interface StripeSecrets {
  readonly secret_key: string
  /** Undefined: messages cannot be checked yet. */
  readonly webhook_secret?: string | undefined
}

/** An account as it lies in the database. */
export interface AccountSecrets {
  readonly id: string
  readonly provider: string
  readonly sealed_secrets: Buffer | null
  readonly publishable_key: string | null
}

export const accountBox = (keys: SecretKeys): ProjectBox => makeProjectBox(keys, SEALED_FOR)

/** The secrets of an account, opened. */
export function secretsOf(
  { id, sealed_secrets }: Pick<AccountSecrets, 'id' | 'sealed_secrets'>,
  config: SecretKeys,
): StripeSecrets | undefined {
  return sealed_secrets === null
    ? undefined
    : (JSON.parse(accountBox(config).open(sealed_secrets, id)) as StripeSecrets)
}

/** The provider behind an account; undefined where money is taken by hand. A provider's package is loaded at its first use. */
export async function openProvider(
  account: AccountSecrets,
  { config, outbound }: { config: Config; outbound: SafeFetch },
): Promise<Provider | undefined> {
  const secrets = secretsOf(account, config)
  if (account.provider === 'manual' || secrets === undefined) return undefined
  const { secret_key, webhook_secret } = secrets
  const { publishable_key: publishableKey } = account
  const { StripeProvider } = await import('./stripe/stripe.ts')
  const url = config.STRIPE_API_URL
  const keys = { secretKey: secret_key, webhookSecret: webhook_secret, publishableKey }
  return new StripeProvider({ url, ...keys, outbound })
}
