import type { PaymentHandlers } from './billing/payments/handlers.ts'

/** What areas do when money moves, by what it is for. */
export const paymentHandlers: PaymentHandlers = {}
