import { afterEach } from 'vitest'
import { startApi, type TestApi } from '../../api.ts'
import { makeProjects, type Side } from '../../factories.ts'
import type { Card, StripeEvent } from '../../stripe/objects.ts'
import { SECRET_KEY, type StripeServer, signNotice, startStripe } from '../../stripe/server.ts'
import { withOpened } from '../../with-api.ts'
import { advance as advanceClock } from '../test-clock.ts'

interface Made<T> {
  readonly data: T
}

/** A payment as the API shows it. */
export interface ShownPayment {
  readonly id: string
  readonly status: string
  readonly amount: number
  readonly amount_refunded: number
  readonly failure: string | null
  readonly client_secret?: string
  readonly provider_reference: string | null
}

/** An API whose test side takes cards, with a Stripe of its own. */
export interface PaymentEnvironment {
  readonly api: TestApi
  readonly stripe: StripeServer
  /** The test side of a project, with an account of Stripe as its default. */
  readonly side: Side
  /** Of another project, with an account of the same Stripe. */
  readonly other: Side
  /** The ids of their accounts. */
  readonly accounts: { readonly side: string; readonly other: string }
  close(): Promise<void>
}

export const WEBHOOK_SECRET = 'whsec_of_the_tests'

async function startPayments(): Promise<PaymentEnvironment> {
  const stripe = await startStripe()
  const environment = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1', STRIPE_API_URL: stripe.url }
  const api = await startApi({ environment })
  const [one, two] = await makeProjects(api)
  const [side, other] = [one.test, two.test]
  return {
    api,
    stripe,
    side,
    other,
    accounts: { side: await makeStripeAccount(side), other: await makeStripeAccount(other) },
    close: async () => {
      await api.close()
      await stripe.close()
    },
  }
}

/** Gives a test file an API with a Stripe, which does again after each test what it did before. */
export function withPayments(prepare: (env: PaymentEnvironment) => unknown): void {
  let env: PaymentEnvironment
  withOpened(startPayments, (opened) => {
    env = opened
    return prepare(opened)
  })
  afterEach(() => env.stripe.reset())
}

/** @returns its id */
export async function makeStripeAccount(side: Side, webhookSecret = WEBHOOK_SECRET): Promise<string> {
  const secrets = { secret_key: SECRET_KEY, webhook_secret: webhookSecret }
  const account = { provider: 'stripe', name: 'Cards', secrets }
  return (await side.admin.post<Made<{ id: string }>>('/payment-accounts', account)).body.data.id
}

/** The payer's browser: hands a card in for a payment. A card that is declined changes nothing but what the payment says. */
export function payWith(stripe: StripeServer, payment: ShownPayment, card: Card): void {
  const { ledger } = stripe
  const id = payment.client_secret?.replace(/_secret_.*/, '') ?? ''
  try {
    ledger.confirm(id, ledger.addMethod(card, null), { offSession: false })
  } catch (error) {
    if (card !== 'declined') throw error
  }
}

/**
 * A member hands in another card for a subscription, and Stripe tells of it.
 * @returns what Stripe tells, which is sent unless `isAnnounced` is false
 */
export async function replaceCard(
  { api, stripe, side, accounts }: PaymentEnvironment,
  subscription: { readonly id: string },
  card: Card,
  { isAnnounced = true } = {},
): Promise<StripeEvent> {
  const path = `/subscriptions/${subscription.id}/payment-method`
  const { status, body } = await side.admin.post<Made<{ client_secret: string }>>(path)
  if (status !== 200) throw new Error(`no card can be handed in: ${status}`)
  const event = stripe.ledger.finishSetup(body.data.client_secret.replace(/_secret_.*/, ''), card)
  if (isAnnounced) await sendNotice(api, accounts.side, event)
  return event
}

/** Sends a notice to an account. @returns the status, and whether it counted */
export async function sendNotice(
  api: TestApi,
  account: string,
  event: StripeEvent | Record<string, unknown>,
  { secret = WEBHOOK_SECRET, timestamp }: { secret?: string; timestamp?: number } = {},
): Promise<[status: number, counted: boolean | string]> {
  const { status, body } = await api.send<{ data?: { received: boolean }; code?: string }>(
    'POST',
    `/api/v1/payment-accounts/${account}/webhook`,
    signNotice(event, secret, timestamp),
  )
  return [status, body.data?.received ?? body.code ?? '']
}

/** Moves the clock of a test side: everything that is due until then happens, asking Stripe included. */
export const advance = advanceClock
