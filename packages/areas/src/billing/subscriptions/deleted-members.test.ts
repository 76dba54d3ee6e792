import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

interface Made<T> {
  data: T
}

const DAY_MS = 86_400_000

let env: PaymentEnvironment
/** Sides that take money by hand, and by card. */
let hand: Side
let card: Side
let plans: ReadonlyMap<Side, Plan>

withPayments(async (opened) => {
  env = opened
  const [{ test: side }] = await makeProjects(env.api)
  hand = side
  card = env.side
  plans = new Map([
    [hand, await hand.makePlan({ name: 'Basic', price: 30, currency: 'eur', rank: 10 })],
    [card, await card.makePlan({ name: 'Basic', price: 30, currency: 'eur', rank: 10 })],
  ])
})

const post = async <T = SubscriptionWithBill>(side: Side, path: string, body?: unknown) => {
  const answer = await side.admin.post<Made<T>>(path, body)
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, ''])
  return answer.body.data
}
const read = async <T>(side: Side, path: string) => (await side.admin.get<Made<T>>(path)).body.data
const subscription = (side: Side, id: string) => read<Subscription>(side, `/subscriptions/${id}`)
const billsOf = (side: Side, member: string) => read<Bill[]>(side, `/bills?member_id=${member}`)
const subscribe = async (side: Side, plan = plans.get(side)) => {
  const member_id = (await side.makeMember()).id
  return post(side, '/subscriptions', { member_id, plan_id: plan?.id })
}
const subscribed = async (side: Side) => {
  const made = await subscribe(side)
  if (side === hand) await post(side, `/bills/${made.bill?.id}/mark-paid`)
  else {
    payWith(env.stripe, await post<ShownPayment>(side, `/bills/${made.bill?.id}/pay`), 'good')
    await advance(side, { minutes: 3 })
  }
  expect((await subscription(side, made.id)).status).toBe('active')
  return subscription(side, made.id)
}
const remove = (side: Side, { member_id }: { member_id: string }, mode = 'soft') =>
  side.admin.delete(`/members/${member_id}?mode=${mode}`)
const restore = (side: Side, made: { member_id: string }) => post(side, `/members/${made.member_id}/restore`)
const planOf = async (side: Side, member: string) =>
  (await read<{ plan: { name: string } }>(side, `/members/${member}`)).plan.name
/** Days between two moments, to the nearest one. */
const daysFrom = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
const takenOf = (member: string) =>
  billsOf(card, member).then((bills) => bills.flatMap(({ payments }) => payments).length)

