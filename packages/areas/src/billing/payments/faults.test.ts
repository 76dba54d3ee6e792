import { describe, expect, test } from 'vitest'
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
import type { Intent } from '#testkit/stripe/objects.ts'
import type { NetworkFault, StripeRequest } from '#testkit/stripe/server.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'

interface Made<T> {
  data: T
}
type Paid = Order & { payment: ShownPayment }

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const filledCart = async (side = env.side) => {
  const { client, id: member } = await makeCustomer(side)
  const { id } = await makeProduct(side, { price: 10, stock: 5 })
  await client.post('/shop/cart', { product_id: id, quantity: 2 })
  return { client, member }
}
const paidOrder = async (side = env.side) => {
  const { client } = await filledCart(side)
  const order = (await client.post<Made<Paid>>('/shop/checkout', {})).body.data
  payWith(env.stripe, order.payment, 'good')
  await advance(side, { minutes: 2 })
  expect((await read(order, side)).status).toBe('paid')
  return order
}
const read = async ({ id }: { id: string }, side = env.side) =>
  (await side.admin.get<Made<Paid>>(`/shop/orders/${id}`)).body.data
const refund = async ({ id }: { id: string }, body: object, side = env.side) =>
  (await side.admin.post<Made<Paid>>(`/shop/orders/${id}/refund`, body)).status
const refundCode = async ({ id }: { id: string }, body: object) =>
  (await env.side.admin.post<{ code?: string }>(`/shop/orders/${id}/refund`, body)).body.code
const refundsOf = ({ payment }: Paid) =>
  [...env.stripe.ledger.refunds.values()].filter((each) => each.payment_intent === payment.provider_reference)
const intentsOf = (payment: string): Intent[] =>
  [...env.stripe.ledger.intents.values()].filter((each) => each.metadata['payment_id'] === payment)

/** The first request that fits goes wrong. */
const once = (fits: (request: StripeRequest) => boolean, fault: NetworkFault) => {
  let isOver = false
  env.stripe.fault = (request) => {
    if (isOver || !fits(request)) return undefined
    isOver = true
    return fault
  }
}
const begins = ({ method, path }: StripeRequest) => method === 'POST' && path === '/v1/payment_intents'
const charges = ({ path }: StripeRequest) => path.endsWith('/confirm')
const refunds = ({ method, path }: StripeRequest) => method === 'POST' && path === '/v1/refunds'

