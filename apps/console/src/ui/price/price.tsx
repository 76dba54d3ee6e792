import { t } from '../../data/words.ts'
import { formatMoney } from '../money/format-money.ts'

interface Priced {
  readonly price: number
  readonly currency: string
  readonly interval: string
  readonly interval_count: number
}

/** What is paid, and how often. */
export function priceOf({ price, currency, interval, interval_count: count }: Priced): string {
  const amount = formatMoney(price, currency)
  if (interval === 'free') return t('Free of charge')
  if (interval === 'one_time') return t('{amount} once', { amount })
  if (interval === 'year') return t('{amount} {count:a year|every {count} years}', { amount, count })
  return t('{amount} {count:a month|every {count} months}', { amount, count })
}

export const Price = ({ of }: { readonly of: Priced }) => <span>{priceOf(of)}</span>
