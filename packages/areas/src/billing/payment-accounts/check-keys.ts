import type { Config } from '#platform/config.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidBody, invalidField } from '#platform/errors.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { otherStripeAccount } from '../errors.ts'
import { unreachable } from '../payments/ask-provider.ts'
import { type BegunBefore, ProviderUnavailable } from '../providers/provider.ts'
import { keyFaults, type StripeKeys } from './stripe-keys.ts'

/** What was begun with a payment account. Payments outlive the row of their payer. */
export const findBegun = defineQuery('begun_with_account', (v: { id: string }) =>
  query.selectNoFrom([
    query
      .selectFrom('payments')
      .select('provider_reference')
      .where('account_id', '=', v.id)
      .where('provider_reference', 'is not', null)
      .limit(1)
      .as('payment'),
    query
      .selectFrom('payment_customers')
      .select('customer_ref')
      .where('account_id', '=', v.id)
      .limit(1)
      .as('customer'),
  ]),
).single()

/** With a new account nothing was begun. */
export const NOTHING_BEGUN: BegunBefore = { payment: null, customer: null }

/**
 * Checks the keys of an account at Stripe: by the way that they begin, and the secret key by one call to Stripe. Called
 * outside of transactions.
 * @param begun what a new secret key must know
 * @throws ApiError 422 for keys that are of another kind, of the other side, of another account at Stripe, or that Stripe
 *   refuses; 503 where it cannot be asked
 */
export async function checkKeys(
  config: Config,
  keys: StripeKeys,
  { environment, begun }: { environment: 'live' | 'test'; begun: BegunBefore },
): Promise<void> {
  const faults = keyFaults(keys, environment)
  if (faults.length > 0) throw invalidBody(faults)
  const { secret_key: secretKey } = keys
  if (secretKey === undefined) return
  const { StripeProvider } = await import('../providers/stripe/stripe.ts')
  const outbound = new SafeFetch(config)
  try {
    const account = { url: config.STRIPE_API_URL, secretKey, webhookSecret: undefined, outbound }
    const verdict = await new StripeProvider(account).checkKey(begun)
    if (verdict === 'unknown')
      throw invalidField('secrets.secret_key', 'accepted', 'is not known to Stripe: copy it again')
    if (verdict === 'elsewhere') throw otherStripeAccount()
    if (verdict === 'forbidden')
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
