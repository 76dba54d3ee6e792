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
  /** The method of a payment that succeeded, if the provider saved it for charges without the payer. */
  readonly method?: string | undefined
}

/** A payment that a provider knows. */
export interface BegunPayment {
  readonly reference: string
  /** The payer is not there: the saved method is charged. */
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
  /** What the payer pays with is saved for charges without them. */
  readonly savesMethod: boolean
}

/** A card that a browser hands in without paying. */
export interface ProviderSetup {
  readonly reference: string
  readonly status: 'open' | 'succeeded' | 'canceled'
  /** For the browser, while it is open. */
  readonly clientSecret?: string | undefined
  /** What was saved, once it has succeeded. */
  readonly method?: string | undefined
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
  /** A card that was handed in, where it is about one: its reference with the provider, and our id. */
  readonly setup: { readonly reference: string; readonly id: string | undefined } | undefined
  /** The refund's reference, where it is about one. */
  readonly refund: string | undefined
  /** It is about a refund or a dispute, which may have been made without us. */
  readonly isMoneyBack: boolean
}

/** What was begun with an account, by its references; null where nothing was. */
export interface BegunBefore {
  readonly payment: string | null
  readonly customer: string | null
}

/**
 * Somebody who moves money. Every method is called outside of transactions and may be called again with the same ids.
 * Methods throw `ProviderUnavailable` where nobody knows what became of the call.
 */
export interface Provider {
  /** For its script in browsers, where the account has one. */
  readonly publishableKey: string | null
  /** Begins a payment, and takes no money yet. Beginning again may answer what it was at first. */
  begin(payment: PaymentToBegin): Promise<ProviderPayment>
  /**
   * Takes the money of a payment that was begun, while its payer is away. Nothing is taken twice.
   * @param method what is charged, by its reference
   */
  charge(payment: BegunPayment, method: string): Promise<ProviderPayment>
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
  /** Lets a browser save a card for charges without its owner. @param id ours, also the idempotency key */
  setUpMethod(request: { id: string; customer: string }): Promise<ProviderSetup>
  findSetup(reference: string): Promise<ProviderSetup>
  /** Ends one that nobody finishes; answers what it is now, which may be `succeeded`. */
  cancelSetup(reference: string): Promise<ProviderSetup>
  /** What a payer saved last. */
  newestMethod(customer: string): Promise<string | undefined>
  /**
   * Reads a notice; undefined where the signature or its time is wrong.
   * @throws ApiError 422 WEBHOOK_SECRET_MISSING where nothing can be checked yet
   */
  readNotice(body: Buffer, signature: string): Notice | undefined
  /**
   * Tries the secret key. `forbidden`: it is right, but may not do what is needed. `elsewhere`: it is the key of another
   * customer of the provider, who does not know what was begun before.
   * @param begun references that the provider must know
   */
  checkKey(begun: BegunBefore): Promise<'accepted' | 'unknown' | 'forbidden' | 'elsewhere'>
}

/** Nobody knows what became of a call: it is made again later, with the same key. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** The provider does not accept the secret key of the account: the call succeeds once it has a right one. */
export class ProviderKeyRefused extends ProviderUnavailable {
  override name = 'ProviderKeyRefused'
}
