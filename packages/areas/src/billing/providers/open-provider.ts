import type { Config } from '#platform/config.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { makeSecretBox } from '#platform/secrets/secret-box.ts'
import type { Provider } from './provider.ts'

/** What purpose the secrets of accounts are sealed for. */
const SEALED_FOR = 'payment accounts'

export interface StripeSecrets {
  readonly secret_key: string
  readonly webhook_secret: string
}

/** An account as it lies in the database. */
export interface AccountSecrets {
  readonly id: string
  readonly provider: string
  readonly sealed_secrets: Buffer | null
}

export const accountBox = ({ SECRET_KEY }: Pick<Config, 'SECRET_KEY'>) =>
  makeSecretBox(SECRET_KEY, SEALED_FOR)

/** The provider behind an account; undefined where money is taken by hand. A provider's package is loaded at its first use. */
export async function openProvider(
  account: AccountSecrets,
  { config, outbound }: { config: Config; outbound: SafeFetch },
): Promise<Provider | undefined> {
  if (account.provider === 'manual' || account.sealed_secrets === null) return undefined
  const { secret_key, webhook_secret } = JSON.parse(
    accountBox(config).open(account.sealed_secrets, account.id),
  ) as StripeSecrets
  const { StripeProvider } = await import('./stripe/stripe.ts')
  const url = config.STRIPE_API_URL
  return new StripeProvider({ url, secretKey: secret_key, webhookSecret: webhook_secret, outbound })
}
