/** Digits after the decimal point of a currency, as ISO 4217 has them: 2 for eur, 0 for jpy, 3 for kwd. */
function digitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits ?? 2
}

/** An amount as clients write it, in the currency's smallest unit; undefined where it has more digits than that. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** digitsOf(currency))
  return fromMinor(minor, currency) === amount ? minor : undefined
}

/** An amount in the currency's smallest unit, as clients read it. */
export const fromMinor = (minor: number, currency: string): number =>
  Number((minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)))
