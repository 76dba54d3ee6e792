import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

interface Made<T> {
  data: T
  code: string
}

/** Takes money by hand. */
let side: Side
let cheap: Plan
let dear: Plan

withProjects(async (_api, one) => {
  side = one.test
  cheap = await side.makePlan({ name: 'Cheap', rank: 10, price: 10, currency: 'eur' })
  dear = await side.makePlan({ name: 'Dear', rank: 20, price: 100, currency: 'eur' })
})

const post = async <T = SubscriptionWithBill>(path: string, body?: unknown) => {
  const answer = await side.admin.post<Made<T>>(path, body)
  return { status: answer.status, code: answer.body.code, data: answer.body.data }
}
const read = async <T>(path: string) => (await side.admin.get<{ data: T }>(path)).body.data
const subscription = (id: string) => read<Subscription>(`/subscriptions/${id}`)
const billsOf = (member: string) => read<Bill[]>(`/bills?member_id=${member}`)
const markPaid = (bill: { id: string } | null | undefined) => post<Bill>(`/bills/${bill?.id}/mark-paid`)
const change = (id: string, plan: Plan, when = 'now') =>
  post(`/subscriptions/${id}/change`, { plan_id: plan.id, when })
const cancel = (id: string, at = 'now') => post(`/subscriptions/${id}/cancel`, { at })
const creditOf = async (member: string) => {
  const { body } = await side.admin.get<{ balances: { amount: number }[] }>(`/members/${member}/credit`)
  return body.balances[0]?.amount ?? 0
}
/** Who has paid 10 for a period of the cheap plan. */
const subscribed = async () => {
  const member = (await side.makeMember()).id
  const { data } = await post('/subscriptions', { member_id: member, plan_id: cheap.id })
  await markPaid(data.bill)
  return { id: data.id, member }
}
const daysTo = async (at: string, more = 0) => {
  const { now } = await read<{ now: string }>('/test-clock')
  await advance(side, { days: (Date.parse(at) - Date.parse(now)) / 86_400_000 + more })
}
const BILL_OPEN = { status: 422, code: 'BILL_OPEN' }

describe('time that nobody paid for gives no credit', () => {
  test('up without paying, down again, cancel, subscribe anew: the dear plan is not free', async () => {
    const { id, member } = await subscribed()
    expect((await change(id, dear)).data.bill?.status).toBe('open')
    expect(await change(id, cheap)).toMatchObject(BILL_OPEN)
    expect(
      await post(`/subscriptions/${id}/preview-change`, { plan_id: cheap.id, when: 'now' }),
    ).toMatchObject(BILL_OPEN)
    await cancel(id)
    expect(await creditOf(member)).toBe(0)
    const { data } = await post('/subscriptions', { member_id: member, plan_id: dear.id })
    expect(data).toMatchObject({ status: 'incomplete', bill: { status: 'open', total: 100 } })
  })

  test('neither does a renewal that is open, and one that was voided', async () => {
    const { id, member } = await subscribed()
    await change(id, dear, 'period_end')
    await daysTo((await subscription(id)).period_end, 0.1)
    const [renewal] = await billsOf(member)
    expect([renewal?.total, renewal?.status]).toEqual([100, 'open'])
    expect(await change(id, cheap)).toMatchObject(BILL_OPEN)
    await post(`/bills/${renewal?.id}/void`)
    const { data } = await change(id, cheap)
    // Nothing was paid for the dear plan's time; the rest of the cheap one's is charged.
    expect(data.bill?.lines.map(({ kind }) => kind)).toEqual(['proration'])
    expect(await creditOf(member)).toBe(0)
  })

  test('a change at the period’s end stays possible while a bill is open', async () => {
    const { id } = await subscribed()
    await change(id, dear)
    expect((await change(id, cheap, 'period_end')).data.next_plan_id).toBe(cheap.id)
  })
})

