/** An amount in major units, in the words of the operator's language. */
export function Money({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency })
  return <span>{format.format(amount)}</span>
}
