import { describe, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { Bill } from '../bills/schema.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'

interface Entry {
  readonly kind: string
  readonly amount: number
  readonly bill_id: string | null
  readonly reason: string | null
}

let env: PaymentEnvironment
/** Takes money by hand. */
let hand: Side

withPayments(async (opened) => {
  env = opened
  hand = (await makeProjects(env.api))[0].test
})

const post = async <T = SubscriptionWithBill>(side: Side, path: string, body?: unknown) => {
  const { status, body: answer } = await side.admin.post<{ data: T; code?: string }>(path, body)
  return { status, code: answer.code, data: answer.data }
}
const creditOf = async (side: Side, member: string) => {
  const { body } = await side.admin.get<{ data: Entry[]; balances: { currency: string; amount: number }[] }>(
    `/members/${member}/credit`,
  )
  return { balances: body.balances, entries: body.data.map(({ kind, amount }) => `${kind} ${amount}`) }
}
const give = (side: Side, member: string, amount: number, more: object = {}) =>
  post<{ balance: number }>(side, `/members/${member}/credit`, {
    ...{ amount, currency: 'eur', reason: 'A gift' },
    ...more,
  })
/** A member with 30 EUR of credit, and a subscription to a plan of 100 EUR whose first bill uses it. */
const subscribe = async (side: Side) => {
  const member = (await side.makeMember()).id
  await give(side, member, 30)
  const plan = await side.makePlan({ price: 100, currency: 'eur' })
  const { data } = await post(side, '/subscriptions', { member_id: member, plan_id: plan.id })
  expect(data.bill).toMatchObject({ total: 70, status: 'open' })
  expect((await creditOf(side, member)).balances).toEqual([])
  return { ...data, member, bill: data.bill?.id ?? '' }
}
const THIRTY = [{ currency: 'eur', amount: 30 }]

describe('credit', () => {
  test('is given and taken by an operator with a reason, and nobody is made to owe', async () => {
    const member = (await hand.makeMember()).id
    expect((await give(hand, member, 12.5)).data).toMatchObject({
      ...{
        amount: 12.5,
        currency: 'eur',
        kind: 'operator',
        reason: 'A gift',
        by: 'secret_key',
        balance: 12.5,
      },
      bill_id: null,
    })
    expect((await give(hand, member, -2.5)).data.balance).toBe(10)
    expect(await give(hand, member, -10.01)).toMatchObject({ status: 422, code: 'CREDIT_INSUFFICIENT' })
    expect(await give(hand, member, -1, { currency: 'usd' })).toMatchObject({ code: 'CREDIT_INSUFFICIENT' })
    expect(await creditOf(hand, member)).toEqual({
      balances: [{ currency: 'eur', amount: 10 }],
      entries: ['operator -2.5', 'operator 12.5'],
    })
    for (const wrong of [
      { amount: 0 },
      { amount: 0.001 },
      { amount: 0.5, currency: 'jpy' },
      { currency: 'zzz' },
      { reason: '' },
      { reason: undefined },
    ])
      expect(await give(hand, member, 5, wrong)).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
  })

  test('is never overdrawn by operators who take it at once', async () => {
    const member = (await hand.makeMember()).id
    await give(hand, member, 10)
    const taken = await Promise.all([1, 2, 3, 4, 5].map(() => give(hand, member, -4)))
    expect(taken.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422, 422])
    expect((await creditOf(hand, member)).balances).toEqual([{ currency: 'eur', amount: 2 }])
  })

  test('is shown to its member alone, who cannot give any, and is missing for other projects', async () => {
    const [{ id }, another] = [await hand.makeMember(), (await hand.makeMember()).id]
    const own = hand.as((await hand.signIn(id)).token)
    await give(hand, id, 5)
    expect((await own.get(`/members/${id}/credit`)).body).toMatchObject({
      data: [{ amount: 5 }],
      balances: [{ amount: 5 }],
    })
    expect(refusalOf(await own.get(`/members/${another}/credit`))).toBe('404 NOT_FOUND')
    const gift = { amount: 5, currency: 'eur', reason: 'Mine' }
    expect(refusalOf(await own.post(`/members/${id}/credit`, gift))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect(await give(env.side, id, 5)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

describe('a bill that dies gives back the credit that it used', () => {
  test('when it is voided', async () => {
    const { member, bill } = await subscribe(hand)
    await post(hand, `/bills/${bill}/void`)
    expect(await creditOf(hand, member)).toEqual({
      balances: THIRTY,
      entries: ['returned 30', 'used -30', 'operator 30'],
    })
  })

  test('when it is given up after 14 days', async () => {
    const { member, id } = await subscribe(hand)
    await advance(hand, { days: 15 })
    expect((await hand.admin.get(`/subscriptions/${id}`)).body).toMatchObject({
      data: { status: 'canceled' },
    })
    expect((await creditOf(hand, member)).balances).toEqual(THIRTY)
  })

  test('when its subscription is canceled', async () => {
    const { member, id } = await subscribe(hand)
    await post(hand, `/subscriptions/${id}/cancel`, { at: 'now' })
    expect((await creditOf(hand, member)).balances).toEqual(THIRTY)
  })

  test('when its charge fails', async () => {
    const { side, stripe } = env
    const [basic, pro] = [
      await side.makePlan({ rank: 1, price: 30, currency: 'eur' }),
      await side.makePlan({ rank: 2, price: 100, currency: 'eur' }),
    ]
    const member = (await side.makeMember()).id
    const { data } = await post(side, '/subscriptions', { member_id: member, plan_id: basic.id })
    const payment = (await post<ShownPayment>(side, `/bills/${data.bill?.id}/pay`)).data
    payWith(stripe, payment, 'good')
    await advance(side, { minutes: 2 })
    await give(side, member, 30)
    await replaceCard(env, data, 'declined')
    const changed = await post(side, `/subscriptions/${data.id}/change`, { plan_id: pro.id, when: 'now' })
    expect(changed.data.bill?.lines.at(-1)).toMatchObject({ kind: 'credit', amount: -30 })
    expect((await creditOf(side, member)).balances).toEqual([])
    await advance(side, { minutes: 5 })
    const { body } = await side.admin.get<{ data: Bill }>(`/bills/${changed.data.bill?.id}`)
    expect(body.data.status).toBe('void')
    expect((await creditOf(side, member)).balances).toEqual(THIRTY)
  })

  test('when its member is forgotten, and the ledger stays without what was written about the member', async () => {
    const { member, bill } = await subscribe(hand)
    expect((await hand.admin.delete(`/members/${member}?mode=anonymize`)).status).toBe(200)
    expect((await hand.admin.get(`/bills/${bill}`)).body).toMatchObject({ data: { status: 'void' } })
    const { rows } = await env.api.owner.query(
      `select e.kind, e.amount_minor::int, e.reason, b.amount_minor::int as balance
       from credit_entries e join credit_balances b using (project_id, member_id)
       where e.member_id = app.stored_id($1) order by e.id`,
      [member],
    )
    const balance = 3_000
    expect(rows).toEqual([
      { kind: 'operator', amount_minor: 3_000, reason: '', balance },
      { kind: 'used', amount_minor: -3_000, reason: null, balance },
      { kind: 'returned', amount_minor: 3_000, reason: null, balance },
    ])
  })
})
