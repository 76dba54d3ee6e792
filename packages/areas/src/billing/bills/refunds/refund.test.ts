import { describe, expect, test } from 'vitest'
import { updateBillingSettings } from '#areas/billing/settings/queries.ts'
import type { Plan } from '#areas/plans/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { SubscriptionWithBill } from '../../subscriptions/schema.ts'
import type { Bill } from '../schema.ts'

let env: PaymentEnvironment
/** Takes money by hand. */
let hand: Side
let card: Side
let plans: ReadonlyMap<Side, { basic: Plan; pro: Plan }>

withPayments(async (opened) => {
  env = opened
  hand = (await makeProjects(env.api))[0].test
  card = env.side
  const made = [hand, card].map(async (side) => {
    const basic = await side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur' })
    const pro = await side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
    return [side, { basic, pro }] as const
  })
  plans = new Map(await Promise.all(made))
})

const post = async <T = Bill>(side: Side, path: string, body?: unknown) => {
  const { status, body: answer } = await side.admin.post<{ data: T; code?: string }>(path, body)
  return { status, code: answer.code, data: answer.data }
}
const read = async <T>(side: Side, path: string) => (await side.admin.get<{ data: T }>(path)).body.data
const refund = (side: Side, bill: { id: string }, body: object) =>
  post(side, `/bills/${bill.id}/refund`, body)
const EXCEEDS = { status: 422, code: 'REFUND_EXCEEDS_PAID' }
const creditOf = async (side: Side, member: string) => {
  const { body } = await side.admin.get<{ balances: { amount: number }[] }>(`/members/${member}/credit`)
  return body.balances[0]?.amount ?? 0
}

/** Who has paid for a period of a plan. */
const subscribed = async (side: Side, which: 'basic' | 'pro' = 'pro') => {
  const member = (await side.makeMember()).id
  const { data } = await post<SubscriptionWithBill>(side, '/subscriptions', {
    ...{ member_id: member, plan_id: plans.get(side)?.[which].id },
  })
  const id = data.bill?.id ?? ''
  if (side === hand) await post(side, `/bills/${id}/mark-paid`)
  else {
    payWith(env.stripe, (await post<ShownPayment>(side, `/bills/${id}/pay`)).data, 'good')
    await advance(side, { minutes: 3 })
  }
  const bill = await read<Bill>(side, `/bills/${id}`)
  expect(bill.status).toBe('paid')
  return { member, subscription: data.id, bill, intent: bill.payments[0]?.provider_reference ?? '' }
}
const downgrade = async (side: Side, { subscription }: { subscription: string }) =>
  (
    await post<SubscriptionWithBill>(side, `/subscriptions/${subscription}/change`, {
      ...{ plan_id: plans.get(side)?.basic.id, when: 'now' },
    })
  ).data
const send = (event: Parameters<typeof sendNotice>[2]) => sendNotice(env.api, env.accounts.side, event)

