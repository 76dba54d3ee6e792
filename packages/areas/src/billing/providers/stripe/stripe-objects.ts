import type Stripe from 'stripe'
import { chargeable } from '../chargeable.ts'
import type { Notice, ProviderDispute, ProviderPayment, ProviderRefund, ProviderSetup } from '../provider.ts'

// What Stripe's objects mean to us.

/** A payment. @param offSession whether its payer is away */
export function toPayment(intent: Stripe.PaymentIntent, offSession: boolean): ProviderPayment {
  const { id: reference, currency, client_secret, last_payment_error: fault } = intent
  const status = statusOf(intent, offSession)
  const isSaved = offSession || intent.setup_future_usage !== null
  return {
    reference,
    status,
    amountMinor: chargeable('stripe', currency).fromProvider(intent.amount),
    currency,
    ...(status === 'requires_action' && client_secret !== null && { clientSecret: client_secret }),
    ...(status === 'succeeded' && isSaved && { method: idOf(intent.payment_method) }),
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

/** Whether nobody has tried to take the money of an intent. */
export const isUntried = ({ status, last_payment_error: fault }: Stripe.PaymentIntent): boolean =>
  (status === 'requires_payment_method' || status === 'requires_confirmation') && !fault

const idOf = (object: string | { id: string } | null): string | undefined =>
  typeof object === 'string' ? object : object?.id

/** A card that a browser hands in. It is `open` until it succeeded or was canceled. */
export function toSetup({ id, status, client_secret, payment_method }: Stripe.SetupIntent): ProviderSetup {
  if (status === 'succeeded') return { reference: id, status: 'succeeded', method: idOf(payment_method) }
  if (status === 'canceled') return { reference: id, status: 'canceled' }
  return { reference: id, status: 'open', clientSecret: client_secret ?? undefined }
}

/** A refund. */
export function toRefund({ id: reference, status }: Stripe.Refund): ProviderRefund {
  if (status === 'succeeded') return { reference, status: 'succeeded' }
  return { reference, status: status === 'failed' || status === 'canceled' ? 'failed' : 'pending' }
}

/** A dispute. It is `open` until it is won or lost; inquiries of a bank are open disputes, too. */
export function toDispute({
  id: reference,
  status,
  reason,
  amount,
  currency,
}: Stripe.Dispute): ProviderDispute {
  const amountMinor = chargeable('stripe', currency).fromProvider(amount)
  return { reference, status: DISPUTES.get(status) ?? 'open', reason, amountMinor }
}

const DISPUTES: ReadonlyMap<string, ProviderDispute['status']> = new Map([
  ['won', 'won'],
  ['warning_closed', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
  // The payer has the money while the seller appeals.
  ['appeal_needs_response', 'lost'],
  ['appeal_under_review', 'lost'],
])

/** What an event is about. */
export function toNotice({ id, type, data }: Stripe.Event): Notice {
  const object = data.object as {
    id?: string
    object?: string
    metadata?: Record<string, string>
    payment_intent?: string | { id: string } | null
  }
  const reference = object.object === 'payment_intent' ? object.id : idOf(object.payment_intent ?? null)
  const setup = object.object === 'setup_intent' ? object.id : undefined
  const isRefund = object.object === 'refund'
  return {
    id,
    type,
    payment: reference === undefined ? undefined : { reference, id: object.metadata?.['payment_id'] },
    setup: setup === undefined ? undefined : { reference: setup, id: object.metadata?.['setup_id'] },
    refund: isRefund ? object.id : undefined,
    isMoneyBack: isRefund || object.object === 'dispute' || type === 'charge.refunded',
  }
}
