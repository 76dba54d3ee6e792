import { numberFormat } from '../../data/formats.ts'
import { digitsOf } from './digits.ts'

/** An amount in major units, in the words of the operator's language, with all digits of its currency. */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return numberFormat({ style: 'currency', currency, ...fraction }).format(amount)
}
