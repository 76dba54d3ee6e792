import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { paymentId } from '../ids.ts'
import type { PaymentRow } from './queries.ts'
import type { Payment } from './schema.ts'

/** What a browser needs to go on with a payment. */
export interface ForBrowser {
  readonly clientSecret: string
  /** Of the payment account. */
  readonly publishableKey: string | null
}

/** A payment as clients see it. */
export const toPayment = (row: PaymentRow, browser?: ForBrowser): Payment => ({
  id: toId(paymentId, row.id),
  status: row.status,
  amount: fromMinor(row.amount_minor, row.currency),
  amount_refunded: fromMinor(row.refunded_minor, row.currency),
  currency: row.currency,
  ...(browser && { client_secret: browser.clientSecret }),
  ...(browser?.publishableKey != null && { publishable_key: browser.publishableKey }),
  provider_reference: row.provider_reference,
  failure: row.failure,
  dispute: row.dispute,
  dispute_reason: row.dispute_reason,
  created_at: row.created_at,
})
