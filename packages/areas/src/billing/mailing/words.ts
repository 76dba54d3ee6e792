import { MAIL_LANGUAGE } from '#platform/mail/define-mail.ts'
import { formatDate } from '#platform/values/date-text.ts'
import { formatMoney } from '#platform/values/money.ts'
import type { BillLineRow } from '../bills/queries.ts'

/** An amount in a mail. */
export const amountText = (minor: number, currency: string): string =>
  formatMoney(minor, currency, MAIL_LANGUAGE)

/** A day in a mail. @param timeZone the project's */
export const dateText = (at: string, timeZone: string): string =>
  formatDate(at, { language: MAIL_LANGUAGE, timeZone })

export interface PriceOfPeriod {
  readonly price_minor: number
  readonly currency: string
  readonly interval: string
  readonly interval_count: number
}

/** `€9.50 a month`, or `€30.00 every 3 months`. */
export function priceText({ price_minor, currency, interval, interval_count }: PriceOfPeriod): string {
  const amount = amountText(price_minor, currency)
  return interval_count === 1 ? `${amount} a ${interval}` : `${amount} every ${interval_count} ${interval}s`
}

/** The lines of a bill, one in each line. */
export const linesText = (lines: readonly BillLineRow[], currency: string, timeZone: string): string =>
  lines
    .map(({ description, period_start, period_end, amount_minor }) => {
      const hasPeriod = period_start !== null && period_end !== null
      const period = hasPeriod
        ? `, ${dateText(period_start, timeZone)} – ${dateText(period_end, timeZone)}`
        : ''
      return `${description}${period}: ${amountText(amount_minor, currency)}`
    })
    .join('\n')
