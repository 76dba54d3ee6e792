import { expect, test } from 'vitest'
import {
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Card } from '#testkit/stripe/objects.ts'
import type { Bill } from '../bills/schema.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

interface Made<T> {
  data: T
}

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const post = async <T>(path: string, body?: unknown) => {
  const answer = await env.side.admin.post<Made<T>>(path, body)
  expect([path, answer.status < 300]).toEqual([path, true])
  return answer.body.data
}
const read = async <T>(path: string) => (await env.side.admin.get<Made<T>>(path)).body.data

test('a year by card, with an upgrade, a pause, a card that fails and a cancellation, bills what a table says', async () => {
  const { side, stripe } = env
  const basic = await side.makePlan({ name: 'Basic', rank: 10, price: 30, currency: 'eur' })
  const pro = await side.makePlan({ name: 'Pro', rank: 20, price: 60, currency: 'eur' })
  const member = (await side.makeMember()).id
  const year = new Date().getUTCFullYear() + 1
  const on = (month: number, day: number, hour = 0) =>
    new Date(Date.UTC(year, month - 1, day, hour)).toISOString()
  const until = (month: number, day: number, hour = 0) =>
    post('/test-clock/advance', { to: on(month, day, hour) })
  await until(1, 15)
  const { id, bill } = await post<SubscriptionWithBill>('/subscriptions', {
    member_id: member,
    plan_id: basic.id,
  })
  payWith(stripe, await post<ShownPayment>(`/bills/${bill?.id}/pay`), 'good')
  await until(1, 15, 1)
  const state = async () => {
    const { status, period_end } = await read<Subscription>(`/subscriptions/${id}`)
    const { plan } = await read<{ plan: { name: string } }>(`/members/${member}`)
    return [status, plan.name, period_end.slice(5, 10)]
  }
  expect(await state()).toEqual(['active', 'Basic', '02-15'])
  const useCard = (card: Card) => replaceCard(env, { id }, card)

  // Renewals of February and March, by the card that was saved when the first bill was paid. An upgrade on 1 March,
  // With its preview: it takes effect once its bill is paid.
  await until(3, 1)
  const preview = await post<{ preview_id: string; amount: number }>(`/subscriptions/${id}/preview-change`, {
    plan_id: pro.id,
  })
  await post(`/subscriptions/${id}/change`, { plan_id: pro.id, preview_id: preview.preview_id })
  expect(await state()).toEqual(['active', 'Basic', '03-15'])
  await until(3, 1, 1)
  expect(await state()).toEqual(['active', 'Pro', '03-15'])

  // The card fails from April on: 15 April, and again on 16 and 18 April. On the 19th a new card is saved, which pays at once.
  await until(4, 1)
  await useCard('declined')
  await until(4, 19)
  expect(await state()).toEqual(['past_due', 'Pro', '05-15'])
  await useCard('good')
  expect(await state()).toEqual(['active', 'Pro', '05-15'])

  // A pause of 20 days and an hour, less the moment until it began: the period of 15 April ends on 4 June.
  await until(5, 1)
  await post(`/subscriptions/${id}/pause`, { resume_at: on(5, 21, 1) })
  expect((await state()).slice(0, 2)).toEqual(['paused', 'Free'])
  await until(5, 22)
  expect(await state()).toEqual(['active', 'Pro', '06-04'])

  // A downgrade waits for the end of the period: Basic from 4 August on. The last period ends on 4 November.
  await until(7, 20)
  await post(`/subscriptions/${id}/change`, { plan_id: basic.id })
  expect(await state()).toEqual(['active', 'Pro', '08-04'])
  await until(10, 10)
  expect(await state()).toEqual(['active', 'Basic', '11-04'])
  await post(`/subscriptions/${id}/cancel`, { at: 'period_end' })
  await until(12, 31)
  expect((await state()).slice(0, 2)).toEqual(['canceled', 'Free'])

  // Computed by hand. The period from 15 February to 15 March has 28 days (29 in a leap year); 14 of them are left on
  // 1 March at 00:00, but for the moment between the clock's move and the request:
  // 30 × 14 / 28 = 15.00 and 60 × 14 / 28 = 30.00; in a leap year 14.48 and 28.97.
  //
  //   1  15 Jan – 15 Feb    Basic                          30.00   by its owner
  //   2  15 Feb – 15 Mar    Basic                          30.00
  //   3   1 Mar – 15 Mar    Basic −15.00, Pro +30.00       15.00   the upgrade
  //   4  15 Mar – 15 Apr    Pro                            60.00
  //   5  15 Apr – 15 May    Pro                            60.00   declined on the 15th, 16th and 18th, paid on the 19th
  //   6   4 Jun –  4 Jul    Pro                            60.00   20 days later, after the pause
  //   7   4 Jul –  4 Aug    Pro                            60.00
  //   8   4 Aug –  4 Sep    Basic                          30.00   the downgrade
  //   9   4 Sep –  4 Oct    Basic                          30.00
  //  10   4 Oct –  4 Nov    Basic                          30.00   the last one
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
  const [credit, charge, upgrade] = isLeap ? [-14.48, 28.97, 14.49] : [-15, 30, 15]
  const bills = (await read<Bill[]>(`/bills?member_id=${member}&limit=100`)).toReversed()
  const table = bills.map(({ lines, total, status, payments }) => [
    `${lines[0]?.period_start?.slice(5, 10)} ${lines[0]?.period_end?.slice(5, 10)}`,
    lines.map(({ amount }) => amount),
    total,
    status,
    payments.map((payment) => payment.status),
  ])
  const paid = ['paid', ['succeeded']]
  expect(table).toEqual([
    ['01-15 02-15', [30], 30, ...paid],
    ['02-15 03-15', [30], 30, ...paid],
    ['03-01 03-15', [credit, charge], upgrade, ...paid],
    ['03-15 04-15', [60], 60, ...paid],
    ['04-15 05-15', [60], 60, 'paid', ['failed', 'failed', 'failed', 'succeeded']],
    ['06-04 07-04', [60], 60, ...paid],
    ['07-04 08-04', [60], 60, ...paid],
    ['08-04 09-04', [30], 30, ...paid],
    ['09-04 10-04', [30], 30, ...paid],
    ['10-04 11-04', [30], 30, ...paid],
  ])
  expect(preview.amount).toBe(upgrade)
  // What Stripe took is what the bills say.
  const taken = [...stripe.ledger.intents.values()].filter(({ status }) => status === 'succeeded')
  expect(taken.reduce((sum, { amount }) => sum + amount, 0)).toBe(
    Math.round(bills.reduce((sum, { total }) => sum + total, 0) * 100),
  )
})
