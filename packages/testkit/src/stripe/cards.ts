import type { Form } from './form.ts'
import {
  type Card,
  type Customer,
  type Dispute,
  type Intent,
  invalidRequest,
  type Method,
  metadataOf,
  type Refund,
  type Setup,
  type StripeEvent,
  text,
} from './objects.ts'

/** What Stripe tells of refunds, besides the refunds themselves. */
export interface Charge {
  id: string
  object: 'charge'
  payment_intent: string
  metadata: Record<string, string>
}

/** Customers and their cards, and their events. */
export class StripeCards {
  readonly customers = new Map<string, Customer>()
  readonly methods = new Map<string, Method>()
  readonly setups = new Map<string, Setup>()
  /** All events, the earliest first. */
  readonly events: StripeEvent[] = []
  readonly #name: string
  #made = 0

  /** @param name is in its ids, so that no account at Stripe knows those of another */
  constructor(name = '') {
    this.#name = name
  }

  protected newId(prefix: string): string {
    this.#made += 1
    return `${prefix}_${this.#name}${String(this.#made).padStart(8, '0')}`
  }

  announce(type: string, object: Intent | Refund | Dispute | Setup | Charge): StripeEvent {
    const created = Math.floor(Date.now() / 1_000)
    const event = {
      id: this.newId('evt'),
      object: 'event',
      type,
      created,
      data: { object: { ...object } },
    } as const
    this.events.push(event)
    return event
  }

  createCustomer(form: Form): Customer {
    const customer = { id: this.newId('cus'), object: 'customer', email: text(form, 'email') ?? '' } as const
    this.customers.set(customer.id, customer)
    return customer
  }

  customer(id: string): Customer {
    const customer = this.customers.get(id)
    if (customer === undefined) throw invalidRequest('resource_missing', `No such customer: '${id}'`, 404)
    return customer
  }

  methodsOf(customer: string): Method[] {
    this.customer(customer)
    return [...this.methods.values()].filter((method) => method.customer === customer).toReversed()
  }

  /** A card as a browser hands it in; saved where a customer is named, but for no subscription: `replaceCard` does that. */
  addMethod(card: Card, customer: string | null): Method {
    const id = this.newId('pm')
    const method: Method = { id, object: 'payment_method', customer, created: Date.now() + this.#made, card }
    this.methods.set(id, method)
    return method
  }

  createSetup(form: Form): Setup {
    const id = this.newId('seti')
    const setup: Setup = {
      ...{ id, object: 'setup_intent', status: 'requires_payment_method', client_secret: `${id}_secret_x` },
      customer: this.customer(text(form, 'customer') ?? '').id,
      payment_method: null,
      metadata: metadataOf(form),
    }
    this.setups.set(id, setup)
    return setup
  }

  setup(id: string): Setup {
    const setup = this.setups.get(id)
    if (setup === undefined) throw invalidRequest('resource_missing', `No such setup_intent: '${id}'`, 404)
    return setup
  }

  cancelSetup(id: string): Setup {
    const setup = this.setup(id)
    if (setup.status !== 'requires_payment_method')
      throw invalidRequest('setup_intent_unexpected_state', `This SetupIntent is ${setup.status}`)
    setup.status = 'canceled'
    return setup
  }

  /** A browser hands a card in, which is saved for the customer. How it behaves later is the card's matter. */
  finishSetup(id: string, card: Card): StripeEvent {
    const setup = this.setup(id)
    if (setup.status !== 'requires_payment_method')
      throw invalidRequest('setup_intent_unexpected_state', `This SetupIntent is ${setup.status}`)
    setup.payment_method = this.addMethod(card, setup.customer).id
    setup.status = 'succeeded'
    return this.announce('setup_intent.succeeded', setup)
  }
}
