import type { PaymentHandler as Handler } from '#platform/catalogue/payment-handler.ts'
import type { PaymentRow } from './queries.ts'
import type { RefundRow } from './refunds/refund-queries.ts'

/** What the area behind a purpose does when money moves; areas hand theirs in with their manifest. */
export type PaymentHandler = Handler<PaymentRow, RefundRow>

/** By purpose. */
export type PaymentHandlers = Readonly<Record<string, PaymentHandler>>
