import type { Context } from '../db/tenant.ts'

/** A payment or a refund, as far as the area behind its purpose needs it. */
interface MoneyRow {
  /** The stored id. */
  readonly id: string
}

/**
 * What the area behind a purpose does when money moves. Each is called once for each move, in the transaction that
 * records it; none calls a provider. Rows are those of the area billing.
 */
export interface PaymentHandler<P extends MoneyRow = MoneyRow, R extends MoneyRow = MoneyRow> {
  /**
   * Holds the thing that is paid for, before its payment is held: whoever cancels it goes in this order, too, so that the
   * two never wait for each other.
   */
  hold(ctx: Context, payment: P): PromiseLike<unknown>
  /** Money came. `unwanted`: there is nothing to pay for any more, so all of it goes back by itself. */
  paid(ctx: Context, payment: P): Promise<'kept' | 'unwanted'>
  /** No money comes of this payment: it failed, or was canceled. */
  failed(ctx: Context, payment: P): Promise<void>
  /** Money has gone back. */
  refunded(ctx: Context, refund: R, payment: P): Promise<void>
  /** Money has gone back, or is on its way back, that we did not send: an operator made it at the provider, or a bank. */
  refundedElsewhere(ctx: Context, refund: R, payment: P, kind: 'refund' | 'dispute'): Promise<void>
  /** The payer asked their bank for the money, or the bank has decided. */
  disputed(ctx: Context, payment: P): Promise<void>
  /** A refund that the provider would not make. */
  refundFailed(ctx: Context, refund: R, payment: P): Promise<void>
}

/** By purpose, such as `order`: what areas hand in. */
export type PaymentHandlers = Readonly<Record<string, PaymentHandler>>
