import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { Card } from '#testkit/stripe/objects.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from '../subscriptions/schema.ts'

interface Made<T> {
  data: T
}

let env: PaymentEnvironment
let basic: Plan
let pro: Plan

withPayments(async (opened) => {
  env = opened
  const { side } = env
  basic = await side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur' })
  pro = await side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
})

const post = async <T>(path: string, body?: unknown) => {
  const answer = await env.side.admin.post<Made<T>>(path, body)
  expect([path, answer.status, answer.status < 300 ? '' : answer.body]).toEqual([
    path,
    path === '/subscriptions' ? 201 : 200,
    '',
  ])
  return answer.body.data
}
const read = async <T>(path: string) => (await env.side.admin.get<Made<T>>(path)).body.data

const subscribe = async (plan = basic) => {
  const member_id = (await env.side.makeMember()).id
  return post<SubscriptionWithBill>('/subscriptions', { member_id, plan_id: plan.id })
}
const pay = (bill: { id: string } | null) => post<ShownPayment>(`/bills/${bill?.id}/pay`)
const subscription = (id: string) => read<Subscription>(`/subscriptions/${id}`)
const billsOf = async (member: string) =>
  (await read<Bill[]>(`/bills?member_id=${member}&limit=100`)).toReversed()
const typesOf = async (id: string | undefined) => {
  const { rows } = await env.api.owner.query<{ type: string }>(
    "select type from events where payload->>'id' = $1 order by id",
    [id],
  )
  return rows.map(({ type }) => type)
}
const minutesPass = () => advance(env.side, { minutes: 3 })

/** A member whose first bill is paid with a card that is then replaced by another. */
const subscribed = async (later: Card = 'good', plan = basic) => {
  const made = await subscribe(plan)
  payWith(env.stripe, await pay(made.bill), 'good')
  await minutesPass()
  const running = await subscription(made.id)
  expect(running.status).toBe('active')
  const customer = [...env.stripe.ledger.customers.keys()].at(-1) ?? ''
  await replaceCard(env, running, later)
  return { ...running, customer }
}
const daysUntil = (at: string, now: string) => (Date.parse(at) - Date.parse(now)) / 86_400_000
const untilEnd = async ({ id }: { id: string }) => {
  const { now } = await read<{ now: string }>('/test-clock')
  await advance(env.side, { days: daysUntil((await subscription(id)).period_end, now) + 0.01 })
}
const taken = () => [...env.stripe.ledger.intents.values()].filter(({ status }) => status === 'succeeded')

describe('a bill', () => {
  test('is paid by card, after one that was declined and one whose bank asks its owner', async () => {
    const made = await subscribe()
    expect(made.status).toBe('incomplete')
    const begun = await pay(made.bill)
    expect(begun).toMatchObject({ status: 'requires_action', amount: 30, amount_refunded: 0, failure: null })
    expect(begun.client_secret).toMatch(/_secret_/)
    expect((await pay(made.bill)).id).toBe(begun.id)
    payWith(env.stripe, begun, 'declined')
    expect(await pay(made.bill)).toMatchObject({ status: 'requires_action', failure: 'insufficient_funds' })
    payWith(env.stripe, begun, 'asks_owner')
    const asked = await pay(made.bill)
    expect(asked).toMatchObject({ status: 'requires_action', client_secret: begun.client_secret })
    expect((await subscription(made.id)).status).toBe('incomplete')
    env.stripe.ledger.succeed(asked.provider_reference ?? '')
    // No notice comes: a worker asks.
    await minutesPass()
    expect((await subscription(made.id)).status).toBe('active')
    const [bill] = await billsOf(made.member_id)
    expect(bill).toMatchObject({ status: 'paid', payments: [{ id: begun.id, status: 'succeeded' }] })
    expect(refusalOf(await env.side.admin.post(`/bills/${bill?.id}/pay`))).toBe('422 BILL_NOT_OPEN')
    expect(env.stripe.ledger.intents.get(asked.provider_reference ?? '')).toMatchObject({ amount: 3_000 })
  })

  test('marked paid by hand while its payer pays: what comes all the same goes back', async () => {
    const { bill, member_id } = await subscribe()
    const begun = await pay(bill)
    await post(`/bills/${bill?.id}/mark-paid`)
    payWith(env.stripe, begun, 'good')
    await minutesPass()
    const [paid] = await billsOf(member_id)
    expect(paid?.payments.map(({ status, amount_refunded }) => [status, amount_refunded])).toEqual([
      ['succeeded', 30],
      ['succeeded', 0],
    ])
    const reference = begun.provider_reference
    const back = [...env.stripe.ledger.refunds.values()].filter(
      ({ payment_intent }) => payment_intent === reference,
    )
    expect(back.map(({ amount, status }) => [amount, status])).toEqual([[3_000, 'succeeded']])
  })
})

test('a member who is forgotten owes nothing any more: open bills are void, and Stripe ends their payments', async () => {
  const made = await subscribe()
  const begun = await pay(made.bill)
  const { status } = await env.side.admin.delete(`/members/${made.member_id}?mode=anonymize`)
  expect(status).toBe(200)
  await minutesPass()
  const [bill] = await read<Bill[]>(`/bills?limit=1`)
  expect(bill).toMatchObject({ id: made.bill?.id, status: 'void', payments: [{ status: 'canceled' }] })
  expect((await subscription(made.id)).status).toBe('canceled')
  expect(env.stripe.ledger.intent(begun.provider_reference ?? '').status).toBe('canceled')
  expect(await typesOf(bill?.id)).toEqual(['bill.created', 'bill.voided'])
  expect((await typesOf(made.id)).at(-1)).toBe('subscription.canceled')
})

