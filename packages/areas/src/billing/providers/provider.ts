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
  /** The payer is not there, and nobody has tried to take the money yet: `charge` does. */
  readonly isUntried?: boolean | undefined
}

/** A payment that a provider knows. */
export interface BegunPayment {
  readonly reference: string
  /** The payer is not there: what was saved is charged. */
  readonly offSession: boolean
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
  readonly offSession: boolean
}

export interface RefundToMake {
  /** Ours; also the idempotency key. */
  readonly id: string
  /** The payment's reference. */
  readonly payment: string
  readonly amountMinor: number
  readonly currency: string
  /** It was asked for before, and nobody knows what became of that. */
  readonly isRepeated: boolean
}

/** A refund as the provider lists it, whoever made it. */
export interface ListedRefund extends ProviderRefund {
  /** Our refund's id, where we made it. */
  readonly id: string | undefined
  readonly amountMinor: number
}

/** A payer has asked their bank for the money back. `lost`: the bank gave it to them. */
export interface ProviderDispute {
  readonly reference: string
  readonly status: 'open' | 'won' | 'lost'
  /** In the provider's word. */
  readonly reason: string
  readonly amountMinor: number
}

/** Everything that went back of a payment, or may go back. The earliest dispute comes first. */
export interface MoneyBack {
  readonly refunds: readonly ListedRefund[]
  readonly disputes: readonly ProviderDispute[]
}

/** What a notice is about. What it says is not believed: the provider is asked. */
export interface Notice {
  readonly id: string
  readonly type: string
  /** The payment's reference with the provider; undefined where it is about something else. */
  readonly payment: { readonly reference: string; readonly id: string | undefined } | undefined
  /** The refund's reference, where it is about one. */
  readonly refund: string | undefined
  /** It is about a refund or a dispute, which may have been made without us. */
  readonly isMoneyBack: boolean
}

/**
 * Somebody who moves money. Every method is called outside of transactions and may be called again with the same ids.
 * Methods throw `ProviderUnavailable` where nobody knows what became of the call.
 */
export interface Provider {
  /** Begins a payment, and takes no money yet. Beginning again may answer what it was at first. */
  begin(payment: PaymentToBegin): Promise<ProviderPayment>
  /** Takes the money of a payment that was begun, with what its payer saved. Nothing is taken twice. */
  charge(payment: BegunPayment, customer: string): Promise<ProviderPayment>
  /** What a payment is now. */
  find(payment: BegunPayment): Promise<ProviderPayment>
  /** Ends a payment that is under way; answers what it is now, which may be `succeeded`. */
  cancel(payment: BegunPayment): Promise<ProviderPayment>
  refund(refund: RefundToMake): Promise<ProviderRefund>
  findRefund(reference: string): Promise<ProviderRefund>
  /** All refunds and disputes of a payment, those included that were made without us. @param payment its reference */
  findMoneyBack(payment: string): Promise<MoneyBack>
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

/** The provider does not accept the secret key of the account: the call succeeds once it has a right one. */
export class ProviderKeyRefused extends ProviderUnavailable {
  override name = 'ProviderKeyRefused'
}
