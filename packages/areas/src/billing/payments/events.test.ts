import { expect, test } from 'vitest'
import type { Order } from '#areas/shop/orders/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { StripeEvent } from '#testkit/stripe/objects.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'
import type { DisputeData, PaymentData, RefundData } from './schema.ts'

interface Made<T> {
  data: T
}
type Announced = [type: string, data: Partial<PaymentData & RefundData & DisputeData>]

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const boughtBy = async () => {
  const { client, id: member } = await makeCustomer(env.side)
  const { id } = await makeProduct(env.side, { price: 10, stock: 5 })
  await client.post('/shop/cart', { product_id: id, quantity: 2 })
  const order = (await client.post<Made<Order & { payment: ShownPayment }>>('/shop/checkout', {})).body.data
  return { ...order, member }
}
const subscribed = async () => {
  const plan = await env.side.makePlan({ price: 30, currency: 'eur' })
  const member = (await env.side.makeMember()).id
  const { data } = (
    await env.side.admin.post<Made<SubscriptionWithBill>>('/subscriptions', {
      ...{ member_id: member, plan_id: plan.id },
    })
  ).body
  return { ...data, member }
}
const send = async (event: StripeEvent) =>
  expect(await sendNotice(env.api, env.accounts.side, event)).toEqual([200, true])
/** Events about a member's money, the earliest first. */
const announcedOf = async (member: string): Promise<Announced[]> => {
  const { rows } = await env.api.owner.query<{ type: string; payload: Announced[1]; owner: boolean }>(
    `select type, payload, member_id is not null as owner from events
      where type ~ '^(payment|refund|dispute)[.]' and payload->>'member_id' = $1 order by id`,
    [member],
  )
  expect(rows.every(({ owner }) => owner)).toBe(true)
  return rows.map(({ type, payload }) => [type, payload])
}

test('a payment and its refunds are announced with their member and what they are for', async () => {
  const order = await boughtBy()
  payWith(env.stripe, order.payment, 'good')
  await advance(env.side, { minutes: 2 })
  await env.side.admin.post(`/shop/orders/${order.id}/refund`, { amount: 5, reason: 'Late' })
  await advance(env.side, { minutes: 2 })
  const { payment, member: member_id } = order
  const common = { member_id, order_id: order.id, bill_id: null, currency: 'eur' }
  const refunds = (await env.side.admin.get<Made<Order>>(`/shop/orders/${order.id}`)).body.data.refunds
  expect(await announcedOf(order.member)).toEqual([
    [
      'payment.succeeded',
      expect.objectContaining({ ...common, id: payment.id, status: 'succeeded', amount: 20, failure: null }),
    ],
    [
      'refund.succeeded',
      expect.objectContaining({
        ...common,
        ...{ id: refunds[0]?.id, payment_id: payment.id, amount: 5, reason: 'Late' },
        provider_reference: expect.stringMatching(/^re_/),
      }),
    ],
  ])
})

test('a refund that a bank sends back later is announced twice: that it succeeded, and that it failed', async () => {
  const order = await boughtBy()
  payWith(env.stripe, order.payment, 'good')
  await advance(env.side, { minutes: 2 })
  const reference = order.payment.provider_reference ?? ''
  await send(env.stripe.ledger.refundInDashboard(reference, 700)[0])
  const made = [...env.stripe.ledger.refunds.values()].at(-1)?.id ?? ''
  await send(env.stripe.ledger.finishRefund(made, 'failed'))
  const announced = await announcedOf(order.member)
  expect(
    announced.map(([type, { amount, provider_reference }]) => [type, amount, provider_reference]),
  ).toEqual([
    ['payment.succeeded', 20, reference],
    ['refund.succeeded', 7, made],
    ['refund.failed', 7, made],
  ])
})

test('money by hand is announced, and its refund at once', async () => {
  const order = await boughtBy()
  await env.side.admin.post(`/shop/orders/${order.id}/mark-paid`)
  await env.side.admin.post(`/shop/orders/${order.id}/refund`, {})
  const announced = await announcedOf(order.member)
  expect(announced.map(([type, { provider_reference }]) => [type, provider_reference])).toEqual([
    ['payment.succeeded', null],
    ['refund.succeeded', null],
  ])
})

test('a renewal that is declined is announced as failed, once for each try', async () => {
  const { bill, member, period_end } = await subscribed()
  const begun = (await env.side.admin.post<Made<ShownPayment>>(`/bills/${bill?.id}/pay`)).body.data
  // Its payer can still try another card: nothing has failed.
  payWith(env.stripe, begun, 'declined')
  await env.side.admin.post(`/bills/${bill?.id}/pay`)
  payWith(env.stripe, begun, 'good')
  await advance(env.side, { minutes: 2 })
  for (const method of env.stripe.ledger.methods.values())
    if (method.customer !== null) method.card = 'declined'
  const { body } = await env.side.admin.get<Made<{ now: string }>>('/test-clock')
  const days = (Date.parse(period_end) - Date.parse(body.data.now)) / 86_400_000
  await advance(env.side, { days: days + 1.5 })
  const announced = await announcedOf(member)
  expect(announced.map(([type, { bill_id, failure }]) => [type, bill_id === bill?.id, failure])).toEqual([
    ['payment.succeeded', true, null],
    ['payment.failed', false, 'insufficient_funds'],
    ['payment.failed', false, 'insufficient_funds'],
  ])
})

test('a dispute is announced when it is opened and when it is decided, with what it is about', async () => {
  const { bill, member } = await subscribed()
  const begun = (await env.side.admin.post<Made<ShownPayment>>(`/bills/${bill?.id}/pay`)).body.data
  payWith(env.stripe, begun, 'good')
  await advance(env.side, { minutes: 2 })
  await send(env.stripe.ledger.dispute(begun.provider_reference ?? '', 3_000))
  const { id } = [...env.stripe.ledger.disputes.values()].at(-1) ?? { id: '' }
  await send(env.stripe.ledger.closeDispute(id, 'lost'))
  const dispute = { id: begun.id, bill_id: bill?.id, disputed_amount: 30, dispute_reference: id }
  expect(await announcedOf(member)).toEqual([
    ['payment.succeeded', expect.objectContaining({ id: begun.id, bill_id: bill?.id })],
    ['dispute.opened', expect.objectContaining({ ...dispute, dispute: 'open', amount_refunded: 0 })],
    ['refund.succeeded', expect.objectContaining({ amount: 30, provider_reference: id })],
    ['dispute.closed', expect.objectContaining({ ...dispute, dispute: 'lost', amount_refunded: 30 })],
  ])
})