test('a bill that an operator voids is announced, and is asked for no more', async () => {
  const { bill, id } = await subscribe()
  await env.side.admin.post(`/bills/${bill?.id}/void`)
  expect(await typesOf(bill?.id)).toEqual(['bill.created', 'bill.voided'])
  expect((await subscription(id)).status).toBe('canceled')
  expect(refusalOf(await env.side.admin.post(`/bills/${bill?.id}/pay`))).toBe('422 BILL_NOT_OPEN')
})

describe('a renewal', () => {
  test('is charged with the card that was handed in last, while its owner is away', async () => {
    const running = await subscribed()
    await untilEnd(running)
    const bills = await billsOf(running.member_id)
    expect(bills.map(({ status, total }) => [status, total])).toEqual([
      ['paid', 30],
      ['paid', 30],
    ])
    expect((await subscription(running.id)).status).toBe('active')
    expect(taken().filter(({ customer }) => customer === running.customer)).toHaveLength(2)
  })

  test('whose card fails is tried again after 1, 3, 5 and 7 days, and paid later by its payer', async () => {
    const running = await subscribed('asks_owner')
    await untilEnd(running)
    expect((await subscription(running.id)).status).toBe('past_due')
    const tries = async () =>
      (await billsOf(running.member_id)).at(-1)?.payments.map(({ status, failure }) => [status, failure])
    expect(await tries()).toEqual([['failed', 'authentication_required']])
    const failed = ['failed', 'authentication_required']
    await advance(env.side, { days: 4 })
    expect(await tries()).toEqual([failed, failed, failed])
    const begun = await pay((await billsOf(running.member_id)).at(-1) ?? null)
    payWith(env.stripe, begun, 'good')
    await minutesPass()
    expect((await subscription(running.id)).status).toBe('active')
    await advance(env.side, { days: 10 })
    expect(await tries()).toEqual([failed, failed, failed, ['succeeded', null]])
  })

  test('that is never paid ends, with a bill that is given up', async () => {
    const running = await subscribed('declined')
    await untilEnd(running)
    await advance(env.side, { days: 8 })
    expect(await subscription(running.id)).toMatchObject({ status: 'canceled', cancel_reason: 'unpaid' })
    const bill = (await billsOf(running.member_id)).at(-1)
    expect(bill?.status).toBe('uncollectible')
    expect(bill?.payments.map(({ failure }) => failure)).toEqual(Array(5).fill('insufficient_funds'))
  })

  test('is tried again though its payer began to pay and left', async () => {
    const running = await subscribed('declined')
    await untilEnd(running)
    const begun = await pay((await billsOf(running.member_id)).at(-1) ?? null)
    expect(begun.status).toBe('requires_action')
    for (const card of env.stripe.ledger.methodsOf(running.customer)) card.card = 'good'
    await advance(env.side, { days: 1.5 })
    expect((await subscription(running.id)).status).toBe('active')
    expect(env.stripe.ledger.intent(begun.provider_reference ?? '').status).toBe('canceled')
  })

  test('whose card is gone fails; one whose payment is ended at Stripe is tried again', async () => {
    const running = await subscribed('declined')
    const cards = env.stripe.ledger.methodsOf(running.customer)
    for (const { id } of cards) env.stripe.ledger.methods.delete(id)
    await untilEnd(running)
    const last = async () => (await billsOf(running.member_id)).at(-1)
    expect((await last())?.payments).toMatchObject([{ status: 'failed', failure: 'resource_missing' }])
    for (const card of cards) env.stripe.ledger.methods.set(card.id, card)
    env.stripe.meanwhile = async ({ path }) => {
      const id = /payment_intents\/(\w+)\/confirm$/.exec(path)?.[1]
      if (id !== undefined) env.stripe.ledger.intent(id).status = 'canceled'
    }
    // The answer says that the card was declined, the next question that the payment is over.
    env.stripe.fault = ({ path }) => (path.endsWith('/confirm') ? 'lost answer' : undefined)
    await advance(env.side, { days: 1.5 })
    env.stripe.fault = () => undefined
    expect((await last())?.payments[1]).toMatchObject({ status: 'canceled' })
    expect(await subscription(running.id)).toMatchObject({ status: 'past_due' })
    env.stripe.meanwhile = async () => {}
    for (const card of cards) card.card = 'good'
    await advance(env.side, { days: 2 })
    expect((await subscription(running.id)).status).toBe('active')
  })
})

test('a change takes effect when its bill is paid by the saved card, and not at all when the card fails', async () => {
  const running = await subscribed('declined')
  const change = () => post<SubscriptionWithBill>(`/subscriptions/${running.id}/change`, { plan_id: pro.id })
  expect((await change()).plan_id).toBe(basic.id)
  await minutesPass()
  expect(await subscription(running.id)).toMatchObject({ plan_id: basic.id, status: 'active' })
  expect((await billsOf(running.member_id)).at(-1)?.status).toBe('void')
  await replaceCard(env, running, 'good')
  const { bill } = await change()
  await minutesPass()
  expect(await subscription(running.id)).toMatchObject({ plan_id: pro.id, status: 'active' })
  expect(taken().at(-1)?.amount).toBe(Math.round((bill?.total ?? 0) * 100))
})
