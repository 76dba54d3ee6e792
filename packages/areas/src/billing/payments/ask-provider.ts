import type { Config } from '#platform/config.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { ApiError } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { SafeFetch } from '#platform/outbound/safe-fetch.ts'
import type { Log } from '#platform/telemetry/log.ts'
import { accountKeyRefused } from '../errors.ts'
import { openProvider } from '../providers/open-provider.ts'
import {
  type Provider,
  ProviderKeyRefused,
  type ProviderPayment,
  ProviderUnavailable,
} from '../providers/provider.ts'
import { findAccount, findPayer, putCustomer } from './accounts.ts'
import type { PaymentHandlers } from './handlers.ts'
import { getPayment, type PaymentRow, stopAskingAbout, toPayment } from './queries.ts'
import { recordMoneyBack } from './refunds/money-back.ts'
import { getRefund } from './refunds/queries.ts'
import { recordRefund } from './refunds/refund.ts'
import type { Payment } from './schema.ts'
import { recordPayment } from './service.ts'

interface Parts {
  readonly config: Config
  readonly log: Pick<Log, 'warn'>
  /** What areas do when money moves. */
  readonly handlers: PaymentHandlers
}

/** What is known of a payment: its row, and the answer of its provider, if there is one. */
interface Asked {
  readonly row: PaymentRow
  readonly answer: ProviderPayment | undefined
  /** Undefined: money is taken by hand. */
  readonly provider: Provider | undefined
}

/** The error for a client that waits for a provider that does not answer. */
export const unreachable = () =>
  new ApiError(503, 'UNAVAILABLE', 'The payment provider cannot be reached: try again soon', {
    headers: { 'retry-after': '2' },
  })

/** The error of a restored copy that nobody has told to send. */
const held = () =>
  new ApiError(503, 'UNAVAILABLE', 'This is a restored copy that takes no payments yet: try again later', {
    headers: { 'retry-after': '60' },
  })

/** Talks with providers, outside of transactions, and records what they say. One for a process, or for a run. */
export class PaymentProviders {
  readonly #parts: Parts
  readonly #outbound: SafeFetch

  constructor(parts: Parts) {
    this.#parts = parts
    this.#outbound = new SafeFetch(parts.config)
  }

  /** Closes the connections. */
  close(): Promise<void> {
    return this.#outbound.close()
  }

  /**
   * Begins a payment that `openPayment` made, or resumes it. One by hand waits for `mark-paid`.
   * @returns it as clients see it, with what a browser needs
   * @throws ApiError 503 where the provider cannot be reached: nothing is lost, it is asked again; 422 where it refuses our key
   */
  async begin(data: ProjectData, id: string): Promise<Payment> {
    const { row, answer, provider } = await this.#askPayment(data, id, { isPayerHere: true })
    if (provider === undefined) return toPayment(row)
    if (answer === undefined) throw unreachable()
    const { clientSecret } = answer
    const { publishableKey } = provider
    return toPayment(row, clientSecret === undefined ? undefined : { clientSecret, publishableKey })
  }