describe('by hand', () => {
  test('the bill of an upgrade that nobody pays is overdue after 14 days and ends the subscription 7 days later', async () => {
    const { id, member } = await subscribed()
    const upgrade = (await change(id, dear)).data.bill
    await change(id, cheap, 'period_end')
    await advance(side, { days: 13 })
    expect((await subscription(id)).status).toBe('active')
    await advance(side, { days: 2 })
    expect(await subscription(id)).toMatchObject({ status: 'past_due', open_bill_id: upgrade?.id })
    await advance(side, { days: 5 })
    expect((await subscription(id)).status).toBe('past_due')
    await advance(side, { days: 2 })
    expect(await subscription(id)).toMatchObject({ status: 'canceled', cancel_reason: 'unpaid' })
    expect((await read<Bill>(`/bills/${upgrade?.id}`)).status).toBe('uncollectible')
    expect(await creditOf(member)).toBe(0)
  })

  test('of several open bills the oldest decides, and in the end all are uncollectible', async () => {
    const { id, member } = await subscribed()
    await daysTo((await subscription(id)).period_end, -4)
    const upgrade = (await change(id, dear)).data.bill
    await advance(side, { days: 5 })
    const [renewal] = await billsOf(member)
    expect([renewal?.total, renewal?.status, (await subscription(id)).open_bill_id]).toEqual([
      100,
      'open',
      upgrade?.id,
    ])
    await advance(side, { days: 10 })
    expect((await subscription(id)).status).toBe('past_due')
    // The renewal is not overdue yet.
    await markPaid(upgrade)
    expect(await subscription(id)).toMatchObject({ status: 'active', open_bill_id: renewal?.id })
    await advance(side, { days: 5 })
    expect((await subscription(id)).status).toBe('past_due')
    await advance(side, { days: 8 })
    expect((await subscription(id)).status).toBe('canceled')
    expect((await billsOf(member)).map(({ status }) => status)).toEqual(['uncollectible', 'paid', 'paid'])
  })

  test('a cancellation now reduces an open renewal to the time that was used, and holds up nothing', async () => {
    const { id, member } = await subscribed()
    await daysTo((await subscription(id)).period_end, 10)
    const { period_start, period_end } = await subscription(id)
    const [renewal] = await billsOf(member)
    expect(renewal).toMatchObject({ status: 'open', total: 10 })
    expect((await cancel(id)).data.status).toBe('canceled')
    const reduced = await read<Bill>(`/bills/${renewal?.id}`)
    const days = (Date.parse(period_end) - Date.parse(period_start)) / 86_400_000
    expect(Math.abs(reduced.total - 100 / days)).toBeLessThan(0.011)
    expect(reduced).toMatchObject({ status: 'open', lines: [{ kind: 'period', amount: reduced.total }] })
    const anew = await post('/subscriptions', { member_id: member, plan_id: cheap.id })
    expect(anew.status).toBe(201)
    await advance(side, { days: 20 })
    expect((await read<Bill>(`/bills/${renewal?.id}`)).status).toBe('open')
    await advance(side, { days: 2 })
    expect((await read<Bill>(`/bills/${renewal?.id}`)).status).toBe('uncollectible')
    expect((await markPaid(renewal)).data).toMatchObject({ status: 'paid', total: reduced.total })
  })

  test('a cancellation now voids a first bill; two at once, and a payment beside them, count once', async () => {
    const member = (await side.makeMember()).id
    const { data } = await post('/subscriptions', { member_id: member, plan_id: cheap.id })
    await cancel(data.id)
    expect((await read<Bill>(`/bills/${data.bill?.id}`)).status).toBe('void')
    const running = await subscribed()
    await daysTo((await subscription(running.id)).period_end, 3)
    const [renewal] = await billsOf(running.member)
    const answers = await Promise.all([
      cancel(running.id),
      cancel(running.id),
      markPaid(renewal),
      markPaid(renewal),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422])
    const paid = await read<Bill>(`/bills/${renewal?.id}`)
    expect(paid.status).toBe('paid')
    expect(paid.payments.map(({ amount }) => amount)).toEqual([paid.total])
    expect(await creditOf(running.member)).toBe(0)
  })

  test('credit that a reduced bill needs no more comes back', async () => {
    const { id, member } = await subscribed()
    await post(`/members/${member}/credit`, { amount: 9, currency: 'eur', reason: 'A gift' })
    await daysTo((await subscription(id)).period_end, 3)
    const [renewal] = await billsOf(member)
    expect([renewal?.total, await creditOf(member)]).toEqual([1, 0])
    await cancel(id)
    const after = await read<Bill>(`/bills/${renewal?.id}`)
    expect([after.status, after.total]).toEqual(['paid', 0])
    const used = after.lines.find(({ kind }) => kind === 'period')?.amount ?? 0
    expect(used).toBeLessThan(2)
    expect(await creditOf(member)).toBeCloseTo(9 - used, 5)
  })
})

