import { describe, expect, test } from 'vitest'
import type { SubscriptionWithBill } from '#areas/billing/subscriptions/schema.ts'
import type { Plan } from '#areas/plans/schema.ts'
import { type MadeMail, mailsTo } from '#testkit/areas/money/mails.ts'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { updateBillingSettings } from '../settings/queries.ts'
import type { BillingSettingsChanges } from '../settings/settings.ts'

interface Made<T> {
  data: T
}

const INSTRUCTIONS = 'Account DE02, reference: your bill'
const PAGE = 'https://example.com/account'

let env: PaymentEnvironment
/** Sides that take money by card, and by hand. */
let card: Side
let hand: Side

withPayments(async (opened) => {
  env = opened
  card = env.side
  const [{ test: side }] = await makeProjects(env.api)
  hand = side
  await hand.admin.post('/payment-accounts', {
    provider: 'manual',
    name: 'Bank',
    settings: { instructions: INSTRUCTIONS },
  })
  for (const each of [card, hand]) await set(each, { billingUrl: PAGE, renewalNoticeDays: 0 })
})

const set = (side: Side, changes: BillingSettingsChanges) =>
  side.write((ctx) => updateBillingSettings(ctx, changes))
const post = async <T = SubscriptionWithBill>(side: Side, path: string, body?: unknown) => {
  const answer = await side.admin.post<Made<T>>(path, body)
  expect([path, answer.status < 300 ? '' : answer.body]).toEqual([path, ''])
  return answer.body.data
}
const subscribe = async (side: Side, plan: Plan) => {
  const member_id = (await side.makeMember()).id
  return post(side, '/subscriptions', { member_id, plan_id: plan.id })
}
/** A subscription by card, whose first bill is paid. */
async function subscribeByCard(plan: Plan) {
  const made = await subscribe(card, plan)
  payWith(env.stripe, await post<ShownPayment>(card, `/bills/${made.bill?.id}/pay`), 'good')
  await advance(card, { minutes: 2 })
  return made
}
/** The day of a moment, so many days later. */
const day = (at: string, later = 0) =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(at) + later * 86_400_000,
  )
const templates = (mails: readonly MadeMail[]) =>
  mails.map(({ template }) => template.replace('subscription_', ''))
const last = (mails: readonly MadeMail[]) => mails.at(-1)?.text ?? ''

describe('by card', () => {
  test('a receipt has the lines and the total of its bill, and says that it is no invoice', async () => {
    const plan = await card.makePlan({ name: 'Gold', price: 9.9, currency: 'eur' })
    const { member_id, period_start, period_end } = await subscribeByCard(plan)
    const [mail, ...more] = await mailsTo(env.api, card, member_id)
    expect(more).toEqual([])
    expect(mail?.template).toBe('subscription_receipt')
    expect(mail?.text).toContain(`Gold, ${day(period_start)} – ${day(period_end)}: €9.90\n\nTotal: €9.90`)
    expect(mail?.text).toContain('This is a receipt. It is not an invoice.')
  })

  test('a charge that failed names its bill, when it is tried again and where to pay, and the end says why', async () => {
    const plan = await card.makePlan({ name: 'Silver', price: 25, currency: 'eur' })
    const { id, member_id, period_end } = await subscribeByCard(plan)
    await replaceCard(env, { id }, 'declined')
    await post(card, '/test-clock/advance', {
      to: new Date(Date.parse(period_end) + 7_200_000).toISOString(),
    })
    const bill = (
      await card.admin.get<Made<{ id: string; number: number }[]>>(`/bills?member_id=${member_id}`)
    ).body.data[0]
    // What happens until the mail is made changes nothing of it.
    await card.admin.patch(`/plans/${plan.id}`, { name: 'Other', price: 99 })
    await post(card, `/subscriptions/${id}/cancel`, { at: 'period_end' })
    const failed = last(await mailsTo(env.api, card, member_id))
    expect(failed).toContain(`We could not charge €25.00 for Silver (bill ${bill?.number}).`)
    expect(failed).toContain(`We will try again on ${day(period_end, 1)}.`)
    expect(failed).toContain(`Pay now:\n${PAGE}?bill_id=${bill?.id}`)
    await advance(card, { days: 10 })
    const mails = await mailsTo(env.api, card, member_id)
    expect(templates(mails)).toEqual(['receipt', ...Array(4).fill('payment_failed'), 'canceled'])
    expect(last(mails)).toContain(`Bill ${bill?.number} over €25.00 for Silver was not paid`)
  })
})