describe('a refund of a bill', () => {
  test('by hand goes back to its payer, in parts, and never more than was paid', async () => {
    const { bill, subscription } = await subscribed(hand)
    const part = await refund(hand, bill, { to: 'payment', amount: 20, reason: 'Slow' })
    expect(part).toMatchObject({
      status: 200,
      data: {
        ...{ status: 'paid', total: 60, amount_refunded: 20 },
        refunds: [
          {
            ...{ amount: 20, to: 'payment', status: 'succeeded', cause: 'request', reason: 'Slow' },
            lines: [{ id: bill.lines[0]?.id, amount: 20 }],
          },
        ],
        payments: [{ status: 'succeeded', amount_refunded: 20 }],
      },
    })
    expect(await refund(hand, bill, { to: 'payment', amount: 40.01 })).toMatchObject(EXCEEDS)
    expect(await refund(hand, bill, { to: 'credit', amount: 40.01 })).toMatchObject(EXCEEDS)
    expect((await refund(hand, bill, { to: 'payment' })).data.amount_refunded).toBe(60)
    expect(await refund(hand, bill, { to: 'payment' })).toMatchObject(EXCEEDS)
    expect(await refund(hand, bill, { to: 'credit' })).toMatchObject(EXCEEDS)
    expect(await read(hand, `/subscriptions/${subscription}`)).toMatchObject({ status: 'active' })
  })

  test('to credit is used by the next bill', async () => {
    const { bill, member } = await subscribed(hand)
    expect((await refund(hand, bill, { to: 'credit', amount: 25 })).data.refunds[0]).toMatchObject({
      ...{ to: 'credit', amount: 25, status: 'succeeded' },
    })
    expect(await creditOf(hand, member)).toBe(25)
    await advance(hand, { days: 32 })
    const [renewal] = await read<Bill[]>(hand, `/bills?member_id=${member}`)
    expect([renewal?.total, renewal?.lines.at(-1)?.amount]).toEqual([35, -25])
  })

  test('that is asked for many times at once happens once', async () => {
    const [money, credit] = [await subscribed(hand), await subscribed(hand)]
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => refund(hand, money.bill, { to: 'payment', amount: 40 })),
      ...[1, 2, 3].map(() => refund(hand, credit.bill, { to: 'credit' })),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422])
    expect(await creditOf(hand, credit.member)).toBe(60)
    expect((await read<Bill>(hand, `/bills/${money.bill.id}`)).payments[0]?.amount_refunded).toBe(40)
  })

  test('of lines gives back what is left of them, and names them', async () => {
    const { bill } = await subscribed(hand)
    const [line] = bill.lines
    const wrong = { ...{ status: 422, code: 'VALIDATION_ERROR' } }
    expect(await refund(hand, bill, { to: 'credit', lines: [{ id: 'bline_x' }] })).toMatchObject(wrong)
    const twice = { to: 'credit', lines: [{ id: line?.id }, { id: line?.id }] }
    expect(await refund(hand, bill, twice)).toMatchObject(wrong)
    expect(await refund(hand, bill, { to: 'credit', amount: 1.001 })).toMatchObject(wrong)
    const other = (await subscribed(hand)).bill.lines[0]?.id
    expect(await refund(hand, bill, { to: 'credit', lines: [{ id: other }] })).toMatchObject(wrong)
    const of = (amount: number) => ({ to: 'payment', lines: [{ id: line?.id, amount }] })
    expect(await refund(hand, bill, of(60.01))).toMatchObject(EXCEEDS)
    expect((await refund(hand, bill, of(12))).data.refunds[0]?.lines).toEqual([{ id: line?.id, amount: 12 }])
    const rest = await refund(hand, bill, { to: 'credit', lines: [{ id: line?.id }] })
    expect(rest.data.refunds[1]?.lines).toEqual([{ id: line?.id, amount: 48 }])
  })

  test('that is not paid, of another project or by a member is refused', async () => {
    const member = await hand.makeMember()
    const { data } = await post<SubscriptionWithBill>(hand, '/subscriptions', {
      ...{ member_id: member.id, plan_id: plans.get(hand)?.pro.id },
    })
    const bill = { id: data.bill?.id ?? '' }
    expect(await refund(hand, bill, { to: 'credit' })).toMatchObject({ status: 422, code: 'BILL_NOT_PAID' })
    expect(await refund(card, bill, { to: 'credit' })).toMatchObject({ status: 404 })
    expect(await refund(hand, bill, {})).toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
    const own = hand.as((await hand.signIn(member.id)).token)
    expect(refusalOf(await own.post(`/bills/${bill.id}/refund`, { to: 'credit' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('by card is made by the provider; one that a bank sends back can be made again', async () => {
    env.stripe.ledger.refundsAre = 'pending'
    const { bill } = await subscribed(card)
    expect((await refund(card, bill, { to: 'payment' })).data.refunds[0]?.status).toBe('pending')
    expect(await refund(card, bill, { to: 'credit' })).toMatchObject(EXCEEDS)
    await advance(card, { minutes: 3 })
    const made = [...env.stripe.ledger.refunds.values()].at(-1)
    expect(made).toMatchObject({ amount: 6_000 })
    expect(await send(env.stripe.ledger.finishRefund(made?.id ?? '', 'failed'))).toEqual([200, true])
    expect(await read<Bill>(card, `/bills/${bill.id}`)).toMatchObject({
      ...{ amount_refunded: 0, refunds: [{ status: 'failed' }], payments: [{ amount_refunded: 0 }] },
    })
    expect((await refund(card, bill, { to: 'credit' })).data.amount_refunded).toBe(60)
  })
})

describe('what was given back of a line', () => {
  test('is not credited again when its time is given up', async () => {
    const { bill, member, subscription } = await subscribed(hand)
    await refund(hand, bill, { to: 'payment', amount: 45 })
    const changed = await downgrade(hand, { subscription })
    // 15 of 60 are left, and the rest of Basic costs 30.
    const [unused, rest] = changed.bill?.lines ?? []
    expect(Math.abs((unused?.amount ?? 0) + 15)).toBeLessThan(0.02)
    expect(Math.abs((rest?.amount ?? 0) - 30)).toBeLessThan(0.02)
    expect(await creditOf(hand, member)).toBe(0)
  })

  test('as credit is not refunded again', async () => {
    const { bill, member, subscription } = await subscribed(hand)
    await downgrade(hand, { subscription })
    const credit = await creditOf(hand, member)
    expect(Math.abs(credit - 30)).toBeLessThan(0.02)
    const again = await refund(hand, bill, { to: 'payment' })
    // The time of the month in which the test runs is used up, so that a cent may be left.
    expect(again.status === 422 || again.data.amount_refunded < 0.02).toBe(true)
  })

  test('as credit is taken back where a bank gives its payer the money', async () => {
    await card.write((ctx) => updateBillingSettings(ctx, { onLostDispute: 'keep' }))
    const { member, subscription, intent, bill } = await subscribed(card)
    await downgrade(card, { subscription })
    const credit = await creditOf(card, member)
    await send(env.stripe.ledger.dispute(intent, 6_000))
    const dispute = [...env.stripe.ledger.disputes.values()].at(-1)?.id ?? ''
    await send(env.stripe.ledger.closeDispute(dispute, 'lost'))
    expect(await read<Bill>(card, `/bills/${bill.id}`)).toMatchObject({
      ...{ amount_refunded: 60, refunds: [{ cause: 'dispute', status: 'succeeded', amount: 60 }] },
    })
    // The time that was given up had been 60 of 60: nothing of the bill is left but what became credit and Basic's time.
    expect(Math.abs((await creditOf(card, member)) - (credit - 60))).toBeLessThan(0.02)
    await send(env.stripe.ledger.closeDispute(dispute, 'won'))
    expect(await creditOf(card, member)).toBe(credit)
  })

  test('in the provider’s dashboard is a refund of the bill, once', async () => {
    const { intent, bill } = await subscribed(card)
    const [made, charge] = env.stripe.ledger.refundInDashboard(intent, 2_500)
    await Promise.all([send(made), send(charge)])
    expect(await read<Bill>(card, `/bills/${bill.id}`)).toMatchObject({
      ...{ amount_refunded: 25, refunds: [{ cause: 'provider', to: 'payment', amount: 25 }] },
    })
    expect(await refund(card, bill, { to: 'credit', amount: 35.01 })).toMatchObject(EXCEEDS)
  })
})

describe('late money', () => {
  const overdue = async () => {
    const made = await subscribed(hand, 'basic')
    const credit = { amount: 10, currency: 'eur', reason: 'A gift' }
    await post(hand, `/members/${made.member}/credit`, credit)
    await advance(hand, { days: 60 })
    const [bill] = await read<Bill[]>(hand, `/bills?member_id=${made.member}`)
    expect([bill?.status, bill?.total]).toEqual(['uncollectible', 20])
    expect(await creditOf(hand, made.member)).toBe(10)
    return { member: made.member, bill: { id: bill?.id ?? '' } }
  }

  test('for a bill that was given up is taken, and uses the credit again that it gave back', async () => {
    const { bill, member } = await overdue()
    const late = await post(hand, `/bills/${bill.id}/mark-paid`)
    expect(late.data).toMatchObject({ status: 'paid', payments: [{ status: 'succeeded', amount: 20 }] })
    expect(await creditOf(hand, member)).toBe(0)
    expect(await post(hand, `/bills/${bill.id}/mark-paid`)).toMatchObject({ code: 'BILL_NOT_OPEN' })
  })

  test('for a bill whose credit was used elsewhere leaves that much owed', async () => {
    const { bill, member } = await overdue()
    await post(hand, `/members/${member}/credit`, { amount: -10, currency: 'eur', reason: 'Paid out' })
    await post(hand, `/bills/${bill.id}/mark-paid`)
    expect(await creditOf(hand, member)).toBe(-10)
    const { data } = await post<SubscriptionWithBill>(hand, '/subscriptions', {
      ...{ member_id: member, plan_id: plans.get(hand)?.basic.id },
    })
    expect(data.bill?.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['period', 30],
      ['credit', 10],
    ])
  })
})