describe('Stripe that does not answer', () => {
  test.each(['lost request', 'lost answer', 'error'] as const)(
    'when a payment begins (%s): checkout answers the order, and paying begins one payment once Stripe is back',
    async (fault) => {
      const { client } = await filledCart()
      env.stripe.fault = (request) => (begins(request) ? fault : undefined)
      const checkedOut = await client.post<Made<Paid>>('/shop/checkout', {})
      const order = checkedOut.body.data
      expect([checkedOut.status, order.status, order.payment]).toMatchObject([
        201,
        'pending_payment',
        { status: 'pending', amount: 20 },
      ])
      expect(order.payment.client_secret).toBe(undefined)
      const again = await client.post<Made<Paid>>('/shop/checkout', {})
      expect([again.status, again.body.data.id]).toEqual([201, order.id])
      const pay = () => client.post<Made<Paid> & { code: string }>(`/shop/orders/${order.id}/pay`)
      const refused = await pay()
      expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
        503,
        'UNAVAILABLE',
        '2',
      ])
      env.stripe.fault = () => undefined
      const { status, body } = await pay()
      expect([status, body.data.payment.status]).toEqual([200, 'requires_action'])
      payWith(env.stripe, body.data.payment, 'good')
      await advance(env.side, { minutes: 5 })
      expect((await read(body.data)).status).toBe('paid')
      const made = intentsOf([...env.stripe.ledger.intents.values()].at(-1)?.metadata['payment_id'] ?? '')
      expect(made.map(({ status, amount }) => [status, amount])).toEqual([['succeeded', 2_000]])
    },
  )

  test('after a fault of Stripe, which repeats its answers for a day, a payer whom Stripe does not know yet can pay at once', async () => {
    const { side, stripe } = env
    const plan = await side.makePlan({ price: 30, currency: 'eur' })
    const member_id = (await side.makeMember()).id
    const { data } = (
      await side.admin.post<Made<SubscriptionWithBill>>('/subscriptions', { member_id, plan_id: plan.id })
    ).body
    const pay = () => side.admin.post<Made<ShownPayment>>(`/bills/${data.bill?.id}/pay`)
    const customers = stripe.ledger.customers.size
    env.stripe.fault = () => 'error'
    expect([(await pay()).status, (await pay()).status]).toEqual([503, 503])
    env.stripe.fault = () => undefined
    const [one, other] = await Promise.all([pay(), pay()])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body.data.client_secret).toBe(other.body.data.client_secret)
    expect(stripe.ledger.customers.size).toBe(customers + 1)
    payWith(stripe, one.body.data, 'good')
    await advance(side, { minutes: 2 })
    const subscription = await side.admin.get<Made<{ status: string }>>(`/subscriptions/${data.id}`)
    expect(subscription.body.data.status).toBe('active')
    expect((await side.admin.post(`/subscriptions/${data.id}/payment-method`)).status).toBe(200)
  })

  test.each(['lost request', 'lost answer', 'error'] as const)(
    'when a renewal is charged (%s): it is asked again, and charged once',
    async (fault) => {
      const { side, stripe } = env
      const plan = await side.makePlan({ price: 30, currency: 'eur' })
      const member_id = (await side.makeMember()).id
      const made = (
        await side.admin.post<Made<SubscriptionWithBill>>('/subscriptions', { member_id, plan_id: plan.id })
      ).body.data
      const begun = (await side.admin.post<Made<ShownPayment>>(`/bills/${made.bill?.id}/pay`)).body.data
      payWith(stripe, begun, 'good')
      await advance(side, { minutes: 2 })
      once(charges, fault)
      await advance(side, { days: 32 })
      const { data } = (await side.admin.get<Made<{ status: string }[]>>(`/bills?member_id=${member_id}`))
        .body
      expect(data.map(({ status }) => status)).toEqual(['paid', 'paid'])
      const customer = [...stripe.ledger.customers.keys()].at(-1)
      const taken = [...stripe.ledger.intents.values()].filter((each) => each.customer === customer)
      expect(taken.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    },
  )

  test.each(['lost request', 'lost answer'] as const)(
    'when a refund is made (%s): it is made once, also after Stripe forgot its key',
    async (fault) => {
      const order = await paidOrder()
      once(refunds, fault)
      expect(await refund(order, { amount: 5 })).toBe(200)
      await advance(env.side, { minutes: 0.1 })
      env.stripe.forgetKeys()
      await advance(env.side, { days: 2 })
      expect(refundsOf(order).map(({ amount }) => amount)).toEqual([500])
      expect(await read(order)).toMatchObject({ refunded_amount: 5, refunds: [{ status: 'succeeded' }] })
    },
  )
})

