import { describe, expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import { advance } from '#testkit/areas/money/payments.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Bill } from '../bills/schema.ts'
import type { SubscriptionWithBill } from './schema.ts'

interface Made<T> {
  data: T
}

let side: Side
let other: Side
let basic: Plan
let pro: Plan

withProjects(async (_api, one, two) => {
  side = one.test
  other = two.test
  basic = await side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur', trial_days: 0 })
  pro = await side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
})

const post = async <T = SubscriptionWithBill>(path: string, body?: unknown, of = side) => {
  const answer = await of.admin.post<Made<T> & { code: string }>(path, body)
  return { status: answer.status, code: answer.body.code, data: answer.body.data }
}
const active = async () => {
  const member_id = (await side.makeMember()).id
  const { data } = await post('/subscriptions', { member_id, plan_id: basic.id })
  await post(`/bills/${data.bill?.id}/mark-paid`)
  return { ...data, member_id }
}
const refused = async (path: string, body?: unknown, of = side) => {
  const { status, code } = await post(path, body, of)
  return [status, code]
}
const preview = async (id: string) =>
  (
    await post<{ preview_id: string; amount: number }>(`/subscriptions/${id}/preview-change`, {
      plan_id: pro.id,
    })
  ).data
const billsOf = async (member: string) =>
  (await side.admin.get<Made<Bill[]>>(`/bills?member_id=${member}`)).body.data

describe('a subscription', () => {
  test('is one for each member, also when two begin at once', async () => {
    const member_id = (await side.makeMember()).id
    const answers = await Promise.all(
      [1, 2, 3].map(() => post('/subscriptions', { member_id, plan_id: basic.id })),
    )
    expect(answers.map(({ status, code }) => `${status} ${code ?? ''}`).sort()).toEqual([
      '201 ',
      '422 ALREADY_SUBSCRIBED',
      '422 ALREADY_SUBSCRIBED',
    ])
    expect(await billsOf(member_id)).toHaveLength(1)
  })

  test('that is canceled takes no change, pause, resumption or second cancellation', async () => {
    const { id } = await active()
    expect((await post(`/subscriptions/${id}/cancel`, { at: 'now' })).data.status).toBe('canceled')
    const over = [422, 'SUBSCRIPTION_CANCELED']
    expect(await refused(`/subscriptions/${id}/change`, { plan_id: pro.id })).toEqual(over)
    expect(await refused(`/subscriptions/${id}/preview-change`, { plan_id: pro.id })).toEqual(over)
    expect(await refused(`/subscriptions/${id}/pause`, {})).toEqual(over)
    expect(await refused(`/subscriptions/${id}/resume`)).toEqual(over)
    expect(await refused(`/subscriptions/${id}/cancel`, { at: 'now' })).toEqual(over)
  })

  test('of another project is as good as missing, and so are its bills', async () => {
    const { id, bill } = await active()
    const missing = [404, 'NOT_FOUND']
    expect(await refused(`/subscriptions/${id}/cancel`, { at: 'now' }, other)).toEqual(missing)
    expect(await refused(`/subscriptions/${id}/change`, { plan_id: pro.id }, other)).toEqual(missing)
    expect(await refused(`/bills/${bill?.id}/mark-paid`, undefined, other)).toEqual(missing)
  })
})

describe('a change of plan', () => {
  test('that is asked for twice at once happens once, and is billed once', async () => {
    const { id, member_id } = await active()
    const answers = await Promise.all(
      [1, 2, 3].map(() => post(`/subscriptions/${id}/change`, { plan_id: pro.id, when: 'now' })),
    )
    expect(answers.map(({ status, code }) => `${status} ${code ?? ''}`).sort()).toEqual([
      '200 ',
      '422 SAME_PLAN',
      '422 SAME_PLAN',
    ])
    expect(await billsOf(member_id)).toHaveLength(2)
  })

  test('charges exactly what its preview showed, or is refused', async () => {
    const [mine, another] = [await active(), await active()]
    const { preview_id, amount } = await preview(mine.id)
    const changed = { plan_id: pro.id, preview_id }
    const expired = [422, 'PREVIEW_EXPIRED']
    expect(await refused(`/subscriptions/${another.id}/change`, changed)).toEqual(expired)
    expect(await refused(`/subscriptions/${mine.id}/change`, { ...changed, plan_id: basic.id })).toEqual(
      expired,
    )
    expect(await refused(`/subscriptions/${mine.id}/change`, { ...changed, when: 'period_end' })).toEqual(
      expired,
    )
    expect(await refused(`/subscriptions/${mine.id}/change`, { ...changed, preview_id: 'prev_x' })).toEqual(
      expired,
    )
    await advance(side, { minutes: 10 })
    const { data } = await post(`/subscriptions/${mine.id}/change`, changed)
    expect([data.plan_id, data.bill?.total]).toEqual([pro.id, amount])
    expect(data.bill?.lines.reduce((sum, line) => sum + Math.round(line.amount * 100), 0)).toBe(
      Math.round(amount * 100),
    )
    expect(await refused(`/subscriptions/${mine.id}/change`, changed)).toEqual(expired)
  })

  test('with a preview that is older than 15 minutes, or from before another move, is refused', async () => {
    const { id } = await active()
    const old = await preview(id)
    await advance(side, { minutes: 16 })
    const expired = [422, 'PREVIEW_EXPIRED']
    const change = (preview_id: string) =>
      refused(`/subscriptions/${id}/change`, { plan_id: pro.id, preview_id })
    expect(await change(old.preview_id)).toEqual(expired)
    const { preview_id } = await preview(id)
    await post(`/subscriptions/${id}/cancel`, { at: 'period_end' })
    await post(`/subscriptions/${id}/resume`)
    expect(await change(preview_id)).toEqual(expired)
  })

  test('down now credits what is left of the dearer plan at its own price, and the next bill uses it', async () => {
    const { id, member_id } = await active()
    const upgrade = await post(`/subscriptions/${id}/change`, { plan_id: pro.id })
    await post(`/bills/${upgrade.data.bill?.id}/mark-paid`)
    const { data } = await post(`/subscriptions/${id}/change`, { plan_id: basic.id, when: 'now' })
    const [first, second, third] = data.bill?.lines ?? []
    // Within a few seconds of a month nothing is used up but a cent at the most.
    expect(Math.abs((first?.amount ?? 0) + 60)).toBeLessThan(0.02)
    expect(Math.abs((second?.amount ?? 0) - 30)).toBeLessThan(0.02)
    expect([third?.kind, data.bill?.total]).toEqual(['credit', 0])
    await advance(side, { days: 32 })
    const [renewal] = await billsOf(member_id)
    expect(renewal?.total).toBe(Math.max(0, Math.round((30 - (third?.amount ?? 0)) * 100) / 100))
  })
})
