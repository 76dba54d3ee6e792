/** Answers of `digitsOf`: a number format is built in 10 µs, an eighth of a request. There are some 180 currencies. */
const digits = new Map<string, number>()

/** Digits after the decimal point of a currency, as ISO 4217 has them: 2 for eur, 0 for jpy, 3 for kwd. */
function digitsOf(currency: string): number {
  let found = digits.get(currency)
  if (found === undefined) {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    found = format.resolvedOptions().maximumFractionDigits ?? 2
    digits.set(currency, found)
  }
  return found
}

/** An amount as clients write it, in the currency's smallest unit; undefined where it has more digits than that. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** digitsOf(currency))
  return fromMinor(minor, currency) === amount ? minor : undefined
}

/** An amount in the currency's smallest unit, as clients read it. */
export const fromMinor = (minor: number, currency: string): number =>
  Number((minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)))
