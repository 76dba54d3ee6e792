import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '#platform/config.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { currencyCodes, currencyDigits, fromMinor } from '#platform/values/money.ts'
import { SECRET_KEY, type StripeServer, startStripe } from '#testkit/stripe/server.ts'
import { chargeable } from './chargeable.ts'
import { StripeProvider } from './stripe/stripe.ts'

let stripe: StripeServer
let outbound: SafeFetch
let provider: StripeProvider
let customer: string
let begun = 0

beforeAll(async () => {
  stripe = await startStripe()
  outbound = new SafeFetch({ ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8', '::1'] } as Config)
  const account = { secretKey: SECRET_KEY, webhookSecret: 'whsec_unused' }
  provider = new StripeProvider({ url: stripe.url, ...account, outbound })
  customer = await provider.customer({ key: 'a', email: 'a@example.com', name: 'A' })
})
afterAll(async () => {
  await outbound.close()
  await stripe.close()
})

/** What comes of an amount in our minor units: the integer that Stripe charges, or why it refuses. */
async function charge(amountMinor: number, currency: string): Promise<number | string> {
  begun += 1
  const payment = {
    id: `payment-${begun}`,
    amountMinor,
    currency,
    customer,
    offSession: false,
    savesMethod: false,
  }
  const answer = await provider.begin(payment)
  if (answer.status === 'failed') return answer.failure ?? ''
  // What Stripe says of it is the amount that was asked for, in our units again.
  expect([currency, answer.amountMinor]).toEqual([currency, amountMinor])
  return stripe.ledger.intent(answer.reference).amount
}

describe('at Stripe', () => {
  test.each(currencyCodes())('%s: its minimum and every step above it are charged', async (currency) => {
    const { minimum, step } = chargeable('stripe', currency)
    expect(minimum % step).toBe(0)
    for (const minor of [minimum, minimum + step, minimum + 7 * step, 1_000_000 * step])
      expect([currency, await charge(minor, currency)]).toEqual([currency, expect.any(Number)])
  })

  test.each(['usd', 'gbp', 'huf', 'jpy', 'krw', 'mxn', 'thb', 'czk', 'idr', 'zar'])(
    '%s: one step below its minimum is refused as too small',
    async (currency) => {
      const { minimum, step } = chargeable('stripe', currency)
      expect(await charge(minimum - step, currency)).toBe('amount_too_small')
    },
  )

  test.each(['bhd', 'jod', 'kwd', 'omr', 'tnd', 'mga'])(
    '%s: what is between two steps is refused',
    async (currency) => {
      const { step } = chargeable('stripe', currency)
      expect(step).toBeGreaterThan(1)
      expect(await charge(5 * step + 1, currency)).toBe('parameter_invalid_integer')
    },
  )

  test.each([
    ['12.34 eur', 1_234, 'eur', 1_234],
    ['5 jpy times 100', 500, 'jpy', 500],
    ['500 mga, which Stripe counts without decimals', 50_000, 'mga', 500],
    ['5.12 kwd', 5_120, 'kwd', 5_120],
    ['5 isk, which Stripe counts in hundredths', 5, 'isk', 500],
    ['5 ugx, which Stripe counts in hundredths', 5, 'ugx', 500],
    ['1,990.50 huf, which has two decimals in charges', 199_050, 'huf', 199_050],
    ['800.45 twd, which has two decimals in charges', 80_045, 'twd', 80_045],
    ['10 mru, whose unit has five parts', 1_000, 'mru', 1_000],
  ])('%s is charged as that', async (_, minor, currency, amount) => {
    expect(await charge(minor, currency)).toBe(amount)
  })

  test.each([
    ...([['eur', 0.5] as const, ['gbp', 0.3] as const, ['jpy', 50] as const, ['huf', 175] as const] as const),
    ...([['mxn', 10] as const, ['mga', 1] as const, ['isk', 1] as const, ['kwd', 0.01] as const] as const),
  ])('%s: the minimum is %d', (currency, amount) => {
    expect(fromMinor(chargeable('stripe', currency).minimum, currency)).toBe(amount)
  })
})

test('by hand every amount can be taken', () => {
  for (const currency of currencyCodes()) {
    for (const provider of ['manual', null])
      expect(chargeable(provider, currency)).toMatchObject({ step: 1, minimum: 1 })
    expect(currencyDigits(currency)).toBeGreaterThanOrEqual(0)
  }
})
