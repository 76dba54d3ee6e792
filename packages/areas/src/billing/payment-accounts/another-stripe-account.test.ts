import { expect, test } from 'vitest'
import type { Plan } from '#areas/plans/schema.ts'
import {
  advance,
  makeStripeAccount,
  type PaymentEnvironment,
  payWith,
  replaceCard,
  type ShownPayment,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { StripeLedger } from '#testkit/stripe/ledger.ts'
import type { Bill } from '../bills/schema.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'

/** A key of the same account at Stripe as the one of the tests. */
const ROLLED = 'sk_test_51Rolled'
/** A key of another account, which knows nothing of the first one. */
const OTHERS = 'sk_test_52Other'

let env: PaymentEnvironment
let other: StripeLedger

withPayments((opened) => {
  env = opened
  other = new StripeLedger('other')
  env.stripe.secretKeys.add(ROLLED)
  env.stripe.otherAccounts.set(OTHERS, other)
})

interface World {
  readonly side: Side
  readonly account: string
  readonly plan: Plan
}
/** A project of its own, with an account of Stripe as its default. */
async function begin(plan: object = {}): Promise<World> {
  const side = (await makeProjects(env.api))[0].test
  const account = await makeStripeAccount(side)
  return { side, account, plan: await side.makePlan({ price: 30, currency: 'eur', ...plan }) }
}
const subscribe = async ({ side, plan }: World) => {
  const body = { member_id: (await side.makeMember()).id, plan_id: plan.id }
  return (await side.admin.post<{ data: SubscriptionWithBill }>('/subscriptions', body)).body.data
}
const pay = async ({ side }: World, bill: { id: string } | null | undefined) =>
  (await side.admin.post<{ data: ShownPayment }>(`/bills/${bill?.id}/pay`)).body.data
const pointTo = async ({ side, account }: World, secret_key: string) => {
  const path = `/payment-accounts/${account}`
  const { status, body } = await side.admin.patch<{ code?: string }>(path, { secrets: { secret_key } })
  return [status, body.code]
}
const billsOf = async ({ side }: World, { member_id }: { member_id: string }) =>
  (await side.admin.get<{ data: Bill[] }>(`/bills?member_id=${member_id}`)).body.data
const statusOf = async ({ side }: World, { id }: { id: string }) =>
  (await side.admin.get<{ data: { status: string } }>(`/subscriptions/${id}`)).body.data.status

const REFUSED = [422, 'OTHER_STRIPE_ACCOUNT']

test('a key of another Stripe account is refused where something was paid: cards, open payments and refunds go on with the first', async () => {
  const world = await begin()
  const made = await subscribe(world)
  payWith(env.stripe, await pay(world, made.bill), 'good')
  await advance(world.side, { minutes: 2 })
  const open = await subscribe(world)
  const payment = await pay(world, open.bill)
  expect(await pointTo(world, OTHERS)).toEqual(REFUSED)
  // The payment that is under way is finished, the saved card is charged, and what was paid goes back.
  payWith(env.stripe, payment, 'good')
  await advance(world.side, { days: 32 })
  expect([await statusOf(world, made), await statusOf(world, open)]).toEqual(['active', 'active'])
  const [renewal] = await billsOf(world, made)
  expect([renewal?.reason, renewal?.status]).toEqual(['renewal', 'paid'])
  await world.side.admin.post(`/bills/${renewal?.id}/refund`, { to: 'payment' })
  await advance(world.side, { minutes: 2 })
  expect((await billsOf(world, made))[0]?.refunds[0]?.status).toBe('succeeded')
  expect([...other.intents.values()]).toEqual([])
})

test('neither is one taken where only a card was saved', async () => {
  const world = await begin({ trial_days: 10 })
  const made = await subscribe(world)
  const own = { ...env, side: world.side, accounts: { ...env.accounts, side: world.account } }
  await replaceCard(own, made, 'good')
  expect(await pointTo(world, OTHERS)).toEqual(REFUSED)
  await advance(world.side, { days: 11 })
  expect((await billsOf(world, made))[0]?.status).toBe('paid')
})

test('another key of the same Stripe account is taken, and charges', async () => {
  const world = await begin()
  const made = await subscribe(world)
  payWith(env.stripe, await pay(world, made.bill), 'good')
  await advance(world.side, { minutes: 2 })
  expect(await pointTo(world, ROLLED)).toEqual([200, undefined])
  await advance(world.side, { days: 32 })
  expect((await billsOf(world, made))[0]).toMatchObject({ reason: 'renewal', status: 'paid' })
})

test('where nothing was begun, a key of another Stripe account is taken, and pays there', async () => {
  const world = await begin()
  expect(await pointTo(world, OTHERS)).toEqual([200, undefined])
  const before = other.intents.size
  expect(await pay(world, (await subscribe(world)).bill)).toMatchObject({ status: 'requires_action' })
  expect(other.intents.size).toBe(before + 1)
  // And from then on it stays there.
  expect(await pointTo(world, ROLLED)).toEqual(REFUSED)
})

test('a second payment account moves new subscriptions to another Stripe account, and leaves the others where they are', async () => {
  const world = await begin()
  const old = await subscribe(world)
  payWith(env.stripe, await pay(world, old.bill), 'good')
  await advance(world.side, { minutes: 2 })
  await world.side.admin.post('/payment-accounts', {
    ...{ provider: 'stripe', name: 'New', is_default: true, secrets: { secret_key: OTHERS } },
  })
  const before = other.intents.size
  await pay(world, (await subscribe(world)).bill)
  expect(other.intents.size).toBe(before + 1)
  await advance(world.side, { days: 32 })
  expect((await billsOf(world, old))[0]).toMatchObject({ reason: 'renewal', status: 'paid' })
})
