/** What a provider says of a payment at the moment it is asked. */
export interface ProviderPayment {
  readonly reference: string
  readonly status: 'requires_action' | 'pending' | 'succeeded' | 'failed' | 'canceled'
  readonly amountMinor: number
  readonly currency: string
  /** For the browser, while the payer still has something to do. */
  readonly clientSecret?: string | undefined
  /** Why it failed, in the provider's word. */
  readonly failure?: string | undefined
}

export interface ProviderRefund {
  readonly reference: string
  readonly status: 'pending' | 'succeeded' | 'failed'
}

export interface PaymentToBegin {
  /** Ours; also the idempotency key: beginning twice begins one. */
  readonly id: string
  readonly amountMinor: number
  readonly currency: string
  readonly customer: string
  /** The payer is not there: what was saved is charged. */
  readonly offSession: boolean
}

/** What a notice is about. What it says is not believed: the provider is asked. */
export interface Notice {
  readonly id: string
  readonly type: string
  /** The payment's reference with the provider; undefined where it is about something else. */
  readonly payment: { readonly reference: string; readonly id: string | undefined } | undefined
}

/**
 * Somebody who moves money. Every method is called outside of transactions and may be called again with the same ids.
 * Methods throw `ProviderUnavailable` where nobody knows what became of the call.
 */
export interface Provider {
  /** Begins a payment; one that was begun already is answered as it is now. */
  begin(payment: PaymentToBegin): Promise<ProviderPayment>
  /** What a payment is now. */
  find(reference: string): Promise<ProviderPayment>
  /** Ends a payment that is under way; answers what it is now, which may be `succeeded`. */
  cancel(reference: string): Promise<ProviderPayment>
  refund(refund: { id: string; payment: string; amountMinor: number }): Promise<ProviderRefund>
  findRefund(reference: string): Promise<ProviderRefund>
  /** The provider's name for a payer. @param key the same for the same payer */
  customer(payer: { key: string; email: string; name: string }): Promise<string>
  /** Lets a browser save a card for charges without its owner. */
  setUpMethod(request: { key: string; customer: string }): Promise<{ clientSecret: string }>
  /** Reads a notice; undefined where the signature or its time is wrong. */
  readNotice(body: Buffer, signature: string): Notice | undefined
}

/** Nobody knows what became of a call: it is made again later, with the same key. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}