describe('a refund', () => {
  test('of lines and of the rest adds up to what was paid, and never exceeds it', async () => {
    const order = await paidOrder()
    expect(await refund(order, { lines: [{ id: order.lines[0]?.id, quantity: 1 }] })).toBe(200)
    expect(await refundCode(order, { amount: 10.01 })).toBe('REFUND_EXCEEDS_PAID')
    expect(await refund(order, {})).toBe(200)
    expect(await refundCode(order, { amount: 0.01 })).toBe('REFUND_EXCEEDS_PAID')
    await advance(env.side, { minutes: 5 })
    expect(refundsOf(order).map(({ amount, status }) => [amount, status])).toEqual([
      [1_000, 'succeeded'],
      [1_000, 'succeeded'],
    ])
    const after = await read(order)
    expect(after).toMatchObject({ status: 'refunded', refunded_amount: 20 })
    expect(after.payment.amount_refunded).toBe(20)
  })

  test('that a bank decides later is asked about; one that fails is the order’s money again', async () => {
    env.stripe.ledger.refundsAre = 'pending'
    const order = await paidOrder()
    await refund(order, {})
    await advance(env.side, { minutes: 5 })
    expect((await read(order)).refunds).toMatchObject([{ status: 'pending' }])
    env.stripe.ledger.finishRefund(refundsOf(order)[0]?.id ?? '', 'failed')
    await advance(env.side, { minutes: 30 })
    expect(await read(order)).toMatchObject({
      status: 'paid',
      refunded_amount: 0,
      refunds: [{ status: 'failed' }],
    })
    expect((await read(order)).payment.amount_refunded).toBe(0)
    env.stripe.ledger.refundsAre = 'succeeded'
    await refund(order, {})
    await advance(env.side, { minutes: 5 })
    expect(await read(order)).toMatchObject({ status: 'refunded', refunded_amount: 20 })
  })

  test('that was done and that a bank sends back later is found by a notice', async () => {
    const order = await paidOrder()
    await refund(order, { amount: 4 })
    await advance(env.side, { minutes: 5 })
    const event = env.stripe.ledger.finishRefund(refundsOf(order)[0]?.id ?? '', 'failed')
    expect(await sendNotice(env.api, env.accounts.side, event)).toEqual([200, true])
    expect(await read(order)).toMatchObject({ refunded_amount: 0, refunds: [{ status: 'failed' }] })
    expect((await read(order)).payment.amount_refunded).toBe(0)
  })
})

test('no transaction is open while Stripe is asked', async () => {
  const open: string[] = []
  env.stripe.meanwhile = async ({ path }) => {
    const { rows } = await env.api.owner.query<{ query: string }>(
      `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start is not null and backend_type = 'client backend'
        -- A connection that is being made has not asked anything yet.
        and query <> '' and query not like '%pg_stat_activity%'`,
    )
    for (const { query } of rows) open.push(`${path}: ${query}`)
  }
  const asked = env.stripe.requests.length
  // In a project where nothing else is undecided, which is asked about at the same time.
  const order = await paidOrder(env.other)
  await refund(order, { amount: 1 }, env.other)
  await advance(env.other, { minutes: 5 })
  expect(env.stripe.requests.length - asked).toBeGreaterThanOrEqual(4)
  expect(open).toEqual([])
})

test('a secret key that was revoked is named to who pays, and the order is paid once it is right', async () => {
  const { side, stripe } = env
  const account = {
    provider: 'stripe',
    name: 'Revoked key',
    secrets: { secret_key: 'sk_test_51Revoked', webhook_secret: 'whsec_wrong_one' },
  }
  stripe.secretKeys.add('sk_test_51Revoked')
  const { id } = (await side.admin.post<Made<{ id: string }>>('/payment-accounts', account)).body.data
  stripe.secretKeys.delete('sk_test_51Revoked')
  const { client } = await filledCart()
  const { status, body } = await client.post<Made<Paid>>('/shop/checkout', { payment_account_id: id })
  expect([status, body.data.payment.status]).toEqual([201, 'pending'])
  const pay = () => client.post<Made<Paid>>(`/shop/orders/${body.data.id}/pay`)
  expect(await pay()).toMatchObject({ status: 422, body: { code: 'PAYMENT_ACCOUNT_REFUSED' } })
  const secrets = { secret_key: 'sk_test_51Guildhall' }
  expect((await side.admin.patch(`/payment-accounts/${id}`, { secrets })).status).toBe(200)
  payWith(stripe, (await pay()).body.data.payment, 'good')
  await advance(side, { minutes: 5 })
  expect((await read(body.data)).status).toBe('paid')
})
