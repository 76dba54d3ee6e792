import { afterEach, describe, expect, test } from 'vitest'
import { updateBillingSettings } from '#areas/billing/settings/queries.ts'
import type { SubscriptionWithBill } from '#areas/billing/subscriptions/schema.ts'
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

interface Made<T> {
  data: T
}
type Paid = Order & { payment: ShownPayment & { dispute: string | null; dispute_reason: string | null } }

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})
afterEach(async () => {
  await onLostDispute('revoke')
})

/** An order of two pieces for 20 EUR that is paid, and what it granted its buyer. */
const paidOrder = async () => {
  const { client, id: member } = await makeCustomer(env.side)
  const { id } = await makeProduct(env.side, { price: 10, stock: 5, grants: { features: ['downloads'] } })
  await client.post('/shop/cart', { product_id: id, quantity: 2 })
  const order = (await client.post<Made<Paid>>('/shop/checkout', {})).body.data
  payWith(env.stripe, order.payment, 'good')
  await advance(env.side, { minutes: 2 })
  expect(await read(order)).toMatchObject({ status: 'paid', payment: { dispute: null } })
  return { ...order, member, intent: order.payment.provider_reference ?? '' }
}
const read = async ({ id }: { id: string }) =>
  (await env.side.admin.get<Made<Paid>>(`/shop/orders/${id}`)).body.data
const send = (event: StripeEvent) => sendNotice(env.api, env.accounts.side, event)
const onLostDispute = (on_lost_dispute: 'revoke' | 'keep') =>
  env.side.write((ctx) => updateBillingSettings(ctx, { onLostDispute: on_lost_dispute }))
const hasFeature = async (member: string) =>
  JSON.stringify((await env.side.admin.get(`/members/${member}/entitlements`)).body).includes('downloads')
const typesOf = async (id: string) => {
  const { rows } = await env.api.owner.query<{ type: string }>(
    "select type from events where payload->>'id' = $1 order by id",
    [id],
  )
  return rows.map(({ type }) => type)
}

describe('a refund in Stripe’s dashboard', () => {
  test('of a part of money that nobody waited for has the rest go back, too', async () => {
    const { client } = await makeCustomer(env.side)
    const { id } = await makeProduct(env.side, { price: 10 })
    await client.post('/shop/cart', { product_id: id })
    const order = (await client.post<Made<Paid>>('/shop/checkout', {})).body.data
    expect((await env.side.admin.post(`/shop/orders/${order.id}/mark-paid`)).status).toBe(200)
    payWith(env.stripe, order.payment, 'good')
    // Nobody knows yet that it was paid twice, but an operator who looks at the dashboard.
    const [refund] = env.stripe.ledger.refundInDashboard(order.payment.provider_reference ?? '', 529)
    await advance(env.side, { minutes: 3 })
    expect(await send(refund)).toEqual([200, true])
    await advance(env.side, { days: 1 })
    expect(env.stripe.ledger.refundable(order.payment.provider_reference ?? '')).toBe(0)
    expect(await read(order)).toMatchObject({ status: 'paid', paid_amount: 10, refunded_amount: 0 })
  })

  test('of a part is the order’s refund, once, whatever notices tell of it', async () => {
    const order = await paidOrder()
    const [refund, charge] = env.stripe.ledger.refundInDashboard(order.intent, 500)
    expect(await Promise.all([send(refund), send(charge)])).toEqual([
      [200, true],
      [200, true],
    ])
    expect(await send(charge)).toEqual([200, false])
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refunded_amount: 5,
      refunds: [{ amount: 5, status: 'succeeded', restocked: false, lines: [] }],
      payment: { amount_refunded: 5 },
    })
    expect(await hasFeature(order.member)).toBe(true)
    expect((await typesOf(order.id)).filter((type) => type === 'order.refunded')).toHaveLength(1)
    const rest = await env.side.admin.post<{ code: string }>(`/shop/orders/${order.id}/refund`, {
      amount: 15.01,
    })
    expect([rest.status, rest.body.code]).toEqual([422, 'REFUND_EXCEEDS_PAID'])
  })

  test('of everything takes back what the order gave', async () => {
    const order = await paidOrder()
    const [, charge] = env.stripe.ledger.refundInDashboard(order.intent, 2_000)
    expect(await send(charge)).toEqual([200, true])
    expect(await read(order)).toMatchObject({ status: 'refunded', refunded_amount: 20 })
    expect(await hasFeature(order.member)).toBe(false)
  })

  test('whose notice finds Stripe away is looked for again by a worker', async () => {
    const order = await paidOrder()
    const [, charge] = env.stripe.ledger.refundInDashboard(order.intent, 700)
    env.stripe.fault = ({ method, path }) =>
      method === 'GET' && path === '/v1/refunds' ? 'lost answer' : undefined
    expect(await send(charge)).toEqual([200, true])
    expect((await read(order)).refunded_amount).toBe(0)
    env.stripe.fault = () => undefined
    await advance(env.side, { minutes: 5 })
    expect((await read(order)).refunded_amount).toBe(7)
  })

  test('beside one of ours that Stripe therefore refuses counts alone, though no notice came', async () => {
    const order = await paidOrder()
    env.stripe.ledger.refundInDashboard(order.intent, 2_000)
    await env.side.admin.post(`/shop/orders/${order.id}/refund`, {})
    await advance(env.side, { minutes: 30 })
    expect(await read(order)).toMatchObject({
      status: 'refunded',
      refunded_amount: 20,
      refunds: [{ status: 'failed' }, { amount: 20, status: 'succeeded' }],
      payment: { amount_refunded: 20 },
    })
  })

  test('that a bank sends back later is the order’s money again', async () => {
    env.stripe.ledger.refundsAre = 'pending'
    const order = await paidOrder()
    const [, charge] = env.stripe.ledger.refundInDashboard(order.intent, 2_000)
    await send(charge)
    expect(await read(order)).toMatchObject({ status: 'refunded', refunds: [{ status: 'pending' }] })
    const made = [...env.stripe.ledger.refunds.values()].at(-1)
    await send(env.stripe.ledger.finishRefund(made?.id ?? '', 'failed'))
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refunded_amount: 0,
      refunds: [{ status: 'failed' }],
    })
  })
})

