import { describe, expect, test } from 'vitest'
import { newUuid, toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { leaveUnproven } from '#testkit/areas/money/prove-money.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { reportMoney } from './report.ts'
import { MoneyRows } from './rows.fixture.ts'
import { RULES } from './rules.ts'
import { findBreaches } from './service.ts'

let api: TestApi
let side: Side
let other: Side
let rows: MoneyRows

withOwnApi(
  () => ({}),
  async (opened) => {
    api = opened
    const [one, two] = await makeProjects(api)
    side = one.test
    other = two.test
    leaveUnproven(side)
    rows = new MoneyRows(api, side)
  },
)

const now = new Date().toISOString()

const ofStripe = { currency: 'mga', provider_reference: 'pi_1' }

describe('data that breaks a rule is found:', () => {
  /** Makes something that breaks each rule. @returns its id */
  const BREAKING: Readonly<Record<string, (one: string) => Promise<string>>> = {
    amount_mismatch: (one) => rows.payment(one, 5, { status: 'pending', failure: 'amount_mismatch' }),
    ariary_times_100: (one) => rows.payment(one, 12_345, ofStripe),
    money_without_purpose: (one) => rows.payment(one, 5),
    bill_without_money: async (one) => (await rows.bill(one, 'paid', [5])).id,
    order_without_money: (one) => rows.order(one),
    refunds_of_payment: (one) => rows.payment(one, 5, { refunded_minor: 5 }),
    credit_of_unpaid_time: async (one) => (await rows.bill(one, 'paid', [-5])).id,
    credit_of_dead_bill: async (one) => {
      const { id } = await rows.bill(one, 'uncollectible', [5])
      await rows.entry(one, 'used', -5, { bill_id: id })
      return id
    },
    given_back_of_line: async (one) => {
      const { id, lines } = await rows.paidBill(one, 5)
      await rows.set('bill_lines', lines[0], 'given_back_minor', 4)
      return id
    },
    balance_of_ledger: async (one) => {
      await rows.insert('credit_balances', { member_id: one, currency: 'eur', amount_minor: 5 })
      return one
    },
    mrr_of_subscription: async (one) => {
      const id = await rows.subscription(one)
      await api.owner.query('update mrr_changes set amount_minor = 7 where subscription_id = $1', [id])
      return id
    },
    trial_of_another_plan: (one) => rows.subscription(one, { status: 'trialing' }),
    hidden_plan: async (one) => {
      const id = await rows.subscription(one)
      await api.owner.query(
        `update plans set visibility = 'hidden' where id = (select plan_id from subscriptions where id = $1)`,
        [id],
      )
      const move = { event: 'create', to_status: 'active', actor_kind: 'member', occurred_at: now }
      await rows.insert('subscription_moves', { subscription_id: id, ...move })
      return id
    },
    deleted_member_not_paused: async (one) => {
      const id = await rows.subscription(one)
      await rows.set('members', one, 'deleted_at', now)
      return id
    },
    discount_used_too_often: async (one) => {
      const discount_id = await rows.insert('discounts', {
        ...{
          code: newUuid(),
          percent_milli: 1_000,
          max_uses_per_member: 1,
          created_at: now,
          updated_at: now,
        },
      })
      for (let i = 0; i < 2; i++)
        await rows.order(one, { discount_id, paid_minor: 0, status: 'pending_payment' })
      return discount_id
    },
    passes_overlap: async (one) => {
      for (let i = 0; i < 2; i++)
        await rows.insert('grants', {
          ...{ member_id: one, source_type: 'order_line', source_id: newUuid(), features: ['f'] },
          ...{ created_at: now, starts_at: now, expires_at: new Date(Date.now() + 1_000_000).toISOString() },
        })
      return one
    },
  }

  test.each(RULES.map(({ name }) => name))('%s', async (rule) => {
    const one = await rows.member()
    const id = await BREAKING[rule]?.(one)
    const found = await findBreaches(api.owner, [side.projectId])
    expect(found.filter((each) => each.rule === rule && each.member_id === one)).toMatchObject([{ id }])
    expect(await findBreaches(api.owner, [other.projectId])).toEqual([])
    const { breaches } = await reportMoney(api.owner, [side.projectId])
    const means = RULES.find(({ name }) => name === rule)?.means
    expect(breaches).toContainEqual(
      expect.objectContaining({ rule, means, member_id: toId('member', one), environment: 'test' }),
    )
  })
})

test('payments in ariary are named that Stripe may have taken 100 times; by hand, in whole ariary since, and in other currencies they are not', async () => {
  // In a database from before the first release.
  await api.owner.query(
    "insert into schema_migrations (name, checksum, applied_at) values ('20261123T0111_auditor.sql', '', '2026-06-01')",
  )
  const one = await rows.member()
  const long_ago = { created_at: '2026-01-01T00:00:00Z' }
  const named = [
    await rows.payment(one, 50_000, { ...ofStripe, ...long_ago }),
    await rows.payment(one, 50_001, ofStripe),
  ]
  await rows.payment(one, 50_000, ofStripe)
  await rows.payment(one, 50_000, { currency: 'mga', ...long_ago })
  await rows.payment(one, 50_001, { ...ofStripe, ...long_ago, currency: 'eur' })
  await rows.payment(one, 50_001, { ...ofStripe, ...long_ago, status: 'failed' })
  const found = await findBreaches(api.owner, [side.projectId])
  const mine = found.filter(({ rule, member_id }) => rule === 'ariary_times_100' && member_id === one)
  expect(mine.map(({ id }) => id).toSorted()).toEqual(named.toSorted())
})
