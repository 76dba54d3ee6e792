import { describe, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Subscription, SubscriptionWithBill } from '../subscriptions/schema.ts'
import type { Bill } from './schema.ts'

interface Made<T> {
  data: T
}

/** Stripe lists no minimum of it: what counts is the minimum of the account's bank, which only its refusal tells. */
const CURRENCY = 'mad'

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

/** @param minimum in hundredths */
const refuseBelow = (minimum: number) => env.stripe.ledger.bankMinimums.set(CURRENCY, minimum)
const post = async <T>(path: string, body?: unknown) =>
  (await env.side.admin.post<Made<T>>(path, body)).body.data
const read = async <T>(path: string) => (await env.side.admin.get<Made<T>>(path)).body.data
const subscription = (id: string) => read<Subscription>(`/subscriptions/${id}`)
const billsOf = async (member: string) =>
  (await read<Bill[]>(`/bills?member_id=${member}&limit=100`)).toReversed()
const balanceOf = async (member: string) => {
  const { body } = await env.side.admin.get<{ balances: { amount: number }[] }>(`/members/${member}/credit`)
  return body.balances[0]?.amount ?? 0
}
const makePlan = (price: number, rank = 1) => env.side.makePlan({ price, rank, currency: CURRENCY })
const subscribe = async (price: number) => {
  const plan_id = (await makePlan(price)).id
  const member_id = (await env.side.makeMember()).id
  return post<SubscriptionWithBill>('/subscriptions', { member_id, plan_id })
}
const running = async (price: number) => {
  const made = await subscribe(price)
  payWith(env.stripe, await post<ShownPayment>(`/bills/${made.bill?.id}/pay`), 'good')
  await advance(env.side, { minutes: 2 })
  return made
}
const untilEnd = async ({ id }: { id: string }) => {
  const { now } = await read<{ now: string }>('/test-clock')
  const days = (Date.parse((await subscription(id)).period_end) - Date.parse(now)) / 86_400_000
  await advance(env.side, { days: days + 0.01 })
}

describe('what only the provider knows to be too small', () => {
  test('of a renewal is owed and charged with the next one; the subscription stays active', async () => {
    const made = await running(5)
    refuseBelow(800)
    await untilEnd(made)
    const [, renewal] = await billsOf(made.member_id)
    expect(renewal).toMatchObject({
      ...{ status: 'paid', total: 0, lines: [{ amount: 5 }, { kind: 'credit', amount: -5 }] },
      payments: [{ status: 'failed', failure: 'amount_too_small', amount: 5 }],
    })
    expect([(await subscription(made.id)).status, await balanceOf(made.member_id)]).toEqual(['active', -5])
    await untilEnd(made)
    const next = (await billsOf(made.member_id)).at(-1)
    expect(next).toMatchObject({ status: 'paid', total: 10, payments: [{ status: 'succeeded' }] })
    expect(await balanceOf(made.member_id)).toBe(0)
  })

  test('of a change is owed, and the change takes effect', async () => {
    const made = await running(5)
    refuseBelow(1_000)
    const { id: plan_id } = await makePlan(9, 2)
    const { bill } = await post<SubscriptionWithBill>(`/subscriptions/${made.id}/change`, { plan_id })
    await advance(env.side, { minutes: 2 })
    expect(await subscription(made.id)).toMatchObject({ plan_id, status: 'active' })
    expect(await read<Bill>(`/bills/${bill?.id}`)).toMatchObject({ status: 'paid', total: 0 })
    expect(await balanceOf(made.member_id)).toBe(-(bill?.total ?? 0))
  })

  test('of a renewal that its member pays by hand in the browser is owed, too', async () => {
    const made = await running(5)
    await replaceCard(env, made, 'declined')
    await untilEnd(made)
    expect((await subscription(made.id)).status).toBe('past_due')
    refuseBelow(800)
    const renewal = (await billsOf(made.member_id)).at(-1)
    const { status, body } = await env.side.admin.post(`/bills/${renewal?.id}/pay`)
    expect([status, body]).toMatchObject([422, { code: 'AMOUNT_TOO_SMALL' }])
    expect([(await subscription(made.id)).status, await balanceOf(made.member_id)]).toEqual(['active', -5])
  })

  test('of a first bill is refused, and its member can subscribe again at once', async () => {
    refuseBelow(500)
    const { bill, ...made } = await subscribe(4.9)
    const { status, body } = await env.side.admin.post(`/bills/${bill?.id}/pay`)
    expect([status, body]).toMatchObject([422, { code: 'AMOUNT_TOO_SMALL' }])
    expect(await subscription(made.id)).toMatchObject({
      ...{ status: 'canceled', cancel_reason: 'amount_too_small' },
    })
    expect((await read<Bill>(`/bills/${bill?.id}`)).status).toBe('void')
    expect(await balanceOf(made.member_id)).toBe(0)
    const { id: plan_id } = await makePlan(5)
    const again = await post<SubscriptionWithBill>('/subscriptions', { member_id: made.member_id, plan_id })
    expect(again.status).toBe('incomplete')
  })
})
