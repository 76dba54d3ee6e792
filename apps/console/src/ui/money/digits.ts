/** Digits of ISO 4217 where they are not two. `Intl` has fewer for currencies whose coins are out of use, such as HUF. */
const DIGITS: readonly (readonly [digits: number, currencies: string])[] = [
  [0, 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'],
  [3, 'bhd iqd jod kwd lyd omr tnd'],
  [4, 'clf uyw'],
]

/** Digits after the decimal point of a currency, as the API has them. */
export function digitsOf(currency: string): number {
  const code = currency.toLowerCase()
  return DIGITS.find(([, currencies]) => currencies.split(' ').includes(code))?.[0] ?? 2
}

/** An amount in the smallest unit of its currency, in which sums are exact. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** digitsOf(currency))

/** The same in major units, as the API writes it. */
export const fromMinor = (minor: number, currency: string): number => minor / 10 ** digitsOf(currency)

/** The sum of amounts of one currency, exact to its smallest unit. */
export const sumOf = (amounts: readonly number[], currency: string): number =>
  fromMinor(
    amounts.reduce((sum, amount) => sum + toMinor(amount, currency), 0),
    currency,
  )

/** An amount as it is typed, with all digits of its currency. */
export const typedAmount = (amount: number, currency: string): string => amount.toFixed(digitsOf(currency))

/** An amount that was typed with a point or a comma; undefined where it is none above zero. */
export function readAmount(text: string): number | undefined {
  const amount = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && Number.isFinite(amount) && amount > 0 ? amount : undefined
}
