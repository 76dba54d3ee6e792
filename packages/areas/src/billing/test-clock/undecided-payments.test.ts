import { expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'

interface Made<T> {
  data: T
}

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

/** A bill whose payment was begun, and that its member is thinking about. */
const begun = async () => {
  const { side } = env
  const plan = await side.makePlan({ price: 30, currency: 'eur' })
  const member_id = (await side.makeMember()).id
  const body = { member_id, plan_id: plan.id }
  const { bill } = (await side.admin.post<Made<SubscriptionWithBill>>('/subscriptions', body)).body.data
  return (await side.admin.post<Made<ShownPayment>>(`/bills/${bill?.id}/pay`)).body.data
}
/** What Stripe was asked of these payments meanwhile. */
const questionsOf = (payments: ShownPayment[], since: number) =>
  env.stripe.requests
    .slice(since)
    .filter(({ path }) => payments.some(({ provider_reference: id }) => id !== null && path.includes(id)))

test('undecided payments are asked about once in a day of the clock, all at the same time, and by a job afterwards', async () => {
  const payments = [await begun(), await begun(), await begun(), await begun(), await begun()]
  // Stripe answers none of them before all are asked.
  const waiting: (() => void)[] = []
  env.stripe.meanwhile = () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === payments.length) for (const answer of waiting.splice(0)) answer()
    })
  const since = env.stripe.requests.length
  await advance(env.side, { days: 0.9 })
  expect(questionsOf(payments, since)).toHaveLength(payments.length)
  const { rows } = await env.api.owner.query<{ payload: { work: string } }>(
    "select payload from outbox where name = 'due.work-off' and project_id = $1",
    [env.side.projectId],
  )
  expect(rows.map(({ payload }) => payload.work)).toContain('payments.ask-providers')
})

test('what is charged or paid back meanwhile still happens at its own moment', async () => {
  const payment = await begun()
  payWith(env.stripe, payment, 'good')
  await advance(env.side, { days: 100 })
  const taken = [...env.stripe.ledger.intents.values()].filter(
    ({ customer, status }) =>
      customer === env.stripe.ledger.intent(payment.provider_reference ?? '').customer &&
      status === 'succeeded',
  )
  // The first bill, and three or four renewals.
  expect(taken.length).toBeGreaterThanOrEqual(4)
  const { client } = await makeCustomer(env.side)
  const { id } = await makeProduct(env.side, { price: 10, stock: 5 })
  await client.post('/shop/cart', { product_id: id })
  const order = (await client.post<Made<{ id: string; payment: ShownPayment }>>('/shop/checkout', {})).body
    .data
  payWith(env.stripe, order.payment, 'good')
  await advance(env.side, { minutes: 2 })
  await env.side.admin.post(`/shop/orders/${order.id}/refund`, {})
  await advance(env.side, { minutes: 2 })
  const { body } = await env.side.admin.get<Made<{ refunds: { status: string }[] }>>(
    `/shop/orders/${order.id}`,
  )
  expect(body.data.refunds).toMatchObject([{ status: 'succeeded' }])
})
