import { describe, expect, test } from 'vitest'
import type { Order } from '#areas/shop/orders/schema.ts'
import { parseId } from '#platform/ids.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProduct } from '#testkit/areas/money/shop.ts'
import type { Bill } from '../../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from '../schema.ts'

interface Made<T> {
  data: T
}

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const post = async <T>(path: string, body?: unknown) => {
  const answer = await env.side.admin.post<Made<T>>(path, body)
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, ''])
  return answer.body.data
}
const read = async <T>(path: string) => (await env.side.admin.get<Made<T>>(path)).body.data
const subscription = (id: string) => read<Subscription>(`/subscriptions/${id}`)
const billsOf = async (member: string) =>
  (await read<Bill[]>(`/bills?member_id=${member}&limit=100`)).toReversed()
const pay = (bill: { id: string } | null | undefined) => post<ShownPayment>(`/bills/${bill?.id}/pay`)

const subscribe = async (plan: { price: number; trial_days?: number } = { price: 30 }) => {
  const { id: plan_id } = await env.side.makePlan({ currency: 'eur', ...plan })
  const member_id = (await env.side.makeMember()).id
  return post<SubscriptionWithBill>('/subscriptions', { member_id, plan_id })
}
/** Whose first bill is paid by its member. */
const running = async () => {
  const made = await subscribe()
  payWith(env.stripe, await pay(made.bill), 'good')
  await advance(env.side, { minutes: 2 })
  expect((await subscription(made.id)).status).toBe('active')
  return made
}
const untilEnd = async ({ id }: { id: string }) => {
  const { now } = await read<{ now: string }>('/test-clock')
  const days = (Date.parse((await subscription(id)).period_end) - Date.parse(now)) / 86_400_000
  await advance(env.side, { days: days + 0.01 })
}
/** What a subscription is charged with: Stripe's name of the card. */
const methodOf = async ({ id }: { id: string }) => {
  const { rows } = await env.api.owner.query<{ method_ref: string | null }>(
    'select method_ref from subscriptions where id = $1',
    [parseId({ prefix: 'subs', name: '' }, id)],
  )
  return rows[0]?.method_ref
}
const lastIntent = () => [...env.stripe.ledger.intents.values()].at(-1)
/** A cart of one thing, checked out and paid with a new card. */
const buy = async (member: string, body: object) => {
  const { id } = await makeProduct(env.side, { price: 10, stock: 5 })
  const headers = { 'x-user-id': member }
  await env.side.admin.post('/shop/cart', { product_id: id }, { headers })
  const { data } = (
    await env.side.admin.post<Made<Order & { payment: ShownPayment }>>('/shop/checkout', body, { headers })
  ).body
  payWith(env.stripe, data.payment, 'good')
  await advance(env.side, { minutes: 2 })
  const { status } = await read<Order>(`/shop/orders/${data.id}`)
  expect(status).toBe('paid')
  return env.stripe.ledger.intent(data.payment.provider_reference ?? '')
}

describe('a purchase', () => {
  test('saves its card only where the buyer asks for it, and never changes the card of a subscription', async () => {
    const made = await running()
    const card = await methodOf(made)
    expect(card).toMatch(/^pm_/)
    const unsaved = await buy(made.member_id, {})
    expect([unsaved.setup_future_usage, env.stripe.ledger.methods.get(unsaved.payment_method ?? '')]).toEqual(
      [null, expect.objectContaining({ customer: null })],
    )
    const saved = await buy(made.member_id, { save_payment_method: true })
    expect([saved.setup_future_usage, env.stripe.ledger.methods.get(saved.payment_method ?? '')]).toEqual([
      'off_session',
      expect.objectContaining({ customer: saved.customer }),
    ])
    await untilEnd(made)
    expect(lastIntent()).toMatchObject({ status: 'succeeded', payment_method: card, amount: 3_000 })
  })

  test('saves no card for a trial, whose end therefore finds none', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    await buy(made.member_id, { save_payment_method: true })
    await untilEnd(made)
    expect((await subscription(made.id)).status).toBe('past_due')
    const [bill] = await billsOf(made.member_id)
    expect(bill?.payments).toMatchObject([{ status: 'failed', failure: 'no_method' }])
  })
})

describe('a subscription', () => {
  test('has a card of its own beside another of the same member, which has ended', async () => {
    const first = await running()
    await post(`/subscriptions/${first.id}/cancel`, { at: 'now' })
    const { id: plan_id } = await env.side.makePlan({ price: 20, currency: 'eur' })
    const second = await post<SubscriptionWithBill>('/subscriptions', { member_id: first.member_id, plan_id })
    payWith(env.stripe, await pay(second.bill), 'good')
    await advance(env.side, { minutes: 2 })
    const [one, two] = [await methodOf(first), await methodOf(second)]
    expect(one).not.toBe(two)
    await untilEnd(second)
    expect(lastIntent()).toMatchObject({ status: 'succeeded', payment_method: two })
  })

  test('takes the card with which its member pays a later bill', async () => {
    const made = await running()
    await replaceCard(env, made, 'asks_owner')
    await untilEnd(made)
    expect((await subscription(made.id)).status).toBe('past_due')
    payWith(env.stripe, await pay((await billsOf(made.member_id)).at(-1)), 'good')
    await advance(env.side, { minutes: 2 })
    const paidWith = lastIntent()?.payment_method
    expect(await methodOf(made)).toBe(paidWith)
    await untilEnd(made)
    expect(lastIntent()).toMatchObject({ status: 'succeeded', payment_method: paidWith })
  })

  test('that ran before each had a card is charged with the newest, and keeps that one from then on', async () => {
    const made = await running()
    await env.api.owner.query(
      'update subscriptions set method_ref = null, method_at = null, takes_newest_method = true where id = $1',
      [parseId({ prefix: 'subs', name: '' }, made.id)],
    )
    const { customer } = lastIntent() ?? { customer: null }
    const newest = env.stripe.ledger.addMethod('good', customer)
    await untilEnd(made)
    expect(lastIntent()).toMatchObject({ status: 'succeeded', payment_method: newest.id })
    env.stripe.ledger.addMethod('good', customer)
    await untilEnd(made)
    expect(lastIntent()).toMatchObject({ status: 'succeeded', payment_method: newest.id })
  })
})

