import { expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

let side: Side
let basic: Plan
let pro: Plan
let memberId: string
let subscriptionId: string

withProjects(async (_api, one) => {
  side = one.test
  basic = await side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur' })
  pro = await side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
  memberId = (await side.makeMember()).id
})

const post = async <T>(path: string, body?: unknown) => {
  const { status, body: answer } = await side.admin.post<{ data: T }>(path, body)
  expect([path, status]).toEqual([path, path === '/subscriptions' ? 201 : 200])
  return answer.data
}
const advance = (to: string) => post<{ now: string }>('/test-clock/advance', { to })
const subscription = async () =>
  (await side.admin.get<{ data: Subscription }>(`/subscriptions/${subscriptionId}`)).body.data
const bills = async () => {
  const { body } = await side.admin.get<{ data: Bill[] }>(`/bills?member_id=${memberId}&limit=100`)
  return body.data.toReversed()
}
const payAll = async () => {
  for (const bill of await bills()) if (bill.status === 'open') await post(`/bills/${bill.id}/mark-paid`)
}
const planOf = async () =>
  (await side.admin.get<{ data: { plan: { name: string } } }>(`/members/${memberId}`)).body.data.plan.name

test('a year by hand, with an upgrade, a pause, a bill that is paid late and a cancellation, bills what a table says', async () => {
  const year = new Date().getUTCFullYear() + 1
  const on = (month: number, day: number, hour = 0) =>
    new Date(Date.UTC(year, month - 1, day, hour)).toISOString()
  await advance(on(1, 31))
  const created = await post<SubscriptionWithBill>('/subscriptions', {
    member_id: memberId,
    plan_id: basic.id,
  })
  subscriptionId = created.id
  expect([created.status, created.bill?.total, await planOf()]).toEqual(['incomplete', 30, 'Free'])
  await payAll()
  expect([(await subscription()).status, await planOf()]).toEqual(['active', 'Basic'])

  // 31 January → 28 February → 31 March, in UTC.
  await advance(on(3, 1))
  await payAll()
  // An upgrade in the middle of a period, with its preview. The period is 28 February to 31 March.
  await advance(on(3, 16))
  const preview = await post<{ preview_id: string; amount: number }>(
    `/subscriptions/${subscriptionId}/preview-change`,
    { plan_id: pro.id },
  )
  const changed = await post<SubscriptionWithBill>(`/subscriptions/${subscriptionId}/change`, {
    plan_id: pro.id,
    preview_id: preview.preview_id,
  })
  expect([changed.bill?.total, await planOf()]).toEqual([preview.amount, 'Pro'])
  await payAll()

  await advance(on(4, 1))
  await payAll()
  // A pause of ten days and an hour, less the moment until it began, adds ten days to the period.
  await advance(on(4, 10))
  await post(`/subscriptions/${subscriptionId}/pause`, {})
  expect(await planOf()).toBe('Free')
  await advance(on(4, 20, 1))
  const resumed = await post<Subscription>(`/subscriptions/${subscriptionId}/resume`)
  expect(await planOf()).toBe('Pro')
  expect(resumed.period_end.slice(0, 10)).toBe(on(5, 10).slice(0, 10))

  // Nobody pays the bill of May for 15 days: overdue, and active again once it is paid. Access stays.
  await advance(on(5, 26))
  expect([(await subscription()).status, await planOf()]).toEqual(['past_due', 'Pro'])
  await payAll()
  expect((await subscription()).status).toBe('active')

  await advance(on(6, 20))
  await payAll()
  await post(`/subscriptions/${subscriptionId}/cancel`, { at: 'period_end' })
  await advance(on(12, 31))
  expect([(await subscription()).status, await planOf()]).toEqual(['canceled', 'Free'])

  // Computed by hand. The period from 28 February to 31 March has 31 days; of them 15 are left on 16 March, but for the
  // moment between the clock's move and the request: 30 × 15 / 31 = 14.516…, 60 × 15 / 31 = 29.032…
  //
  //   1  31 Jan – 28 Feb         Basic                         30.00
  //   2  28 Feb – 31 Mar         Basic                         30.00
  //   3  16 Mar – 31 Mar         Basic −14.52, Pro +29.03      14.51
  //   4  31 Mar – 30 Apr         Pro                           60.00   (until 10 May, after ten days of pause)
  //   5  10 May – 10 Jun         Pro                           60.00
  //   6  10 Jun – 10 Jul         Pro                           60.00   (the last one)
  const table = (await bills()).map(({ number, lines, total, status }) => [
    number,
    `${lines[0]?.period_start?.slice(5, 10)} ${lines[0]?.period_end?.slice(5, 10)}`,
    lines.map(({ amount }) => amount),
    total,
    status,
  ])
  expect(table).toEqual([
    [1, '01-31 02-28', [30], 30, 'paid'],
    [2, '02-28 03-31', [30], 30, 'paid'],
    [3, '03-16 03-31', [-14.52, 29.03], 14.51, 'paid'],
    [4, '03-31 04-30', [60], 60, 'paid'],
    [5, '05-10 06-10', [60], 60, 'paid'],
    [6, '06-10 07-10', [60], 60, 'paid'],
  ])
})
