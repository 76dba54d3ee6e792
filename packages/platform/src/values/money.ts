import * as currencies from 'dinero.js/currencies'

// Amounts are stored in the smallest unit of their currency, by the digits of ISO 4217. The table is that of dinero.js:
// `Intl` follows CLDR instead, which has no digits where coins are out of use (HUF, IDR, COP, PKR).

interface Currency {
  readonly code: string
  readonly base: number | readonly number[]
  readonly exponent: number
}

/** By lower-case code. */
const table: ReadonlyMap<string, Currency> = new Map(
  Object.values<Currency>(currencies).map((currency) => [currency.code.toLowerCase(), currency]),
)

/** Digits of currencies whose unit has five parts (MGA, MRU), and of those that are gone. */
const COMMON_DIGITS = 2

/** Whether a text is a currency of ISO 4217, in lower case. */
export const isCurrency = (code: string): boolean => table.has(code)

/** All of them. */
export const currencyCodes = (): string[] => [...table.keys()]

/** Digits after the decimal point of a currency: 2 for eur, 0 for jpy, 3 for kwd. */
export function currencyDigits(code: string): number {
  const currency = table.get(code)
  return currency?.base === 10 ? currency.exponent : COMMON_DIGITS
}

/** An amount as clients write it, in the currency's smallest unit; undefined where it has more digits than that. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** currencyDigits(currency))
  return fromMinor(minor, currency) === amount ? minor : undefined
}

/** An amount in the currency's smallest unit, as clients read it: a quotient of integers is the number nearest to the decimal. */
export const fromMinor = (minor: number, currency: string): number => minor / 10 ** currencyDigits(currency)

/** By language and currency: making one takes longer than everything that it formats. */
const formats = new Map<string, Intl.NumberFormat>()

/**
 * An amount in the currency's smallest unit, as people read it: 990 eur is €9.90 in English. The digits are those of our
 * table, and not those of `Intl`.
 * @param language a BCP 47 tag
 */
export function formatMoney(minor: number, currency: string, language: string): string {
  const key = `${language} ${currency}`
  let format = formats.get(key)
  if (format === undefined) {
    const digits = currencyDigits(currency)
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    format = new Intl.NumberFormat(language, { style: 'currency', currency, ...fraction })
    formats.set(key, format)
  }
  return format.format(fromMinor(minor, currency))
}
