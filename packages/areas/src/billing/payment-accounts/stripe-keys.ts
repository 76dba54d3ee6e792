import type { FieldFault } from '#platform/errors.ts'

/** Keys of an account at Stripe, as a client sends them. */
export interface StripeKeys {
  readonly secret_key?: string | undefined
  readonly webhook_secret?: string | undefined
  readonly publishable_key?: string | null | undefined
}

type Environment = 'live' | 'test'

/** What Stripe's keys begin with. */
const KEY = /^(sk|rk|pk)_(test|live)_./
const WEBHOOK_SECRET = /^whsec_./

/** What is wrong with keys by the way that they begin: another kind of key, or one of the other side. */
export function keyFaults(keys: StripeKeys, environment: Environment): FieldFault[] {
  const { secret_key, webhook_secret, publishable_key } = keys
  return [
    ...faultsOf('secrets.secret_key', secret_key, ['sk', 'rk'], environment),
    ...faultsOf('publishable_key', publishable_key, ['pk'], environment),
    ...(webhook_secret !== undefined && !WEBHOOK_SECRET.test(webhook_secret)
      ? [
          fault(
            'secrets.webhook_secret',
            'prefix',
            'must begin with whsec_: it is the signing secret of the webhook endpoint at Stripe',
          ),
        ]
      : []),
  ]
}

const fault = (field: string, rule: string, message: string): FieldFault => ({ field, rule, message })

function faultsOf(
  field: string,
  key: string | null | undefined,
  kinds: readonly string[],
  environment: Environment,
): FieldFault[] {
  if (key === undefined || key === null) return []
  const [, kind = '', mode] = KEY.exec(key) ?? []
  const allowed = kinds.map((each) => `${each}_${environment}_`).join(' or ')
  if (!kinds.includes(kind)) return [fault(field, 'prefix', `must begin with ${allowed}`)]
  if (mode === environment) return []
  const side =
    environment === 'test' ? 'The test side takes no live keys' : 'The live side takes no test keys'
  return [fault(field, 'environment', `must begin with ${allowed}. ${side}`)]
}
