import { assertChargeable, assertInteger } from './amounts.ts'
import { type Charge, StripeCards } from './cards.ts'
import type { Form } from './form.ts'
import {
  type Card,
  type Dispute,
  type Intent,
  invalidRequest,
  type Method,
  metadataOf,
  type Refund,
  type StripeEvent,
  StripeFault,
  text,
} from './objects.ts'

/** What Stripe knows, and what happens to it: by its API, by payers' browsers and by banks. */
export class StripeLedger extends StripeCards {
  readonly intents = new Map<string, Intent>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  /** What becomes of refunds that are made from now on. */
  refundsAre: Refund['status'] = 'succeeded'
  /** Minimums that come of the currency of the account's bank, in Stripe's integers by the currency of the charge. */
  readonly bankMinimums = new Map<string, number>()

  createIntent(form: Form): Intent {
    const amount = Number(text(form, 'amount'))
    const currency = text(form, 'currency') ?? ''
    assertChargeable(amount, currency, this.bankMinimums)
    const id = this.newId('pi')
    const intent: Intent = {
      ...{ id, object: 'payment_intent', amount, currency },
      customer: this.customer(text(form, 'customer') ?? '').id,
      status: 'requires_payment_method',
      client_secret: `${id}_secret_x`,
      last_payment_error: null,
      metadata: metadataOf(form),
      payment_method: null,
      setup_future_usage: text(form, 'setup_future_usage') ?? null,
    }
    this.intents.set(id, intent)
    this.announce('payment_intent.created', intent)
    return intent
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id)
    if (intent === undefined) throw invalidRequest('resource_missing', `No such payment_intent: '${id}'`, 404)
    return intent
  }

  /** Confirms with a card: by the API where its owner is away, else by the owner's browser. */
  confirm(id: string, method: Method, { offSession }: { offSession: boolean }): Intent {
    const intent = this.intent(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalidRequest('payment_intent_unexpected_state', `This PaymentIntent is ${intent.status}`)
    if (offSession && method.customer !== intent.customer)
      throw invalidRequest('payment_method_customer_mismatch', 'The method is not saved for this customer')
    intent.payment_method = method.id
    if (method.card === 'good') return this.succeed(id)
    if (method.card === 'asks_owner' && !offSession) {
      intent.status = 'requires_action'
      this.announce('payment_intent.requires_action', intent)
      return intent
    }
    return this.#decline(intent, method.card)
  }

  #decline(intent: Intent, card: Card): never {
    intent.status = 'requires_payment_method'
    const why =
      card === 'declined'
        ? { code: 'card_declined', decline_code: 'insufficient_funds' }
        : { code: 'authentication_required' }
    intent.last_payment_error = { type: 'card_error', ...why }
    this.announce('payment_intent.payment_failed', intent)
    throw new StripeFault(402, {
      type: 'card_error',
      ...why,
      message: 'The card was declined',
      payment_intent: intent,
    })
  }

  /** The money is there: its owner has confirmed it, or a bank has sent it at last. */
  succeed(id: string): Intent {
    const intent = this.intent(id)
    intent.status = 'succeeded'
    intent.last_payment_error = null
    if (intent.setup_future_usage !== null && intent.payment_method !== null) {
      const method = this.methods.get(intent.payment_method)
      if (method !== undefined) method.customer = intent.customer
    }
    this.announce('payment_intent.succeeded', intent)
    return intent
  }

  cancelIntent(id: string): Intent {
    const intent = this.intent(id)
    if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
      throw invalidRequest('payment_intent_unexpected_state', `This PaymentIntent is ${intent.status}`)
    intent.status = 'canceled'
    this.announce('payment_intent.canceled', intent)
    return intent
  }

  /** What of a payment can still be paid back. */
  refundable(intentId: string): number {
    const intent = this.intents.get(intentId)
    if (intent?.status !== 'succeeded') return 0
    return [...this.refunds.values()]
      .filter(({ payment_intent, status }) => payment_intent === intentId && status !== 'failed')
      .reduce((left, refund) => left - refund.amount, intent.amount)
  }

  createRefund(form: Form): Refund {
    const intent = this.intent(text(form, 'payment_intent') ?? '')
    const amount = Number(text(form, 'amount'))
    assertInteger(amount, intent.currency)
    if (amount > this.refundable(intent.id))
      throw invalidRequest('charge_already_refunded', 'Refund amount is greater than unrefunded amount')
    const refund: Refund = {
      ...{
        id: this.newId('re'),
        object: 'refund',
        amount,
        currency: intent.currency,
        payment_intent: intent.id,
      },
      status: this.refundsAre,
      metadata: metadataOf(form),
    }
    this.refunds.set(refund.id, refund)
    this.announce('refund.created', refund)
    return refund
  }

  /** Somebody refunds in Stripe's dashboard. @returns what Stripe tells of it: of the refund, and of the charge */
  refundInDashboard(intentId: string, amount: number): [refund: StripeEvent, charge: StripeEvent] {
    this.createRefund({ payment_intent: intentId, amount: String(amount) })
    const { metadata } = this.intent(intentId)
    const charge: Charge = { id: this.newId('ch'), object: 'charge', payment_intent: intentId, metadata }
    return [this.events.at(-1) as StripeEvent, this.announce('charge.refunded', charge)]
  }

  /** A payer asks their bank for the money. */
  dispute(intentId: string, amount: number, reason = 'product_not_received'): StripeEvent {
    const { currency } = this.intent(intentId)
    const dispute: Dispute = {
      ...{ id: this.newId('dp'), object: 'dispute', amount, currency, payment_intent: intentId, reason },
      ...{ status: 'needs_response', created: Math.floor(Date.now() / 1_000) },
    }
    this.disputes.set(dispute.id, dispute)
    return this.announce('charge.dispute.created', dispute)
  }

  /** The bank has decided. */
  closeDispute(id: string, status: 'won' | 'lost'): StripeEvent {
    const dispute = this.disputes.get(id)
    if (dispute === undefined) throw invalidRequest('resource_missing', `No such dispute: '${id}'`, 404)
    dispute.status = status
    return this.announce('charge.dispute.closed', dispute)
  }

  refund(id: string): Refund {
    const refund = this.refunds.get(id)
    if (refund === undefined) throw invalidRequest('resource_missing', `No such refund: '${id}'`, 404)
    return refund
  }

  /** A bank has decided. */
  finishRefund(id: string, status: Refund['status']): StripeEvent {
    const refund = this.refund(id)
    refund.status = status
    return this.announce(status === 'failed' ? 'refund.failed' : 'refund.updated', refund)
  }
}
