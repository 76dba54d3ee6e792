import { describe, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const post = async <T = SubscriptionWithBill>(path: string, body?: unknown) => {
  const { status, body: answer } = await env.side.admin.post<{ data: T; code?: string; error?: string }>(
    path,
    body,
  )
  const { code, data, error } = answer
  return { status, code, data, error }
}
const makePlan = (price: number, rank: number, currency: string) =>
  env.side.makePlan({ price, rank, currency })
const subscribed = async (price: number, currency: string) => {
  const member = (await env.side.makeMember()).id
  const { data } = await post('/subscriptions', {
    ...{ member_id: member, plan_id: (await makePlan(price, 1, currency)).id },
  })
  payWith(env.stripe, (await post<ShownPayment>(`/bills/${data.bill?.id}/pay`)).data, 'good')
  await advance(env.side, { minutes: 3 })
  return { id: data.id, member }
}
const balanceOf = async (member: string) => {
  const { body } = await env.side.admin.get<{ balances: { amount: number }[] }>(`/members/${member}/credit`)
  return body.balances[0]?.amount ?? 0
}

describe('what Stripe is known not to charge', () => {
  test('is refused as a first bill with the smallest total, and nothing is left of it', async () => {
    const member = (await env.side.makeMember()).id
    const cheap = await makePlan(0.49, 1, 'eur')
    const body = { member_id: member, plan_id: cheap.id }
    expect(await post('/subscriptions', body)).toMatchObject({
      ...{ status: 422, code: 'AMOUNT_TOO_SMALL' },
      error: 'The total must be at least 0.5 eur: the payment provider cannot charge less',
    })
    const { body: bills } = await env.side.admin.get<{ data: unknown[] }>(`/bills?member_id=${member}`)
    expect(bills.data).toEqual([])
    const dearer = await makePlan(0.5, 1, 'eur')
    expect((await post('/subscriptions', { ...body, plan_id: dearer.id })).status).toBe(201)
  })

  test('is owed by a change, which takes effect, and charged with the next bill', async () => {
    const { id, member } = await subscribed(5, 'eur')
    const more = await makePlan(5.3, 2, 'eur')
    const { data } = await post(`/subscriptions/${id}/change`, { plan_id: more.id })
    expect(data).toMatchObject({ plan_id: more.id, status: 'active', bill: { status: 'paid', total: 0 } })
    const owed = await balanceOf(member)
    expect([owed < 0, owed >= -0.3]).toEqual([true, true])
    const upcoming = await env.side.admin.get<{ data: { total: number } }>(`/subscriptions/${id}/upcoming`)
    expect(upcoming.body.data.total).toBeCloseTo(5.3 - owed, 5)
    await advance(env.side, { days: 32 })
    const { body } = await env.side.admin.get<{ data: { total: number; status: string }[] }>(
      `/bills?member_id=${member}`,
    )
    expect(body.data[0]).toMatchObject({ status: 'paid' })
    expect(body.data[0]?.total).toBeCloseTo(5.3 - owed, 5)
    expect(await balanceOf(member)).toBe(0)
  })

  test('is never a part of a bill in dinars: each line is rounded half up to what Stripe takes', async () => {
    const { id } = await subscribed(10, 'kwd')
    await advance(env.side, { days: 7 })
    const more = await makePlan(33.33, 2, 'kwd')
    const { data } = await post(`/subscriptions/${id}/change`, { plan_id: more.id })
    const fils = (data.bill?.lines ?? []).map(({ amount }) => Math.round(amount * 1_000))
    expect(fils).toHaveLength(2)
    expect(fils.map((amount) => amount % 10 === 0)).toEqual([true, true])
    await advance(env.side, { minutes: 3 })
    const { body } = await env.side.admin.get<{ data: Subscription }>(`/subscriptions/${id}`)
    expect(body.data.plan_id).toBe(more.id)
  })
})