describe('by hand', () => {
  test('a bill that is due, that is overdue, and that ended the subscription: no charge is mentioned', async () => {
    const plan = await hand.makePlan({ name: 'Gold', price: 1000, currency: 'jpy' })
    const { bill, member_id, period_start, period_end } = await subscribe(hand, plan)
    const first = last(await mailsTo(env.api, hand, member_id))
    expect(first).toContain(`Your bill ${bill?.number} for Gold is due on ${day(period_start)}.`)
    expect(first).toContain(
      `Gold, ${day(period_start)} – ${day(period_end)}: ¥1,000\n\nTotal: ¥1,000\n\n${INSTRUCTIONS}`,
    )
    expect(first).toContain(`Pay now:\n${PAGE}?bill_id=${bill?.id}`)
    await post(hand, `/bills/${bill?.id}/mark-paid`)
    await advance(hand, { days: 70 })
    const mails = await mailsTo(env.api, hand, member_id)
    expect(templates(mails)).toEqual(['bill_due', 'receipt', 'bill_due', 'bill_overdue', 'canceled'])
    const overdue = mails[3]?.text ?? ''
    expect(overdue).toContain(`over ¥1,000 for Gold was due on ${day(period_end)}`)
    expect(overdue).toContain(`If the bill is not paid by ${day(period_end, 21)}, your subscription ends.`)
    expect(overdue).toContain(INSTRUCTIONS)
    expect(overdue).toContain('?bill_id=bill_')
    for (const { text } of mails) expect(text).not.toMatch(/charge|payment method/i)
  })

  test('a project without an account and without a page for payments says what is due, and no more', async () => {
    const [{ test: side }] = await makeProjects(env.api)
    const plan = await side.makePlan({ name: 'Gold', price: 1.234, currency: 'kwd' })
    const { bill, member_id } = await subscribe(side, plan)
    const [mail] = await mailsTo(env.api, side, member_id)
    expect(mail?.text.endsWith('Total: KWD\u00a01.234\n')).toBe(true)
    await post(side, `/bills/${bill?.id}/mark-paid`)
    expect(templates(await mailsTo(env.api, side, member_id))).toEqual(['bill_due', 'receipt'])
  })

  test('a bill that a cancellation reduces is mailed once, with what is left of it, and not asked for again', async () => {
    const plan = await hand.makePlan({ name: 'Bronze', price: 30, currency: 'eur' })
    const { id, bill, member_id, period_start, period_end } = await subscribe(hand, plan)
    await post(hand, `/bills/${bill?.id}/mark-paid`)
    const length = Math.round((Date.parse(period_end) - Date.parse(period_start)) / 86_400_000)
    await advance(hand, { days: length + 5 })
    await post(hand, `/subscriptions/${id}/cancel`, { at: 'now' })
    const { body } = await hand.admin.get<Made<{ id: string; total: number }[]>>(
      `/bills?member_id=${member_id}`,
    )
    const [reduced] = body.data
    await advance(hand, { days: 30 })
    const mails = await mailsTo(env.api, hand, member_id)
    expect(templates(mails)).toEqual(['bill_due', 'receipt', 'bill_due', 'bill_reduced'])
    expect(reduced?.total).toBeLessThan(6)
    expect(last(mails)).toContain(`Total: €${reduced?.total.toFixed(2)}`)
    expect(last(mails)).toContain(`?bill_id=${reduced?.id}`)
  })

  test('a bill of nothing is neither asked for nor receipted', async () => {
    const plan = await hand.makePlan({ name: 'Gift', price: 0, currency: 'eur', interval: 'month' })
    const { member_id } = await subscribe(hand, plan)
    await advance(hand, { days: 40 })
    expect(await mailsTo(env.api, hand, member_id)).toEqual([])
  })
})

describe('a trial that ends', () => {
  test('names the plan and price that follow, as they were when the mail was asked for, and links the page where members cancel', async () => {
    const trial = { trial_days: 14, rank: 20, currency: 'eur' }
    const gold = await hand.makePlan({ ...trial, name: 'Trial', price: 30 })
    const silver = await hand.makePlan({ name: 'Silver', price: 25, currency: 'eur', interval_count: 3 })
    const other = await hand.makePlan({ name: 'Other', price: 5, currency: 'eur' })
    const { id, member_id, trial_end } = await subscribe(hand, gold)
    await post(hand, `/subscriptions/${id}/change`, { plan_id: silver.id, when: 'period_end' })
    await advance(hand, { days: 12 })
    await post(hand, `/subscriptions/${id}/change`, { plan_id: other.id, when: 'period_end' })
    await advance(hand, { days: 5 })
    const mail = (await mailsTo(env.api, hand, member_id)).find(
      ({ template }) => template === 'subscription_trial_ending',
    )
    expect(mail?.text).toContain(
      `Your trial of Trial ends on ${day(trial_end ?? '')}. After that, Silver costs €25.00 every 3 months.`,
    )
    expect(mail?.text).not.toMatch(/each period|Other/)
    expect(mail?.text).toContain(PAGE)
  })

  test('says nothing where the member has canceled it', async () => {
    const plan = await hand.makePlan({ trial_days: 14, price: 30, currency: 'eur' })
    const { id, member_id } = await subscribe(hand, plan)
    await post(hand, `/subscriptions/${id}/cancel`, { at: 'period_end' })
    await advance(hand, { days: 30 })
    expect(await mailsTo(env.api, hand, member_id)).toEqual([])
  })
})

