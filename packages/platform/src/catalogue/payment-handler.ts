import type { Context } from '../db/tenant.ts'
import type { IdType } from '../ids.ts'

/** A payment or a refund, with what the area of its purpose needs. */
interface MoneyRow {
  /** The stored id. */
  readonly id: string
}

/** What a thing is charged with while its payer is away. */
export interface SavedMethod {
  /** What the provider calls it; null: nothing is saved. */
  readonly reference: string | null
  /** Without a saved method, the newest one of the payer is charged. */
  readonly takesNewest: boolean
}

/**
 * What the area of a purpose does when money moves. Each function is called once for each movement, in the transaction
 * that records it, and none calls a provider. The rows are those of the area billing.
 */
export interface PaymentHandler<P extends MoneyRow = MoneyRow, R extends MoneyRow = MoneyRow> {
  /** The ids of what is paid for. */
  readonly idType: IdType
  /**
   * Locks the thing that is paid for, before its payment is locked. Cancellations lock in the same order, so the two
   * never wait for each other.
   */
  lock(ctx: Context, payment: P): PromiseLike<unknown>
  /** Money arrived. `unwanted`: there is nothing to pay for any more, so all of it is refunded. */
  paid(ctx: Context, payment: P): Promise<'kept' | 'unwanted'>
  /** What the provider charges while the payer is away; undefined: nothing is ever charged so. */
  savedMethod(ctx: Context, payment: P): PromiseLike<SavedMethod | undefined>
  /** A payment succeeded with a method that the provider has saved. */
  methodSaved(ctx: Context, payment: P, reference: string): PromiseLike<unknown>
  /** The payment failed or was canceled: no money arrives. */
  failed(ctx: Context, payment: P): Promise<void>
  /** Money was refunded. */
  refunded(ctx: Context, refund: R, payment: P): Promise<void>
  /**
   * Money has gone back, or is on its way back, that we did not send: an operator made it at the provider, or a bank. What
   * was paid for is not taken back because of a dispute; `disputeLost` does that.
   */
  refundedElsewhere(ctx: Context, refund: R, payment: P, kind: 'refund' | 'dispute'): Promise<void>
  /** The payer asked their bank for the money, or the bank has decided. */
  disputed(ctx: Context, payment: P): Promise<void>
  /**
   * The bank gave the payer the money, and the project wants back what was paid for (`on_lost_dispute` is `revoke`). May be
   * called again for the same payment.
   */
  disputeLost(ctx: Context, payment: P): Promise<void>
  /** The provider refused a refund. */
  refundFailed(ctx: Context, refund: R, payment: P): Promise<void>
}

/** The handlers of areas by purpose, such as `order`. */
export type PaymentHandlers = Readonly<Record<string, PaymentHandler>>
