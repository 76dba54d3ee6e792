import { describe, expect, test } from 'vitest'
import {
  advance,
  type PaymentEnvironment,
  payWith,
  type ShownPayment,
  sendNotice,
  WEBHOOK_SECRET,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { POWERLESS_KEY, SECRET_KEY } from '#testkit/stripe/server.ts'
import type { SubscriptionWithBill } from '../subscriptions/schema.ts'
import type { PaymentAccount } from './schema.ts'

interface Made {
  data: PaymentAccount
}
interface Refused {
  code: string
  details?: { field: string; rule: string }[]
}

const RESTRICTED = 'rk_test_51Restricted'
const PUBLISHABLE = 'pk_test_51Guildhall'

let env: PaymentEnvironment
/** Of a project without an account. */
let test_: Side
let live: Side

withPayments(async (opened) => {
  env = opened
  const [project] = await makeProjects(env.api)
  test_ = project.test
  live = project.live
  env.stripe.secretKeys.add(RESTRICTED)
})

const account = (keys: object) => ({ provider: 'stripe', name: 'Cards', ...keys })
const create = (side: Side, keys: object) =>
  side.admin.post<Made & Refused>('/payment-accounts', account(keys))
const faults = ({ status, body }: { status: number; body: Refused }) => [
  status,
  ...(body.details ?? []).map(({ field, rule }) => `${field} ${rule}`),
]
const asked = () => env.stripe.requests.length

test('an account is made without a webhook secret, and takes messages once that is sent', async () => {
  const made = await create(test_, { secrets: { secret_key: SECRET_KEY }, publishable_key: PUBLISHABLE })
  expect(made.status).toBe(201)
  const { id, webhook_url } = made.body.data
  expect(made.body.data).toMatchObject({
    ...{ has_secrets: true, has_webhook_secret: false, publishable_key: PUBLISHABLE },
  })
  expect(webhook_url).toContain(`/payment-accounts/${id}/webhook`)
  const event = { id: 'evt_early', object: 'event', type: 'invoice.paid', data: { object: {} } }
  expect(await sendNotice(env.api, id, event)).toEqual([422, 'WEBHOOK_SECRET_MISSING'])
  const before = asked()
  const patched = await test_.admin.patch<Made>(`/payment-accounts/${id}`, {
    secrets: { webhook_secret: WEBHOOK_SECRET },
  })
  expect(patched.body.data).toMatchObject({
    ...{ has_secrets: true, has_webhook_secret: true, publishable_key: PUBLISHABLE },
  })
  // The secret key is as it was: nothing is asked.
  expect(asked()).toBe(before)
  expect(await sendNotice(env.api, id, event)).toEqual([200, false])
  // And it still charges.
  const plan = await test_.makePlan({ price: 30, currency: 'eur' })
  const member_id = (await test_.makeMember()).id
  const { data } = (
    await test_.admin.post<{ data: SubscriptionWithBill }>('/subscriptions', { member_id, plan_id: plan.id })
  ).body
  const paid = (await test_.admin.post<{ data: ShownPayment }>(`/bills/${data.bill?.id}/pay`)).body.data
  payWith(env.stripe, paid, 'good')
  await advance(test_, { minutes: 2 })
  const { body } = await test_.admin.get<{ data: { status: string } }>(`/subscriptions/${data.id}`)
  expect(body.data.status).toBe('active')
})

test('a browser gets the publishable key beside the client secret, of payments and of cards', async () => {
  const { id } = (await create(test_, { secrets: { secret_key: SECRET_KEY }, publishable_key: PUBLISHABLE }))
    .body.data
  const plan = await test_.makePlan({ price: 30, currency: 'eur' })
  const subscribe = async () => {
    const body = { member_id: (await test_.makeMember()).id, plan_id: plan.id, payment_account_id: id }
    return (await test_.admin.post<{ data: SubscriptionWithBill }>('/subscriptions', body)).body.data
  }
  const made = await subscribe()
  const needed = { client_secret: expect.any(String), publishable_key: PUBLISHABLE }
  const pay = async () => (await test_.admin.post(`/bills/${made.bill?.id}/pay`)).body
  expect(await pay()).toMatchObject({ data: needed })
  const card = await test_.admin.post(`/subscriptions/${made.id}/payment-method`)
  expect(card.body).toMatchObject({ data: needed })
  await test_.admin.patch(`/payment-accounts/${id}`, { publishable_key: null })
  const { data } = (await pay()) as { data: object }
  expect(data).toMatchObject({ client_secret: expect.any(String) })
  expect(data).not.toHaveProperty('publishable_key')
})

describe('a key', () => {
  test.each([
    [
      'a publishable key as the secret one',
      { secrets: { secret_key: PUBLISHABLE } },
      'secrets.secret_key prefix',
    ],
    ['no key at all', { secrets: { secret_key: 'my-own-secret' } }, 'secrets.secret_key prefix'],
    ['a live key', { secrets: { secret_key: 'sk_live_51Guildhall' } }, 'secrets.secret_key environment'],
    ['a restricted live key', { secrets: { secret_key: 'rk_live_51G' } }, 'secrets.secret_key environment'],
    [
      'a webhook address as its secret',
      { secrets: { secret_key: SECRET_KEY, webhook_secret: 'we_1234567' } },
      'secrets.webhook_secret prefix',
    ],
    [
      'a secret key as the publishable one',
      { secrets: { secret_key: SECRET_KEY }, publishable_key: SECRET_KEY },
      'publishable_key prefix',
    ],
    [
      'a live publishable key',
      { secrets: { secret_key: SECRET_KEY }, publishable_key: 'pk_live_51Guildhall' },
      'publishable_key environment',
    ],
  ])('of another kind or side is refused on the test side, unasked: %s', async (_, keys, fault) => {
    const before = asked()
    expect(faults(await create(test_, keys))).toEqual([422, fault])
    expect(asked()).toBe(before)
  })

  test('for tests is refused on the live side; a live key is tried', async () => {
    expect(faults(await create(live, { secrets: { secret_key: SECRET_KEY } }))).toEqual([
      422,
      'secrets.secret_key environment',
    ])
    const key = 'sk_live_51Guildhall'
    env.stripe.secretKeys.add(key)
    expect((await create(live, { secrets: { secret_key: key } })).status).toBe(201)
  })

  test('that Stripe does not know is refused by one call, when the account is made and when it is changed', async () => {
    const unknown = { secrets: { secret_key: 'sk_test_51Unknown' } }
    const before = asked()
    expect(faults(await create(test_, unknown))).toEqual([422, 'secrets.secret_key accepted'])
    expect(asked()).toBe(before + 1)
    const { id } = (await create(test_, { secrets: { secret_key: RESTRICTED } })).body.data
    expect(faults(await test_.admin.patch<Refused>(`/payment-accounts/${id}`, unknown))).toEqual([
      422,
      'secrets.secret_key accepted',
    ])
  })

  test('that is restricted too far is refused, and the message says so', async () => {
    const answer = await create(test_, { secrets: { secret_key: POWERLESS_KEY } })
    expect(faults(answer)).toEqual([422, 'secrets.secret_key permissions'])
  })

  test('is not stored while Stripe cannot be asked: 503, and nothing is made', async () => {
    env.stripe.fault = () => 'lost answer'
    const list = async () =>
      (await test_.admin.get<{ data: unknown[] }>('/payment-accounts?limit=100')).body.data
    const before = (await list()).length
    expect(await create(test_, { secrets: { secret_key: SECRET_KEY } })).toMatchObject({
      status: 503,
      body: { code: 'UNAVAILABLE' },
    })
    expect(await list()).toHaveLength(before)
  })

  test('is none where money is taken by hand', async () => {
    const manual = { provider: 'manual', name: 'By transfer' }
    for (const [keys, field] of [
      [{ publishable_key: PUBLISHABLE }, 'publishable_key none'],
      [{ secrets: { secret_key: SECRET_KEY } }, 'secrets none'],
    ] as const)
      expect(faults(await test_.admin.post<Refused>('/payment-accounts', { ...manual, ...keys }))).toEqual([
        422,
        field,
      ])
  })
})