describe('the subscription of a deleted member', () => {
  test('by hand is paused, and goes on with all of its time when the member is restored', async () => {
    const before = await subscribed(hand)
    await advance(hand, { days: 10 })
    expect((await remove(hand, before)).status).toBe(200)
    expect(await subscription(hand, before.id)).toMatchObject({ status: 'paused', resume_at: null })
    await advance(hand, { days: 25 })
    expect(await billsOf(hand, before.member_id)).toHaveLength(1)
    await restore(hand, before)
    const after = await subscription(hand, before.id)
    expect(after).toMatchObject({ status: 'active', paused_at: null })
    expect(daysFrom(before.period_end, after.period_end)).toBe(25)
    expect(await planOf(hand, before.member_id)).toBe('Basic')
    const length = daysFrom(before.period_start, before.period_end)
    await advance(hand, { days: length - 11 })
    expect(await billsOf(hand, before.member_id)).toHaveLength(1)
    await advance(hand, { days: 2 })
    const [renewal] = await billsOf(hand, before.member_id)
    expect(renewal?.lines[0]).toMatchObject({ kind: 'period', period_start: after.period_end })
  })

  test('by card is not charged until the member is restored', async () => {
    const before = await subscribed(card)
    await advance(card, { days: 20 })
    await remove(card, before)
    // The period would have ended meanwhile. A member can be restored for 30 days.
    await advance(card, { days: 29 })
    expect(await takenOf(before.member_id)).toBe(1)
    await restore(card, before)
    expect((await subscription(card, before.id)).status).toBe('active')
    await advance(card, { days: 7 })
    expect(await takenOf(before.member_id)).toBe(1)
    await advance(card, { days: 5 })
    expect((await billsOf(card, before.member_id)).map(({ status, total }) => [status, total])).toEqual([
      ['paid', 30],
      ['paid', 30],
    ])
  })

  test('that waits for its first money waits on for as long as before, and its bill is due that much later', async () => {
    const made = await subscribe(hand)
    await advance(hand, { days: 10 })
    await remove(hand, made)
    await advance(hand, { days: 20 })
    expect((await subscription(hand, made.id)).status).toBe('paused')
    await restore(hand, made)
    const [bill] = await billsOf(hand, made.member_id)
    expect(bill?.status).toBe('open')
    expect(daysFrom(made.bill?.due_at ?? '', bill?.due_at ?? '')).toBe(20)
    await advance(hand, { days: 3 })
    expect((await subscription(hand, made.id)).status).toBe('incomplete')
    await advance(hand, { days: 2 })
    expect((await subscription(hand, made.id)).cancel_reason).toBe('incomplete_expired')
  })

  test('that is overdue is overdue again, and ends as many days later', async () => {
    const made = await subscribed(hand)
    await advance(hand, { days: daysFrom(made.period_start, made.period_end) + 15 })
    expect((await subscription(hand, made.id)).status).toBe('past_due')
    await remove(hand, made)
    await advance(hand, { days: 25 })
    await restore(hand, made)
    expect((await subscription(hand, made.id)).status).toBe('past_due')
    await advance(hand, { days: 4 })
    expect((await subscription(hand, made.id)).status).toBe('past_due')
    await advance(hand, { days: 4 })
    expect(await subscription(hand, made.id)).toMatchObject({ status: 'canceled', cancel_reason: 'unpaid' })
  })

  test('on trial has all of its trial left', async () => {
    const plan = await hand.makePlan({ price: 30, currency: 'eur', trial_days: 14 })
    const made = await subscribe(hand, plan)
    await advance(hand, { days: 4 })
    await remove(hand, made)
    await advance(hand, { days: 25 })
    await restore(hand, made)
    const after = await subscription(hand, made.id)
    expect(after.status).toBe('trialing')
    expect(after.trial_end).toBe(after.period_end)
    expect(daysFrom(made.trial_end ?? '', after.trial_end ?? '')).toBe(25)
    await advance(hand, { days: 9 })
    expect((await subscription(hand, made.id)).status).toBe('trialing')
    await advance(hand, { days: 2 })
    expect(await billsOf(hand, made.member_id)).toHaveLength(1)
  })

  test('that was paused stays paused, and resumes by itself that much later', async () => {
    const made = await subscribed(hand)
    const { now } = await read<{ now: string }>(hand, '/test-clock')
    const resume_at = new Date(Date.parse(now) + 5 * DAY_MS).toISOString()
    await post(hand, `/subscriptions/${made.id}/pause`, { resume_at })
    await remove(hand, made)
    await advance(hand, { days: 20 })
    expect((await subscription(hand, made.id)).status).toBe('paused')
    await restore(hand, made)
    expect(await planOf(hand, made.member_id)).toBe('Free')
    await advance(hand, { days: 4 })
    expect((await subscription(hand, made.id)).status).toBe('paused')
    await advance(hand, { days: 2 })
    const after = await subscription(hand, made.id)
    expect(after.status).toBe('active')
    expect(daysFrom(made.period_end, after.period_end)).toBe(25)
  })

  test('counts money that comes all the same, also of a payment that was ended too late', async () => {
    const [marked, late] = [await subscribe(hand), await subscribe(card)]
    const begun = await post<ShownPayment>(card, `/bills/${late.bill?.id}/pay`)
    await remove(hand, marked)
    await remove(card, late)
    await post(hand, `/bills/${marked.bill?.id}/mark-paid`)
    payWith(env.stripe, begun, 'good')
    await advance(card, { minutes: 3 })
    expect((await subscription(hand, marked.id)).status).toBe('paused')
    for (const [side, made] of [
      [hand, marked],
      [card, late],
    ] as const) {
      await restore(side, made)
      expect((await subscription(side, made.id)).status).toBe('active')
      const bills = await billsOf(side, made.member_id)
      expect(bills.map(({ status }) => status)).toEqual(['paid'])
      expect(bills[0]?.payments.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)).toBe(0)
    }
  })

  test('can be canceled, and neither changed nor resumed; one that was canceled stays so', async () => {
    const made = await subscribed(hand)
    const other = await hand.makePlan({ price: 60, currency: 'eur', rank: 20 })
    await remove(hand, made)
    for (const [verb, body] of [['resume'], ['pause', {}], ['change', { plan_id: other.id }]] as const) {
      const answer = await hand.admin.post<{ code: string }>(`/subscriptions/${made.id}/${verb}`, body)
      expect([verb, answer.status, answer.body.code]).toEqual([verb, 422, 'MEMBER_DELETED'])
    }
    expect((await post(hand, `/subscriptions/${made.id}/cancel`, { at: 'now' })).status).toBe('canceled')
    await restore(hand, made)
    expect((await subscription(hand, made.id)).status).toBe('canceled')
  })

  test('that was to end at the end of its period ends there, that much later', async () => {
    const made = await subscribed(hand)
    await post(hand, `/subscriptions/${made.id}/cancel`, { at: 'period_end' })
    await remove(hand, made)
    await advance(hand, { days: 20 })
    await restore(hand, made)
    const { period_end } = await subscription(hand, made.id)
    await advance(hand, { days: daysFrom(made.period_start, made.period_end) - 1 })
    expect(await planOf(hand, made.member_id)).toBe('Basic')
    await advance(hand, { days: 2 })
    expect(await subscription(hand, made.id)).toMatchObject({
      ...{ status: 'canceled', cancel_reason: 'period_end', period_end },
    })
  })

  test('ends without credit when the member is erased, and its open bills are void', async () => {
    const made = await subscribed(hand)
    await advance(hand, { days: daysFrom(made.period_start, made.period_end) + 1 })
    await remove(hand, made)
    expect((await remove(hand, made, 'anonymize')).status).toBe(200)
    expect(await subscription(hand, made.id)).toMatchObject({
      status: 'canceled',
      cancel_reason: 'member_deleted',
    })
    const bills = await billsOf(hand, made.member_id)
    expect(bills.map(({ status }) => status)).toEqual(['void', 'paid'])
    expect(bills.flatMap(({ lines }) => lines).some(({ kind }) => kind === 'credit')).toBe(false)
  })

  test('that begins while the member is deleted does not run: it is refused, or paused', async () => {
    for (let round = 0; round < 6; round++) {
      const { id: member_id } = await hand.makeMember()
      const [made, gone] = await Promise.all([
        hand.admin.post<Made<Subscription>>('/subscriptions', { member_id, plan_id: plans.get(hand)?.id }),
        remove(hand, { member_id }),
      ])
      expect(gone.status).toBe(200)
      if (made.status === 422) continue
      expect((await subscription(hand, made.body.data.id)).status).toBe('paused')
    }
  })
})
