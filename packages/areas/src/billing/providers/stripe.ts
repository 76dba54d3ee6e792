import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { FetchFailure } from '#platform/outbound/fetch-error.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import {
  type BegunPayment,
  type Notice,
  type PaymentToBegin,
  type Provider,
  type ProviderPayment,
  type ProviderRefund,
  ProviderUnavailable,
  type RefundToMake,
} from './provider.ts'
import { fromStripeAmount, toStripeAmount } from './stripe-amounts.ts'

interface Options {
  /** Where the API is. */
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  readonly outbound: SafeFetch
}

const ANSWER_BYTES = 1024 * 1024
const TIMEOUT_MS = 12_000

/** Payments by Stripe: PaymentIntents, SetupIntents and refunds, by Stripe's own package. */
export class StripeProvider implements Provider {
  readonly #stripe: Stripe
  readonly #webhookSecret: string

  constructor({ url, secretKey, webhookSecret, outbound }: Options) {
    const { protocol, hostname, port } = new URL(url)
    this.#webhookSecret = webhookSecret
    this.#stripe = new Stripe(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      port: port || (protocol === 'http:' ? '80' : '443'),
      httpClient: Stripe.createFetchHttpClient(outboundFetch(outbound)),
      // The job that asks comes again by itself: never one loop of retries inside another.
      maxNetworkRetries: 0,
      timeout: TIMEOUT_MS,
      telemetry: false,
    })
  }

  begin(payment: PaymentToBegin): Promise<ProviderPayment> {
    return known(async () => {
      const { id, customer, currency, offSession } = payment
      const amount = toStripeAmount(payment.amountMinor, currency)
      const forBrowser = {
        setup_future_usage: 'off_session',
        automatic_payment_methods: { enabled: true },
      } as const
      const intent = { amount, currency, customer, metadata: { payment_id: id } }
      const request = offSession ? intent : { ...intent, ...forBrowser }
      try {
        const made = await this.#stripe.paymentIntents.create(request, { idempotencyKey: id })
        return toPayment(made, offSession)
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        // What it refuses now it will always refuse, such as an amount that is too small.
        const { amountMinor } = payment
        return { reference: '', status: 'failed', amountMinor, currency, failure: error.code ?? error.type }
      }
    })
  }

  charge({ reference }: BegunPayment, customer: string): Promise<ProviderPayment> {
    return known(async () => {
      const method = await this.#savedMethod(customer)
      if (method === undefined) {
        const intent = await this.#stripe.paymentIntents.retrieve(reference)
        return { ...toPayment(intent, true), status: 'failed', isUntried: false, failure: 'no_method' }
      }
      try {
        // An intent takes money at most once, so that this needs no key.
        const request = { payment_method: method, off_session: true }
        return toPayment(await this.#stripe.paymentIntents.confirm(reference, request), true)
      } catch (error) {
        // A refused card is an answer: the intent says why.
        if (error instanceof Stripe.errors.StripeCardError && error.payment_intent)
          return toPayment(error.payment_intent, true)
        // Another one has charged or ended it a moment ago.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return toPayment(await this.#stripe.paymentIntents.retrieve(reference), true)
        throw error
      }
    })
  }

  find({ reference, offSession }: BegunPayment): Promise<ProviderPayment> {
    return known(async () => toPayment(await this.#stripe.paymentIntents.retrieve(reference), offSession))
  }

  cancel({ reference, offSession }: BegunPayment): Promise<ProviderPayment> {
    return known(async () => {
      try {
        return toPayment(await this.#stripe.paymentIntents.cancel(reference), offSession)
      } catch (error) {
        // It can no longer be canceled: then it is what it is.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return toPayment(await this.#stripe.paymentIntents.retrieve(reference), offSession)
        throw error
      }
    })
  }

  refund({ id, payment, amountMinor, currency, isRepeated }: RefundToMake): Promise<ProviderRefund> {
    return known(async () => {
      // Stripe forgets keys after a day; what was made before is found by our id in it.
      const known = isRepeated ? await this.#refundOf(payment, id) : undefined
      if (known !== undefined) return toRefund(known)
      const amount = toStripeAmount(amountMinor, currency)
      const refund = { payment_intent: payment, amount, metadata: { refund_id: id } }
      try {
        return toRefund(await this.#stripe.refunds.create(refund, { idempotencyKey: id }))
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return { reference: '', status: 'failed' as const }
        throw error
      }
    })
  }

  findRefund(reference: string): Promise<ProviderRefund> {
    return known(async () => toRefund(await this.#stripe.refunds.retrieve(reference)))
  }

  customer({ key, email, name }: { key: string; email: string; name: string }): Promise<string> {
    return known(async () => {
      // A key belongs to one request: another address is another one.
      const version = createHash('sha256').update(`${email} ${name}`).digest('hex').slice(0, 16)
      const options = { idempotencyKey: `customer-${key}-${version}` }
      const { id } = await this.#stripe.customers.create({ email, name, metadata: { member: key } }, options)
      return id
    })
  }

  setUpMethod({ key, customer }: { key: string; customer: string }): Promise<{ clientSecret: string }> {
    return known(async () => {
      const intent = await this.#stripe.setupIntents.create(
        { customer, usage: 'off_session', automatic_payment_methods: { enabled: true } },
        { idempotencyKey: `setup-${key}` },
      )
      return { clientSecret: intent.client_secret ?? '' }
    })
  }

  readNotice(body: Buffer, signature: string): Notice | undefined {
    let event: Stripe.Event
    try {
      event = this.#stripe.webhooks.constructEvent(body, signature, this.#webhookSecret)
    } catch {
      return undefined
    }
    const object = event.data.object as {
      id?: string
      object?: string
      metadata?: Record<string, string>
      payment_intent?: string | { id: string } | null
    }
    const intent = object.payment_intent
    const reference =
      object.object === 'payment_intent' ? object.id : typeof intent === 'string' ? intent : intent?.id
    const payment = reference === undefined ? undefined : { reference, id: object.metadata?.['payment_id'] }
    const refund = object.object === 'refund' ? object.id : undefined
    return { id: event.id, type: event.type, payment, refund }
  }

  /** What the payer saved last. */
  async #savedMethod(customer: string): Promise<string | undefined> {
    const { data } = await this.#stripe.customers.listPaymentMethods(customer, { limit: 10 })
    return [...data].sort((a, b) => b.created - a.created)[0]?.id
  }

  async #refundOf(payment: string, id: string): Promise<Stripe.Refund | undefined> {
    const { data } = await this.#stripe.refunds.list({ payment_intent: payment, limit: 100 })
    return data.find(({ metadata }) => metadata?.['refund_id'] === id)
  }
}

/** Answers that say what happened stay errors of ours; whatever leaves it open is `ProviderUnavailable`. */
async function known<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new ProviderUnavailable((error as Error).message, { cause: error })
  }
}

function toPayment(intent: Stripe.PaymentIntent, offSession: boolean): ProviderPayment {
  const { id: reference, currency, client_secret, last_payment_error: fault } = intent
  const status = statusOf(intent, offSession)
  return {
    reference,
    status,
    amountMinor: fromStripeAmount(intent.amount, currency),
    currency,
    ...(status === 'requires_action' && client_secret !== null && { clientSecret: client_secret }),
    ...(offSession && { isUntried: isUntried(intent) }),
    ...(fault && { failure: fault.decline_code ?? fault.code ?? fault.type }),
  }
}

function statusOf(intent: Stripe.PaymentIntent, offSession: boolean): ProviderPayment['status'] {
  const { status } = intent
  if (status === 'succeeded') return 'succeeded'
  if (status === 'canceled') return 'canceled'
  if (status === 'processing' || status === 'requires_capture') return 'pending'
  if (!offSession) return 'requires_action'
  // Nobody is there to take another card or to confirm.
  return isUntried(intent) ? 'pending' : 'failed'
}

const isUntried = ({ status, last_payment_error: fault }: Stripe.PaymentIntent): boolean =>
  (status === 'requires_payment_method' || status === 'requires_confirmation') && !fault

function toRefund({ id: reference, status }: Stripe.Refund): ProviderRefund {
  if (status === 'succeeded') return { reference, status: 'succeeded' }
  return { reference, status: status === 'failed' || status === 'canceled' ? 'failed' : 'pending' }
}

/** Stripe's package talks through the one way to the outside. */
const outboundFetch =
  (outbound: SafeFetch): typeof fetch =>
  async (input, init) => {
    const answer = await outbound.fetch({
      url: String(input),
      method: init?.method === 'GET' ? 'GET' : 'POST',
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      ...(typeof init?.body === 'string' && { body: init.body }),
      keepBytes: ANSWER_BYTES,
      readBytes: ANSWER_BYTES,
    })
    if (answer.error !== undefined || answer.status === undefined)
      throw new FetchFailure(answer.error ?? 'network')
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: { ...answer.headers },
    })
  }
