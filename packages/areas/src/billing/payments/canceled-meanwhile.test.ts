import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Card } from '#testkit/stripe/objects.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from '../subscriptions/schema.ts'

let env: PaymentEnvironment
let basic: Plan
let pro: Plan

withPayments(async (opened) => {
  env = opened
  basic = await env.side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur' })
  pro = await env.side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
})

const post = async <T>(path: string, body?: object): Promise<T> => {
  const { status, body: answer } = await env.side.admin.post<{ data: T }>(path, body)
  if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`)
  return answer.data
}
const read = async <T>(path: string) => (await env.side.admin.get<{ data: T }>(path)).body.data
const minutesPass = () => advance(env.side, { minutes: 3 })
const pay = (bill: { id: string } | null | undefined) => post<ShownPayment>(`/bills/${bill?.id}/pay`)
const newestBill = async (member: string) => (await read<Bill[]>(`/bills?member_id=${member}`))[0]

interface Open {
  readonly id: string
  readonly member: string
  /** What its payer's browser was given. */
  readonly payment: ShownPayment
}
const opened = async ({ id, member_id: member }: Subscription): Promise<Open> => ({
  ...{ id, member, payment: await pay(await newestBill(member)) },
})
const subscribe = async () => {
  const member_id = (await env.side.makeMember()).id
  return post<SubscriptionWithBill>('/subscriptions', { member_id, plan_id: basic.id })
}
/** It runs, with another card from now on. */
const running = async (card: Card) => {
  const made = await subscribe()
  payWith(env.stripe, await pay(made.bill), 'good')
  await minutesPass()
  await replaceCard(env, made, card)
  return made
}

/** Subscriptions with an open bill of each kind, which is being paid in a browser. */
const KINDS: Readonly<Record<'first' | 'renewal', () => Promise<Open>>> = {
  first: async () => opened(await subscribe()),
  renewal: async () => {
    const made = await running('declined')
    await advance(env.side, { days: 32 })
    expect((await read<Subscription>(`/subscriptions/${made.id}`)).status).toBe('past_due')
    return opened(made)
  },
}

const cancel = ({ id }: Open) => post(`/subscriptions/${id}/cancel`, { at: 'now' })
/** The browser pays. */
const payIn = ({ payment }: Open) => payWith(env.stripe, payment, 'good')
/** Stripe tells of it, and a worker asks. */
const sendNotices = async () => {
  const event = env.stripe.ledger.events.findLast(({ type }) => type === 'payment_intent.succeeded')
  if (event === undefined) throw new Error('nothing was paid')
  await sendNotice(env.api, env.accounts.side, event)
  await minutesPass()
}

/** What became of the money: of the bill, and at Stripe. */
async function outcome({ id, member, payment }: Open) {
  const bill = await newestBill(member)
  const { status } = await read<Subscription>(`/subscriptions/${id}`)
  const { refunds, intents } = env.stripe.ledger
  const ofPayment = [...refunds.values()].filter((each) => each.payment_intent === payment.provider_reference)
  const taken = intents.get(payment.provider_reference ?? '')
  const given = ofPayment.reduce((sum, { amount }) => sum + amount, 0)
  const kept = (taken?.status === 'succeeded' ? taken.amount : 0) - given
  return { status, bill: bill?.status, kept, total: Math.round((bill?.total ?? 0) * 100) }
}

describe.each(Object.entries(KINDS))('money by card for a %s bill', (_reason, open) => {
  test('that comes before the cancellation is kept, once, and the bill stays paid', async () => {
    const own = await open()
    payIn(own)
    await sendNotices()
    await cancel(own)
    await minutesPass()
    const { total, ...after } = await outcome(own)
    expect(after).toEqual({ status: 'canceled', bill: 'paid', kept: total })
  })

  test('that comes after the cancellation goes back, whole and once', async () => {
    const own = await open()
    payIn(own)
    await cancel(own)
    await sendNotices()
    await sendNotices()
    expect(await outcome(own)).toMatchObject({ status: 'canceled', bill: 'void', kept: 0 })
  })

  test('that is being recorded while the subscription is canceled goes back, whole', async () => {
    const own = await open()
    payIn(own)
    let canceled: Promise<unknown> | undefined
    env.stripe.meanwhile = async ({ method, path }) => {
      // Stripe has answered that it was paid; before that is recorded, the member cancels.
      if (method !== 'GET' || !path.endsWith(`/${own.payment.provider_reference}`)) return
      canceled ??= cancel(own)
      await canceled
    }
    await sendNotices()
    expect(canceled).toBeDefined()
    await minutesPass()
    expect(await outcome(own)).toMatchObject({ status: 'canceled', bill: 'void', kept: 0 })
  })

  test('at the same moment as the cancellation is kept for a paid bill, or goes back with a void one', async () => {
    for (let i = 0; i < 3; i++) {
      const own = await open()
      payIn(own)
      await Promise.all([sendNotices(), cancel(own)])
      await minutesPass()
      const { status, bill, kept, total } = await outcome(own)
      expect([status, bill, kept]).toEqual(
        bill === 'paid' ? ['canceled', 'paid', total] : ['canceled', 'void', 0],
      )
    }
  })
})

test('a change whose charge was taken, and is not known of before the cancellation, goes back whole', async () => {
  const made = await running('good')
  env.stripe.fault = ({ path }) => (path.endsWith('/confirm') ? 'lost answer' : undefined)
  await post(`/subscriptions/${made.id}/change`, { plan_id: pro.id, when: 'now' })
  await minutesPass()
  await post(`/subscriptions/${made.id}/cancel`, { at: 'now' })
  env.stripe.fault = () => undefined
  await sendNotices()
  await minutesPass()
  const bill = await newestBill(made.member_id)
  expect([bill?.reason, bill?.status]).toEqual(['change', 'void'])
  const [payment] = bill?.payments ?? []
  expect([payment?.status, payment?.amount_refunded]).toEqual(['succeeded', payment?.amount])
  expect(env.stripe.ledger.refundable(payment?.provider_reference ?? '')).toBe(0)
})
