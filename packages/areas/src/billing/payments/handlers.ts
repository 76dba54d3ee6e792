import type { Context } from '#platform/db/tenant.ts'
import type { PaymentRow } from './queries.ts'
import type { RefundRow } from './refund-queries.ts'
import type { Purpose } from './schema.ts'

/**
 * What the area behind a purpose does when money moves. Each is called once for each move, in the transaction that
 * records it; none calls a provider.
 */
export interface PaymentHandler {
  /** Money came. `unwanted`: there is nothing to pay for any more, so all of it goes back by itself. */
  readonly paid: (ctx: Context, payment: PaymentRow) => Promise<'kept' | 'unwanted'>
  /** No money comes of this payment: it failed, or was canceled. */
  readonly failed: (ctx: Context, payment: PaymentRow) => Promise<void>
  /** Money has gone back. */
  readonly refunded: (ctx: Context, refund: RefundRow, payment: PaymentRow) => Promise<void>
  /** A refund that the provider would not make. */
  readonly refundFailed: (ctx: Context, refund: RefundRow, payment: PaymentRow) => Promise<void>
}

/** By purpose: what areas hand in. */
export type PaymentHandlers = Readonly<Partial<Record<Purpose, PaymentHandler>>>
