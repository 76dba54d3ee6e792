import { expect, test } from 'vitest'
import type { Subscription, SubscriptionWithBill } from '#areas/billing/subscriptions/schema.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import type { Side } from '#testkit/factories.ts'
import { findBillingSettings, updateBillingSettings } from './queries.ts'
import { type BillingSettingsChanges, DEFAULT_SETTINGS } from './settings.ts'

let env: PaymentEnvironment

withPayments((opened) => {
  env = opened
})

const change = (side: Side, changes: BillingSettingsChanges) =>
  side.write((ctx) => updateBillingSettings(ctx, changes))
const settingsOf = async (side: Side) => (await side.read({ set: findBillingSettings() })).set

test('a project that has set nothing bills by the defaults, and changes what is named alone', async () => {
  const { other } = env
  expect(await settingsOf(other)).toEqual(DEFAULT_SETTINGS)
  const billingUrl = 'https://example.com/account?tab=bills'
  expect(await change(other, { billingUrl })).toEqual({ ...DEFAULT_SETTINGS, billing_url: billingUrl })
  const rest = { renewalNoticeDays: 0, retryDays: [2, 9], memberMay: [], onLostDispute: 'keep' }
  const set = {
    billing_url: billingUrl,
    renewal_notice_days: 0,
    retry_days: [2, 9],
    member_may: [],
    on_lost_dispute: 'keep',
  }
  expect(await change(other, rest)).toEqual(set)
  expect(await change(other, {})).toEqual(set)
  expect(await change(other, { billingUrl: '' })).toEqual({ ...set, billing_url: null })
  expect(await settingsOf(other)).toEqual({ ...set, billing_url: null })
  expect(await settingsOf(env.side)).toEqual(DEFAULT_SETTINGS)
})

test('settings that do not fit are refused all at once, each by its field', async () => {
  const before = await settingsOf(env.other)
  const wrong: [BillingSettingsChanges, string[]][] = [
    [{ billingUrl: 'javascript:alert(1)' }, ['billing_url']],
    [{ billingUrl: `https://example.com/${'x'.repeat(2000)}` }, ['billing_url']],
    [{ renewalNoticeDays: -1 }, ['renewal_notice_days']],
    [{ renewalNoticeDays: 61 }, ['renewal_notice_days']],
    [{ renewalNoticeDays: 1.5 }, ['renewal_notice_days']],
    [{ retryDays: [] }, ['retry_days']],
    [{ retryDays: Array.from({ length: 11 }, (_, i) => i + 1) }, ['retry_days']],
    [{ retryDays: [0, 29, 3, 3] }, ['retry_days[0]', 'retry_days[1]', 'retry_days[2]', 'retry_days[3]']],
    [{ memberMay: ['subscribe', 'refund', 'subscribe'] }, ['member_may[1]', 'member_may[2]']],
    [{ onLostDispute: 'forget', retryDays: [1.5] }, ['retry_days[0]', 'on_lost_dispute']],
  ]
  for (const [changes, fields] of wrong)
    await expect(change(env.other, changes)).rejects.toMatchObject({
      status: 422,
      details: fields.map((field) => ({ field })),
    })
  expect(await settingsOf(env.other)).toEqual(before)
})

test('a renewal is tried again on the days that the project has set, and then given up', async () => {
  const { side, stripe } = env
  await change(side, { retryDays: [2, 4] })
  const post = async <T>(path: string, body?: unknown) =>
    (await side.admin.post<{ data: T }>(path, body)).body.data
  const plan = await side.makePlan({ price: 30, currency: 'eur' })
  const member = (await side.makeMember()).id
  const { id, bill, period_end } = await post<SubscriptionWithBill>('/subscriptions', {
    member_id: member,
    plan_id: plan.id,
  })
  payWith(stripe, await post<ShownPayment>(`/bills/${bill?.id}/pay`), 'good')
  await advance(side, { minutes: 2 })
  await replaceCard(env, { id }, 'declined')
  const renewal = Date.parse(period_end)
  /** The state some days after the renewal, and how often it was charged. */
  const after = async (days: number) => {
    await post('/test-clock/advance', { to: new Date(renewal + days * 86_400_000 + 3_600_000).toISOString() })
    const { status } = (await side.admin.get<{ data: Subscription }>(`/subscriptions/${id}`)).body.data
    const bills = await side.admin.get<{ data: { payments: unknown[] }[] }>(`/bills?member_id=${member}`)
    return [status, bills.body.data[0]?.payments.length]
  }
  expect(await after(0)).toEqual(['past_due', 1])
  expect(await after(1)).toEqual(['past_due', 1])
  expect(await after(2)).toEqual(['past_due', 2])
  expect(await after(3)).toEqual(['past_due', 2])
  expect(await after(4)).toEqual(['canceled', 3])
})
