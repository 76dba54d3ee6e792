import { formatMoney } from './format-money.ts'

/** An amount in major units, in the words of the operator's language. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  return <span>{formatMoney(amount, currency)}</span>
}