describe('a dispute', () => {
  const disputeOf = (intent: string) =>
    [...env.stripe.ledger.disputes.values()].find((each) => each.payment_intent === intent)?.id ?? ''

  test('is announced; while it is open the order stands, and won it stays paid', async () => {
    const order = await paidOrder()
    expect(await send(env.stripe.ledger.dispute(order.intent, 2_000))).toEqual([200, true])
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refunded_amount: 0,
      payment: { dispute: 'open', dispute_reason: 'product_not_received' },
    })
    await send(env.stripe.ledger.closeDispute(disputeOf(order.intent), 'won'))
    expect(await read(order)).toMatchObject({ status: 'paid', payment: { dispute: 'won' } })
    expect((await typesOf(order.id)).filter((type) => type === 'order.disputed')).toHaveLength(2)
  })

  test('that the buyer wins is a refund: the order loses what it gave, and nothing is paid back twice', async () => {
    const order = await paidOrder()
    await env.side.admin.post(`/shop/orders/${order.id}/refund`, { amount: 4 })
    await advance(env.side, { minutes: 5 })
    const opened = env.stripe.ledger.dispute(order.intent, 2_000)
    const closed = env.stripe.ledger.closeDispute(disputeOf(order.intent), 'lost')
    // In the wrong order: Stripe is asked what is.
    for (const event of [closed, opened]) expect(await send(event)).toEqual([200, true])
    expect(await read(order)).toMatchObject({
      status: 'refunded',
      refunded_amount: 20,
      refunds: [{ amount: 4 }, { amount: 16, reason: 'the payer won a dispute' }],
      payment: { dispute: 'lost', amount_refunded: 20 },
    })
    expect(await hasFeature(order.member)).toBe(false)
    await send(env.stripe.ledger.closeDispute(disputeOf(order.intent), 'won'))
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refunded_amount: 4,
      payment: { dispute: 'won' },
    })
  })

  test('that the buyer wins leaves what the order gave where the project keeps it', async () => {
    await onLostDispute('keep')
    const order = await paidOrder()
    await send(env.stripe.ledger.dispute(order.intent, 2_000))
    await send(env.stripe.ledger.closeDispute(disputeOf(order.intent), 'lost'))
    expect(await read(order)).toMatchObject({ status: 'refunded', refunded_amount: 20 })
    expect(await hasFeature(order.member)).toBe(true)
  })

  test('of a part that the buyer wins takes back all that the order gave', async () => {
    const order = await paidOrder()
    await send(env.stripe.ledger.dispute(order.intent, 700))
    await send(env.stripe.ledger.closeDispute(disputeOf(order.intent), 'lost'))
    expect(await read(order)).toMatchObject({ status: 'paid', refunded_amount: 7 })
    expect(await hasFeature(order.member)).toBe(false)
  })

  test('of an order that was refunded before takes back what it gave, too', async () => {
    const order = await paidOrder()
    await env.side.admin.post(`/shop/orders/${order.id}/refund`, { amount: 19.99 })
    await env.side.admin.post(`/shop/orders/${order.id}/refund`, { amount: 0.01 })
    await advance(env.side, { minutes: 5 })
    await send(env.stripe.ledger.dispute(order.intent, 2_000))
    await send(env.stripe.ledger.closeDispute(disputeOf(order.intent), 'lost'))
    expect(await read(order)).toMatchObject({ refunded_amount: 20, payment: { dispute: 'lost' } })
    expect(await hasFeature(order.member)).toBe(false)
  })

  test.each([
    ['ends its subscription and the access', 'revoke', 'canceled', 'dispute_lost'],
    ['leaves its subscription as it is where the project keeps it', 'keep', 'active', null],
  ] as const)('of a bill that is lost %s', async (_, setting, status, cancel_reason) => {
    await onLostDispute(setting)
    const plan = await env.side.makePlan({ price: 30, currency: 'eur', features: ['downloads'] })
    const member_id = (await env.side.makeMember()).id
    const { bill, ...subscription } = (
      await env.side.admin.post<Made<SubscriptionWithBill>>('/subscriptions', { member_id, plan_id: plan.id })
    ).body.data
    const begun = (await env.side.admin.post<Made<ShownPayment>>(`/bills/${bill?.id}/pay`)).body.data
    payWith(env.stripe, begun, 'good')
    await advance(env.side, { minutes: 2 })
    const intent = begun.provider_reference ?? ''
    await send(env.stripe.ledger.dispute(intent, 3_000))
    await send(env.stripe.ledger.closeDispute(disputeOf(intent), 'lost'))
    const { data } = (await env.side.admin.get<Made<object>>(`/bills/${bill?.id}`)).body
    expect(data).toMatchObject({
      status: 'paid',
      payments: [{ status: 'succeeded', amount_refunded: 30, dispute: 'lost' }],
    })
    const { body } = await env.side.admin.get<Made<{ status: string }>>(`/subscriptions/${subscription.id}`)
    expect(body.data).toMatchObject({ status, cancel_reason })
    expect(await hasFeature(member_id)).toBe(setting === 'keep')
    expect((await typesOf(bill?.id ?? '')).filter((type) => type === 'bill.disputed')).toHaveLength(2)
  })
})
