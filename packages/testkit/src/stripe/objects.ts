import type { Form } from './form.ts'

/** How a card behaves. */
export type Card =
  | 'good'
  /** Its bank says no. */
  | 'declined'
  /** Its bank wants its owner to confirm (3-D Secure): impossible where the owner is away. */
  | 'asks_owner'

export interface Customer {
  id: string
  object: 'customer'
  email: string
}

export interface Method {
  id: string
  object: 'payment_method'
  customer: string | null
  created: number
  /** Not in Stripe's API. */
  card: Card
}

interface Fault {
  type: 'card_error'
  code: string
  decline_code?: string
}

export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  currency: string
  customer: string | null
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  client_secret: string
  last_payment_error: Fault | null
  metadata: Record<string, string>
  payment_method: string | null
  setup_future_usage: string | null
}

export interface Setup {
  id: string
  object: 'setup_intent'
  customer: string
  status: 'requires_payment_method' | 'succeeded' | 'canceled'
  client_secret: string
  payment_method: string | null
  metadata: Record<string, string>
}

export interface Refund {
  id: string
  object: 'refund'
  amount: number
  currency: string
  payment_intent: string
  status: 'pending' | 'succeeded' | 'failed'
  metadata: Record<string, string>
}

export interface Dispute {
  id: string
  object: 'dispute'
  amount: number
  currency: string
  payment_intent: string
  reason: string
  status: 'needs_response' | 'won' | 'lost'
  created: number
}

/** What Stripe says and sends to whoever has a webhook. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly type: string
  /** Seconds; several events have the same. */
  readonly created: number
  readonly data: { readonly object: Readonly<Record<string, unknown>> }
}

/** An error as Stripe answers it. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  constructor(
    status: number,
    body: { type: string; code?: string; message: string; [field: string]: unknown },
  ) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

export const invalidRequest = (code: string, message: string, status = 400) =>
  new StripeFault(status, { type: 'invalid_request_error', code, message })

export const text = (form: Form, field: string): string | undefined => {
  const value = form[field]
  return typeof value === 'string' ? value : undefined
}

export const metadataOf = (form: Form): Record<string, string> => ({
  ...(form['metadata'] as Record<string, string> | undefined),
})
