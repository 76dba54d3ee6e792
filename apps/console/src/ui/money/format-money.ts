import { digitsOf } from './digits.ts'

/** An amount in major units, in the words of the operator's language, with all digits of its currency. */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  const { lang } = document.documentElement
  return new Intl.NumberFormat(lang, { style: 'currency', currency, ...fraction }).format(amount)
}
