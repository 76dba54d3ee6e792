import { expect, test } from 'vitest'
import { updateBillingSettings } from '#areas/billing/settings/queries.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Side } from '#testkit/factories.ts'
import type { Subscription, SubscriptionWithBill } from './schema.ts'

interface Made<T> {
  data: T
}

let env: PaymentEnvironment
let side: Side

withPayments((opened) => {
  env = opened
  side = env.side
})

const post = async <T = SubscriptionWithBill>(path: string, body?: unknown) => {
  const answer = await side.admin.post<Made<T>>(path, body)
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, ''])
  return answer.body.data
}

test('renewals, overdue bills and pauses are announced by events of their own, beside that of every change', async () => {
  await side.write((ctx) => updateBillingSettings(ctx, { retryDays: [1, 20] }))
  const plan = await side.makePlan({ price: 30, currency: 'eur' })
  const made = await post('/subscriptions', { member_id: (await side.makeMember()).id, plan_id: plan.id })
  const { id } = made
  let seen = 0
  /** The events of the subscription since the last look, with the status that each tells. */
  const announced = async () => {
    const { rows } = await env.api.owner.query<{ type: string; payload: Subscription }>(
      `select type, payload from events where project_id = $1 and type like 'subscription.%' and payload->>'id' = $2
       order by id`,
      [side.projectId, id],
    )
    const since = rows.slice(seen)
    seen = rows.length
    return since.map(({ type, payload }) => [type.replace('subscription.', ''), payload.status]).sort()
  }
  payWith(env.stripe, await post<ShownPayment>(`/bills/${made.bill?.id}/pay`), 'good')
  await advance(side, { minutes: 2 })
  expect(await announced()).toEqual([
    ['created', 'incomplete'],
    ['updated', 'active'],
  ])
  await post(`/subscriptions/${id}/pause`, {})
  await post(`/subscriptions/${id}/resume`)
  expect(await announced()).toEqual([
    ['paused', 'paused'],
    ['resumed', 'active'],
    ['updated', 'active'],
    ['updated', 'paused'],
  ])
  await replaceCard(env, { id }, 'declined')
  await advance(side, { days: 32 })
  const changes = await announced()
  expect(changes.filter(([type]) => type !== 'updated')).toEqual([
    ['past_due', 'past_due'],
    ['renewed', 'active'],
  ])
  // A second failure is no second beginning.
  await advance(side, { days: 2 })
  expect((await announced()).filter(([type]) => type !== 'updated')).toEqual([])
  await advance(side, { days: 40 })
  expect((await announced()).filter(([type]) => type !== 'updated')).toEqual([['canceled', 'canceled']])
})