describe('a card that is handed in', () => {
  test('pays what is past due at once', async () => {
    const made = await running()
    await replaceCard(env, made, 'declined')
    await untilEnd(made)
    expect((await subscription(made.id)).status).toBe('past_due')
    await replaceCard(env, made, 'good')
    expect((await subscription(made.id)).status).toBe('active')
    const bill = (await billsOf(made.member_id)).at(-1)
    expect(bill?.payments.map(({ status }) => status)).toEqual(['failed', 'succeeded'])
  })

  test('and is declined uses up none of the retries', async () => {
    const made = await running()
    await replaceCard(env, made, 'declined')
    await untilEnd(made)
    for (const _ of [1, 2, 3, 4, 5, 6]) await replaceCard(env, made, 'declined')
    expect((await subscription(made.id)).status).toBe('past_due')
    const tries = async () => (await billsOf(made.member_id)).at(-1)?.payments.length
    expect(await tries()).toBe(7)
    // The retries are due 1, 3, 5 and 7 days after the renewal.
    await advance(env.side, { days: 5.5 })
    expect([await tries(), (await subscription(made.id)).status]).toEqual([10, 'past_due'])
    await advance(env.side, { days: 2 })
    expect([await tries(), (await subscription(made.id)).status]).toEqual([11, 'canceled'])
  })

  test('is found by a worker where its notice is lost', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    await replaceCard(env, made, 'good', { isAnnounced: false })
    expect(await methodOf(made)).toBeNull()
    await advance(env.side, { minutes: 2 })
    expect(await methodOf(made)).toMatch(/^pm_/)
    await untilEnd(made)
    expect((await subscription(made.id)).status).toBe('active')
  })

  test('is recorded once, whatever comes twice or at once', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    const event = await replaceCard(env, made, 'good', { isAnnounced: false })
    const copies = [1, 2, 3].map((n) => ({ ...event, id: `${event.id}_${n}` }))
    const answers = await Promise.all(copies.map((copy) => sendNotice(env.api, env.accounts.side, copy)))
    expect(answers).toEqual(copies.map(() => [200, true]))
    expect(await sendNotice(env.api, env.accounts.side, copies[0] ?? {})).toEqual([200, false])
    // Another account's notice about it counts for nothing.
    expect(await sendNotice(env.api, env.accounts.other, { ...event, id: 'evt_other' })).toEqual([200, false])
    const { id } = env.stripe.ledger.setup(String(event.data.object['id']))
    expect(await methodOf(made)).toBe(env.stripe.ledger.setup(id).payment_method)
  })

  test('is the one that was begun last, though an earlier one is announced later', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    const early = await replaceCard(env, made, 'good', { isAnnounced: false })
    // Asking for another card finds that the first was handed in, and begins the next.
    const late = await replaceCard(env, made, 'good')
    const card = await methodOf(made)
    expect(card).toBe(env.stripe.ledger.setup(String(late.data.object['id'])).payment_method)
    await sendNotice(env.api, env.accounts.side, early)
    expect(await methodOf(made)).toBe(card)
  })

  test('is resumed while its browser has not finished: one begun twice is one', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    const begin = () => post<{ client_secret: string }>(`/subscriptions/${made.id}/payment-method`)
    const [first, second] = await Promise.all([begin(), begin()])
    expect([second.client_secret, (await begin()).client_secret]).toEqual(Array(2).fill(first.client_secret))
  })

  test('is refused for a subscription that has ended, and what was begun for it is ended at Stripe', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    const { client_secret } = await post<{ client_secret: string }>(
      `/subscriptions/${made.id}/payment-method`,
    )
    await post(`/subscriptions/${made.id}/cancel`, { at: 'now' })
    const { status, body } = await env.side.admin.post(`/subscriptions/${made.id}/payment-method`)
    expect([status, body]).toMatchObject([422, { code: 'SUBSCRIPTION_CANCELED' }])
    await advance(env.side, { minutes: 2 })
    expect(env.stripe.ledger.setup(client_secret.replace(/_secret_.*/, '')).status).toBe('canceled')
  })

  test('waits for Stripe: 503 while it is away, and the same request goes on later', async () => {
    const made = await subscribe({ price: 30, trial_days: 7 })
    env.stripe.fault = ({ path }) => (path === '/v1/setup_intents' ? 'lost answer' : undefined)
    const path = `/subscriptions/${made.id}/payment-method`
    const { status, body } = await env.side.admin.post(path)
    expect([status, body]).toMatchObject([503, { code: 'UNAVAILABLE' }])
    env.stripe.fault = () => undefined
    await replaceCard(env, made, 'good')
    expect(await methodOf(made)).toMatch(/^pm_/)
  })
})