describe('a change now while trialing', () => {
  const trialOf = (days: number, rank: number) =>
    side.makePlan({ rank, price: 50, currency: 'eur', trial_days: days })

  test('to a plan without a trial, or whose trial was used, begins with a bill', async () => {
    const [first, used] = [await trialOf(14, 1), await trialOf(14, 2)]
    const member = (await side.makeMember()).id
    const tried = await post('/subscriptions', { member_id: member, plan_id: used.id })
    await cancel(tried.data.id)
    const { data } = await post('/subscriptions', { member_id: member, plan_id: first.id })
    expect(data.status).toBe('trialing')
    const { data: changed } = await change(data.id, used)
    expect(changed).toMatchObject({ status: 'active', plan_id: used.id, bill: { status: 'open', total: 50 } })
    const again = await post('/subscriptions', { member_id: (await side.makeMember()).id, plan_id: first.id })
    expect((await change(again.data.id, dear)).data).toMatchObject({ status: 'active', bill: { total: 100 } })
  })

  test('to a plan with an unused trial goes on to the earlier end, and uses that trial', async () => {
    const [first, short] = [await trialOf(14, 1), await trialOf(5, 2)]
    const member = (await side.makeMember()).id
    const { data } = await post('/subscriptions', { member_id: member, plan_id: first.id })
    const { data: changed } = await change(data.id, short)
    expect(changed).toMatchObject({ status: 'trialing', plan_id: short.id, bill: null })
    const days = (Date.parse(changed.trial_end ?? '') - Date.parse(changed.updated_at)) / 86_400_000
    expect(days).toBeCloseTo(5, 2)
    await cancel(data.id)
    const again = { member_id: member, plan_id: short.id, trial: true }
    expect(await post('/subscriptions', again)).toMatchObject({ status: 422, code: 'TRIAL_USED' })
  })
})

describe('what comes next', () => {
  test('a preview says that ranks are equal, when the change comes, and the next bill', async () => {
    const other = await side.makePlan({ name: 'Other', rank: 10, price: 25, currency: 'eur' })
    const { id } = await subscribed()
    const { period_end } = await subscription(id)
    const { data } = await post<object>(`/subscriptions/${id}/preview-change`, { plan_id: other.id })
    expect(data).toMatchObject({
      ...{ rank: 'equal', when: 'period_end', takes_effect: 'period_end', date: period_end, amount: 0 },
      next_bill: { date: period_end, plan_id: other.id, total: 25, lines: [{ kind: 'period', amount: 25 }] },
    })
    const up = await post<object>(`/subscriptions/${id}/preview-change`, { plan_id: dear.id })
    expect(up.data).toMatchObject({
      ...{ rank: 'higher', when: 'now', takes_effect: 'now' },
      next_bill: { plan_id: dear.id, total: 100, date: period_end },
    })
  })

  test('the upcoming bill uses credit, and there is none where the subscription ends', async () => {
    const { id, member } = await subscribed()
    await post(`/members/${member}/credit`, { amount: 4, currency: 'eur', reason: 'A gift' })
    const { period_end } = await subscription(id)
    expect(await read(`/subscriptions/${id}/upcoming`)).toMatchObject({
      ...{
        date: period_end,
        plan_id: cheap.id,
        total: 6,
        lines: [{ amount: 10 }, { kind: 'credit', amount: -4 }],
      },
    })
    expect(await creditOf(member)).toBe(4)
    await cancel(id, 'period_end')
    expect(await read(`/subscriptions/${id}/upcoming`)).toBeNull()
  })

  test('history names the plans of a change, and a move by the clock is of the system', async () => {
    const { id } = await subscribed()
    await change(id, dear, 'period_end')
    await daysTo((await subscription(id)).period_end, 0.1)
    const moves = await read<
      { event: string; by: string; from_plan: Plan; to_plan: Plan; takes_effect: string }[]
    >(`/subscriptions/${id}/history`)
    expect(
      moves.map((move) => [move.event, move.by, move.from_plan?.name, move.to_plan.name, move.takes_effect]),
    ).toEqual([
      ['due', 'system', 'Cheap', 'Dear', null],
      ['change', 'secret_key', 'Cheap', 'Dear', 'period_end'],
      ['bill_paid', 'secret_key', 'Cheap', 'Cheap', null],
      ['create', 'secret_key', undefined, 'Cheap', null],
    ])
  })
})
