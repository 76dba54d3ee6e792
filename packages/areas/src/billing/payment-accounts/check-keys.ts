import type { Config } from '#platform/config.ts'
import { invalidBody, invalidField } from '#platform/errors.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { unreachable } from '../payments/ask-provider.ts'
import { ProviderUnavailable } from '../providers/provider.ts'
import { keyFaults, type StripeKeys } from './stripe-keys.ts'

/**
 * Checks the keys of an account at Stripe: by the way that they begin, and the secret key by one call to Stripe. Called
 * outside of transactions.
 * @throws ApiError 422 for keys that are of another kind, of the other side, or that Stripe refuses; 503 where it cannot be asked
 */
export async function checkKeys(
  config: Config,
  keys: StripeKeys,
  environment: 'live' | 'test',
): Promise<void> {
  const faults = keyFaults(keys, environment)
  if (faults.length > 0) throw invalidBody(faults)
  const { secret_key: secretKey } = keys
  if (secretKey === undefined) return
  const { StripeProvider } = await import('../providers/stripe/stripe.ts')
  const outbound = new SafeFetch(config)
  try {
    const account = { url: config.STRIPE_API_URL, secretKey, webhookSecret: undefined, outbound }
    const said = await new StripeProvider(account).checkKey()
    if (said === 'unknown')
      throw invalidField('secrets.secret_key', 'accepted', 'is no key that Stripe knows: copy it again')
    if (said === 'forbidden')
      throw invalidField(
        'secrets.secret_key',
        'permissions',
        'may not read PaymentIntents: give the restricted key the permissions that the guide lists',
      )
  } catch (error) {
    throw error instanceof ProviderUnavailable ? unreachable() : error
  } finally {
    await outbound.close()
  }
}