describe('the notice of a renewal', () => {
  const notices = async (side: Side, member: string) =>
    (await mailsTo(env.api, side, member)).filter(
      ({ template }) => template === 'subscription_renewal_notice',
    )

  test('comes once for each renewal, as many days before as the project says, with the price that follows', async () => {
    const [{ test: side }] = await makeProjects(env.api)
    await set(side, { billingUrl: PAGE })
    const plan = await side.makePlan({ name: 'Gold', price: 30, currency: 'eur', rank: 20 })
    const low = await side.makePlan({ name: 'Silver', price: 10, currency: 'eur', rank: 10 })
    const { id, bill, member_id, period_end } = await subscribe(side, plan)
    await post(side, `/bills/${bill?.id}/mark-paid`)
    const until = (days: number) =>
      post(side, '/test-clock/advance', {
        to: new Date(Date.parse(period_end) + days * 86_400_000).toISOString(),
      })
    await until(-7.1)
    expect(await notices(side, member_id)).toEqual([])
    await until(-7)
    await until(-2)
    const [mail, ...more] = await notices(side, member_id)
    expect(more).toEqual([])
    expect(mail?.text).toContain(
      `Your subscription to Gold renews on ${day(period_end)}. Gold costs €30.00 a month.`,
    )
    expect(mail?.text).toContain(`See your subscription:\n${PAGE}\n`)
    // The next one follows a shorter notice at once, and names the plan that follows.
    await until(1)
    await side.admin.post(`/bills/${(await billsOf(side, member_id))[0]?.id}/mark-paid`)
    await post(side, `/subscriptions/${id}/change`, { plan_id: low.id })
    await set(side, { renewalNoticeDays: 3 })
    await until(22)
    expect(await notices(side, member_id)).toHaveLength(1)
    await until(29)
    const all = await notices(side, member_id)
    expect(all).toHaveLength(2)
    expect(last(all)).toContain('Silver costs €10.00 a month.')
  })

  test('goes to nobody whose subscription ends, costs nothing or is paused, nor where the project wants none', async () => {
    const [{ test: side }, { test: quiet }] = await makeProjects(env.api)
    await set(quiet, { renewalNoticeDays: 0 })
    const paid = await side.makePlan({ price: 30, currency: 'eur' })
    const free = await side.makePlan({ price: 0, currency: 'eur', interval: 'month' })
    const ending = await subscribe(side, paid)
    const gratis = await subscribe(side, free)
    const resting = await subscribe(side, paid)
    const unasked = await subscribe(quiet, await quiet.makePlan({ price: 30, currency: 'eur' }))
    for (const { bill } of [ending, resting]) await post(side, `/bills/${bill?.id}/mark-paid`)
    await post(quiet, `/bills/${unasked.bill?.id}/mark-paid`)
    await post(side, `/subscriptions/${ending.id}/cancel`, { at: 'period_end' })
    await post(side, `/subscriptions/${resting.id}/pause`, {})
    await advance(side, { days: 27 })
    await advance(quiet, { days: 27 })
    for (const { member_id } of [ending, gratis, resting]) expect(await notices(side, member_id)).toEqual([])
    expect(await notices(quiet, unasked.member_id)).toEqual([])
    // After the pause the renewal is later, and is announced with its new date.
    await post(side, `/subscriptions/${resting.id}/resume`)
    const { period_end } = (
      await side.admin.get<Made<{ period_end: string }>>(`/subscriptions/${resting.id}`)
    ).body.data
    await advance(side, { days: 27 })
    expect(last(await notices(side, resting.member_id))).toContain(`renews on ${day(period_end)}`)
  })

  const billsOf = async (side: Side, member: string) =>
    (await side.admin.get<Made<{ id: string }[]>>(`/bills?member_id=${member}`)).body.data
})

test('a deleted member gets no mail', async () => {
  const plan = await hand.makePlan({ price: 30, currency: 'eur' })
  const { member_id } = await subscribe(hand, plan)
  const { email } = (await hand.admin.get<Made<{ email: string }>>(`/members/${member_id}`)).body.data
  await hand.admin.delete(`/members/${member_id}`)
  await mailsTo(env.api, hand, (await hand.makeMember()).id)
  const { rowCount } = await env.api.owner.query('select from mails where to_address = $1', [email])
  expect(rowCount).toBe(0)
})
