import { currencyDigits, toMinor } from '#platform/values/money.ts'

/**
 * What a provider can charge in one currency. `step` and `minimum` are in our stored minor units (the digits of
 * ISO 4217); the provider's amount is the integer that its API takes.
 */
export interface Chargeable {
  /** Every amount is a multiple of it. */
  readonly step: number
  /** The smallest amount. */
  readonly minimum: number
  toProvider(minor: number): number
  fromProvider(amount: number): number
}

// Source of all tables: https://docs.stripe.com/currencies, read in November 2026. Currencies that it does not name
// have two decimals.

/** 'Zero-decimal currencies', without UGX, whose 'special case' contradicts the list: UGX and ISK are sent in hundredths. */
const STRIPE_ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'
/** 'Three-decimal currencies': the last digit must be 0. */
const STRIPE_THREE_DECIMAL = 'bhd jod kwd omr tnd'

/**
 * 'Minimum charge amount by currency', in major units. For a currency that is not listed, Stripe converts the amount to the
 * currency of the account's bank and applies that minimum: only its refusal tells. HUF and TWD are charged with two decimals;
 * what the page says about them concerns payouts.
 */
const STRIPE_MINIMUMS: Readonly<Record<string, number>> = {
  ...{ usd: 0.5, aed: 2, ars: 0.5, aud: 0.5, brl: 0.5, cad: 0.5, chf: 0.5, cop: 0.5, czk: 15, dkk: 2.5 },
  ...{ eur: 0.5, gbp: 0.3, hkd: 4, huf: 175, idr: 0.5, ils: 0.5, inr: 0.5, jpy: 50, krw: 50, mxn: 10 },
  ...{ myr: 2, nok: 3, nzd: 0.5, php: 0.5, pln: 2, ron: 2, rub: 0.5, sek: 3, sgd: 0.5, thb: 10, zar: 0.5 },
}

const zeroDecimal = new Set(STRIPE_ZERO_DECIMAL.split(' '))
const threeDecimal = new Set(STRIPE_THREE_DECIMAL.split(' '))

function byStripe(currency: string): Chargeable {
  const digits = zeroDecimal.has(currency) ? 0 : threeDecimal.has(currency) ? 3 : 2
  // Ours ÷ theirs: 100 for MGA (2 and 0 digits), 1/100 for ISK and UGX (0 and 2).
  const more = currencyDigits(currency) - digits
  const ofTheirs = 10 ** Math.max(more, 0)
  const ofOurs = 10 ** Math.max(-more, 0)
  const step = threeDecimal.has(currency) ? 10 * ofTheirs : ofTheirs
  return {
    step,
    minimum: Math.max(step, toMinor(STRIPE_MINIMUMS[currency] ?? 0, currency) ?? 0),
    toProvider: (minor) => (minor * ofOurs) / ofTheirs,
    fromProvider: (amount) => Math.round((amount * ofTheirs) / ofOurs),
  }
}

const byHand: Chargeable = {
  ...{ step: 1, minimum: 1 },
  toProvider: (minor) => minor,
  fromProvider: (amount) => amount,
}

/**
 * What an account of a provider can charge in a currency. By hand, everything.
 * @param provider `provider` of a payment account; null where there is no account
 * @param currency in lower case
 */
export const chargeable = (provider: string | null, currency: string): Chargeable =>
  provider === 'stripe' ? byStripe(currency) : byHand

/**
 * Whether a provider refused a payment because it is too small. The table does not know all minimums: the one of a currency
 * that it does not list is that of the account's bank.
 */
export const isRefusedAsTooSmall = (payment: { readonly status: string; readonly failure: string | null }) =>
  payment.status === 'failed' && payment.failure === 'amount_too_small'