  /**
   * Asks what a payment is now, and records it; begins it where nobody has, and charges a payer who is not there. If
   * money may have gone back, it asks about refunds and disputes, too.
   * @param named the provider's reference, where a notice gave it before we had recorded it
   */
  async ask(data: ProjectData, id: string, named?: string): Promise<void> {
    const { row, provider } = await this.#askPayment(data, id, { isPayerHere: false, named })
    // One that is by hand has nobody who knows more of it.
    if (provider === undefined) return void (await data.write(stopAskingAbout({ id })))
    const { provider_reference: reference } = row
    if (row.status !== 'succeeded' || !row.money_back_noticed || reference === null) return
    const answer = await this.reach(() => provider.findMoneyBack(reference))
    await data.write((ctx) => recordMoneyBack(ctx, this.#parts.handlers, id, answer))
  }

  async #askPayment(
    data: ProjectData,
    id: string,
    { isPayerHere, named }: { isPayerHere: boolean; named?: string | undefined },
  ): Promise<Asked> {
    const { handlers } = this.#parts
    const { payment } = await data.read({ payment: getPayment({ id }) })
    const provider = await this.#open(data, payment.account_id)
    if (provider === undefined) return { row: payment, answer: undefined, provider }
    const record = (answer: ProviderPayment | undefined) =>
      data.write((ctx) => recordPayment(ctx, handlers, id, { answer, isPayerHere }))
    const known = { ...payment, provider_reference: payment.provider_reference ?? named ?? null }
    const answer = await this.reach(() => this.#answer(data, provider, known), isPayerHere)
    const row = await record(answer)
    // Money is taken once it is recorded for what: so nothing is charged that nobody knows of.
    if (answer?.isUntried !== true || row.status !== 'pending' || row.provider_reference !== answer.reference)
      return { row, answer, provider }
    const charged = await this.reach(() => this.#charge(data, provider, row, answer))
    return { row: await record(charged), answer: charged, provider }
  }

  /** Takes money while its payer is away, with what is saved for what they pay for. */
  async #charge(
    data: ProjectData,
    provider: Provider,
    row: PaymentRow,
    answer: ProviderPayment,
  ): Promise<ProviderPayment> {
    const saved = await data.write((ctx) => this.#parts.handlers[row.purpose]?.savedMethod(ctx, row))
    const newest = async () => provider.newestMethod(await this.customer(data, provider, row))
    const method = saved?.reference ?? (saved?.takesNewest ? await newest() : undefined)
    if (method === undefined) return { ...answer, status: 'failed', isUntried: false, failure: 'no_method' }
    return provider.charge({ reference: answer.reference, offSession: true }, method)
  }

  async #answer(data: ProjectData, provider: Provider, payment: PaymentRow): Promise<ProviderPayment> {
    const { id, provider_reference: reference, off_session: offSession } = payment
    if (payment.status === 'canceled') {
      // Nothing was begun that money could come of, so that there is nothing to end.
      const over = { reference: '', status: 'canceled', amountMinor: 0, currency: '' } as const
      return reference === null ? over : provider.cancel({ reference, offSession })
    }
    if (reference !== null) return provider.find({ reference, offSession })
    const customer = await this.customer(data, provider, payment)
    const { amount_minor: amountMinor, currency, saves_method: savesMethod } = payment
    return provider.begin({ id, amountMinor, currency, customer, offSession, savesMethod })
  }

  /** Makes a refund, or asks what became of it. */
  async askRefund(data: ProjectData, id: string): Promise<void> {
    const { handlers } = this.#parts
    const { refund } = await data.read({ refund: getRefund({ id }) })
    const { payment } = await data.read({ payment: getPayment({ id: refund.payment_id }) })
    const provider = await this.#open(data, payment.account_id)
    const { provider_reference: reference } = refund
    if (provider === undefined || payment.provider_reference === null) return
    const { provider_reference: of, currency } = payment
    const isRepeated = refund.asked > 0
    const answer = await this.reach(() =>
      reference === null
        ? provider.refund({ id, payment: of, amountMinor: refund.amount_minor, currency, isRepeated })
        : provider.findRefund(reference),
    )
    await data.write((ctx) => recordRefund(ctx, handlers, id, answer))
  }

  /** The provider of an account; undefined where money is taken by hand. @throws ApiError 503 while the installation is held */
  provider(data: ProjectData, accountId: string): Promise<Provider | undefined> {
    return this.#open(data, accountId)
  }

  async #open(data: ProjectData, accountId: string | null): Promise<Provider | undefined> {
    if (accountId === null) return undefined
    const { account } = await data.read({ account: findAccount({ id: accountId }) })
    if (account === undefined || account.provider === 'manual') return undefined
    // The original may take the same payment.
    if (account.is_held) throw held()
    return openProvider(account, { config: this.#parts.config, outbound: this.#outbound })
  }

  /** What the provider calls a member; it learns of a new one. */
  async customer(
    data: ProjectData,
    provider: Provider,
    { account_id, member_id }: Pick<PaymentRow, 'account_id' | 'member_id'>,
  ): Promise<string> {
    const accountId = account_id ?? ''
    const { payer } = await data.read({ payer: findPayer({ account_id: accountId, member_id }) })
    if (payer?.customer_ref) return payer.customer_ref
    const { email = '', full_name: name = '' } = payer ?? {}
    const customer_ref = await provider.customer({ key: `${accountId}-${member_id}`, email, name })
    await data.write(putCustomer({ id: newUuid(), account_id: accountId, member_id, customer_ref }))
    return customer_ref
  }

  /**
   * Undefined where nobody knows what became of the call.
   * @param isClientHere whether a client waits, which gets an error for a refused key
   */
  async reach<T>(call: () => Promise<T>, isClientHere = false): Promise<T | undefined> {
    try {
      return await call()
    } catch (error) {
      if (isClientHere && error instanceof ProviderKeyRefused) throw accountKeyRefused()
      if (!(error instanceof ProviderUnavailable)) throw error
      this.#parts.log.warn({ err: error }, 'a payment provider could not be reached; it is asked again')
      return undefined
    }
  }
}
