/** Currencies without decimals that Stripe counts in hundredths all the same. */
const IN_HUNDREDTHS = new Set(['isk', 'ugx'])

/** An amount in ISO 4217's smallest unit as Stripe counts it. */
export const toStripeAmount = (minor: number, currency: string): number =>
  IN_HUNDREDTHS.has(currency) ? minor * 100 : minor

/** The other way. */
export const fromStripeAmount = (amount: number, currency: string): number =>
  IN_HUNDREDTHS.has(currency) ? Math.round(amount / 100) : amount
