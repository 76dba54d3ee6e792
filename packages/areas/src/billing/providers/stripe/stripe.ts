import { createHash } from 'node:crypto'
import Stripe from 'stripe'
import { FetchFailure } from '#platform/outbound/fetch-error.ts'
import type { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import { webhookSecretMissing } from '../../errors.ts'
import { chargeable } from '../chargeable.ts'
import {
  type BegunBefore,
  type BegunPayment,
  type MoneyBack,
  type Notice,
  type PaymentToBegin,
  type Provider,
  ProviderKeyRefused,
  type ProviderPayment,
  type ProviderRefund,
  type ProviderSetup,
  ProviderUnavailable,
  type RefundToMake,
} from '../provider.ts'
import { createOnce } from './create-once.ts'
import { isUntried, toDispute, toNotice, toPayment, toRefund, toSetup } from './stripe-objects.ts'

interface Options {
  /** Where the API is. */
  readonly url: string
  readonly secretKey: string
  /** Undefined: notices cannot be checked. */
  readonly webhookSecret: string | undefined
  /** For browsers. */
  readonly publishableKey?: string | null
  readonly outbound: SafeFetch
}

const TIMEOUT_MS = 12_000
/** Statuses of a key that is wrong or revoked, and of one that may not do this. */
const FORBIDDEN = 403
const KEY_REFUSED = [401, FORBIDDEN]
/** More refunds or disputes of one payment than these are not looked at. */
const MOST_MOVES = 1_000

/** Payments by Stripe: PaymentIntents, SetupIntents and refunds, by Stripe's own package. */
export class StripeProvider implements Provider {
  readonly publishableKey: string | null
  readonly #stripe: Stripe
  readonly #webhookSecret: string | undefined

  constructor({ url, secretKey, webhookSecret, publishableKey = null, outbound }: Options) {
    const { protocol, hostname, port } = new URL(url)
    this.#webhookSecret = webhookSecret
    this.publishableKey = publishableKey
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
      const { id, customer, currency, offSession, savesMethod } = payment
      const amount = chargeable('stripe', currency).toProvider(payment.amountMinor)
      const forBrowser = {
        ...(savesMethod && ({ setup_future_usage: 'off_session' } as const)),
        automatic_payment_methods: { enabled: true },
      }
      const intent = { amount, currency, customer, metadata: { payment_id: id } }
      const request = offSession ? intent : { ...intent, ...forBrowser }
      try {
        const made = await createOnce(id, (once) => this.#stripe.paymentIntents.create(request, once))
        return toPayment(made, offSession)
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        // A refusal is final, such as that of an amount that is too small.
        const { amountMinor } = payment
        return { reference: '', status: 'failed', amountMinor, currency, failure: error.code ?? error.type }
      }
    })
  }

  charge({ reference }: BegunPayment, method: string): Promise<ProviderPayment> {
    return known(async () => {
      try {
        // An intent takes money at most once, so that this needs no key.
        const request = { payment_method: method, off_session: true }
        return toPayment(await this.#stripe.paymentIntents.confirm(reference, request), true)
      } catch (error) {
        // A refused card is an answer: the intent says why.
        if (error instanceof Stripe.errors.StripeCardError && error.payment_intent)
          return toPayment(error.payment_intent, true)
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
        const intent = await this.#stripe.paymentIntents.retrieve(reference)
        const answer = toPayment(intent, true)
        // Another one has charged or ended it a moment ago; or there is no such card any more.
        return isUntried(intent)
          ? { ...answer, status: 'failed', isUntried: false, failure: error.code ?? error.type }
          : answer
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
      // Stripe forgets keys after a day; older refunds are found by our id in them.
      const known = isRepeated ? await this.#refundOf(payment, id) : undefined
      if (known !== undefined) return toRefund(known)
      const amount = chargeable('stripe', currency).toProvider(amountMinor)
      const refund = { payment_intent: payment, amount, metadata: { refund_id: id } }
      try {
        // Money goes out, so that no other key is tried: after a fault of Stripe's the refund is made a day later.
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

  findMoneyBack(payment: string): Promise<MoneyBack> {
    return known(async () => {
      const request = { payment_intent: payment, limit: 100 }
      const most = { limit: MOST_MOVES }
      const [refunds, disputes] = await Promise.all([
        this.#stripe.refunds.list(request).autoPagingToArray(most),
        this.#stripe.disputes.list(request).autoPagingToArray(most),
      ])
      return {
        refunds: refunds.map((refund) => ({
          ...toRefund(refund),
          id: refund.metadata?.['refund_id'],
          amountMinor: chargeable('stripe', refund.currency).fromProvider(refund.amount),
        })),
        disputes: disputes.toSorted((a, b) => a.created - b.created).map(toDispute),
      }
    })
  }

  customer({ key, email, name }: { key: string; email: string; name: string }): Promise<string> {
    return known(async () => {
      // A key belongs to one request: another address is another one.
      const version = createHash('sha256').update(`${email} ${name}`).digest('hex').slice(0, 16)
      const customer = { email, name, metadata: { member: key } }
      const { id } = await createOnce(`customer-${key}-${version}`, (once) =>
        this.#stripe.customers.create(customer, once),
      )
      return id
    })
  }

  setUpMethod({ id, customer }: { id: string; customer: string }): Promise<ProviderSetup> {
    return known(async () => {
      const request = {
        ...{ customer, usage: 'off_session', metadata: { setup_id: id } },
        automatic_payment_methods: { enabled: true },
      } as const
      return toSetup(
        await createOnce(`setup-${id}`, (once) => this.#stripe.setupIntents.create(request, once)),
      )
    })
  }

  findSetup(reference: string): Promise<ProviderSetup> {
    return known(async () => toSetup(await this.#stripe.setupIntents.retrieve(reference)))
  }

  cancelSetup(reference: string): Promise<ProviderSetup> {
    return known(async () => {
      try {
        return toSetup(await this.#stripe.setupIntents.cancel(reference))
      } catch (error) {
        // It can no longer be canceled: then it is what it is.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return toSetup(await this.#stripe.setupIntents.retrieve(reference))
        throw error
      }
    })
  }

  newestMethod(customer: string): Promise<string | undefined> {
    return known(async () => {
      const { data } = await this.#stripe.customers.listPaymentMethods(customer, { limit: 10 })
      return data.toSorted((a, b) => b.created - a.created)[0]?.id
    })
  }

  async checkKey(begun: BegunBefore): Promise<'accepted' | 'unknown' | 'forbidden' | 'elsewhere'> {
    try {
      return await known(() => this.#tryKey(begun))
    } catch (error) {
      if (!(error instanceof ProviderKeyRefused)) throw error
      return (error.cause as { statusCode?: number }).statusCode === FORBIDDEN ? 'forbidden' : 'unknown'
    }
  }

  readNotice(body: Buffer, signature: string): Notice | undefined {
    if (this.#webhookSecret === undefined) throw webhookSecretMissing()
    try {
      return toNotice(this.#stripe.webhooks.constructEvent(body, signature, this.#webhookSecret))
    } catch {
      return undefined
    }
  }

  async #tryKey({ payment, customer }: BegunBefore): Promise<'accepted' | 'elsewhere'> {
    try {
      if (payment !== null) await this.#stripe.paymentIntents.retrieve(payment)
      else if (customer !== null) await this.#stripe.customers.retrieve(customer)
      else await this.#stripe.paymentIntents.list({ limit: 1 })
      return 'accepted'
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
        return 'elsewhere'
      throw error
    }
  }

  async #refundOf(payment: string, id: string): Promise<Stripe.Refund | undefined> {
    const list = this.#stripe.refunds.list({ payment_intent: payment, limit: 100 })
    const all = await list.autoPagingToArray({ limit: MOST_MOVES })
    return all.find(({ metadata }) => metadata?.['refund_id'] === id)
  }
}

/** Answers that say what happened stay errors of ours; whatever leaves it open is `ProviderUnavailable`. */
async function known<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { message, statusCode = 0 } = error as Error & { statusCode?: number }
    const Unanswered = KEY_REFUSED.includes(statusCode) ? ProviderKeyRefused : ProviderUnavailable
    throw new Unanswered(message, { cause: error })
  }
}

const ANSWER_BYTES = 1024 * 1024

/** Stripe's package talks through the one way to the outside. */
export const outboundFetch =
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
