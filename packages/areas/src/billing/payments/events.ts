import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { DisputeData, PaymentData, RefundData } from './schema.ts'

const member = ({ member_id }: { member_id: string }) => member_id
const payment = { data: PaymentData, member }
const refund = { data: RefundData, member }
const dispute = { data: DisputeData, member }
const paid = { ...exampleOf(PaymentData), status: 'succeeded', failure: null } as const
const disputed = { ...exampleOf(DisputeData), ...paid }
const refunded = exampleOf(RefundData)

export const paymentSucceeded = defineEvent({
  name: 'payment.succeeded',
  description: 'Money for a bill or an order arrived, from a provider or by hand',
  ...payment,
  example: { ...paid, dispute: null, dispute_reason: null },
})
export const paymentFailed = defineEvent({
  name: 'payment.failed',
  description:
    'A payment has failed and cannot be resumed; `failure` says why. While the payer can still try another card, there is no event',
  ...payment,
  example: {
    ...paid,
    ...{ status: 'failed', failure: 'insufficient_funds', dispute: null, dispute_reason: null },
  },
})
export const refundSucceeded = defineEvent({
  name: 'refund.succeeded',
  description:
    'Money went back to a payer: refunded here, refunded at the provider, or given back by a bank in a dispute',
  ...refund,
  example: { ...refunded, status: 'succeeded' },
})
export const refundFailed = defineEvent({
  name: 'refund.failed',
  description:
    'The provider refused a refund, or a bank sent it back, perhaps days after `refund.succeeded`: the payer does not have the money',
  ...refund,
  example: { ...refunded, status: 'failed' },
})
export const disputeOpened = defineEvent({
  name: 'dispute.opened',
  description: 'A payer asked their bank for the money back',
  ...dispute,
  example: { ...disputed, dispute: 'open' },
})
export const disputeClosed = defineEvent({
  name: 'dispute.closed',
  description:
    'A bank has decided a dispute. `dispute` has the result. If the dispute is lost, `refund.succeeded` is sent too',
  ...dispute,
  example: { ...disputed, dispute: 'lost' },
})
