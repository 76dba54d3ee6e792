import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { paymentId } from '../ids.ts'
import type { PaymentRow } from './queries.ts'
import type { Payment } from './schema.ts'

/** A payment as clients see it. @param clientSecret what the provider says the browser needs */
export const toPayment = (row: PaymentRow, clientSecret?: string): Payment => ({
  id: toId(paymentId, row.id),
  status: row.status,
  amount: fromMinor(row.amount_minor, row.currency),
  amount_refunded: fromMinor(row.refunded_minor, row.currency),
  currency: row.currency,
  ...(clientSecret !== undefined && { client_secret: clientSecret }),
  provider_reference: row.provider_reference,
  failure: row.failure,
  dispute: row.dispute,
  dispute_reason: row.dispute_reason,
  created_at: row.created_at,
})
