import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { newUuid, toId } from '#platform/ids.ts'
import {
  makeStripeAccount,
  type PaymentEnvironment,
  WEBHOOK_SECRET,
  withPayments,
} from '#testkit/areas/money/payments.ts'
import { signNotice } from '#testkit/stripe/server.ts'
import { accountId } from '../ids.ts'

/** Wrong messages that an address may send in a minute. */
const MOST = 60

let env: PaymentEnvironment
let notices = 0

withPayments((opened) => {
  env = opened
})
afterEach(() => vi.restoreAllMocks())

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | undefined
  readonly error: string | undefined
}

/** Sends a message about nothing of ours. */
const send = async (account: string, from: string, secret: string): Promise<Answer> => {
  notices += 1
  const event = { id: `evt_${notices}`, object: 'event', type: 'invoice.paid', data: { object: {} } }
  return post(account, from, signNotice(event, secret))
}
const post = async (account: string, from: string, request: object): Promise<Answer> => {
  const { status, body, headers } = await env.api.send<{ code?: string; error?: string }>(
    'POST',
    `/api/v1/payment-accounts/${account}/webhook`,
    { from, ...request },
  )
  return {
    status,
    code: body?.code,
    error: body?.error,
    retryAfter: headers['retry-after'] as string | undefined,
  }
}
const good = (account: string, from: string) => send(account, from, WEBHOOK_SECRET)
const forged = (account: string, from: string) => send(account, from, 'whsec_forged')
const times = (count: number, work: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const statuses = (answers: Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  )
/** How often the project of an account was looked up. */
const countLookUps = () => {
  const asked = vi.spyOn(pg.Pool.prototype, 'query')
  return () => asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('payment_accounts')).length
}

test('forged messages from one address are refused unseen after sixty in a minute, however many come at once', async () => {
  const lookUps = countLookUps()
  const answers = await times(125, () => forged(env.accounts.side, '203.0.113.1'))
  expect(statuses(answers)).toEqual({ 422: MOST, 429: 125 - MOST })
  expect(lookUps()).toBe(MOST)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused).toMatchObject({ code: 'RATE_LIMITED', retryAfter: expect.stringMatching(/^[0-9]+$/) })
  expect(refused?.error).toContain('messages with a wrong signature or account')
  expect((await good(env.accounts.side, '203.0.113.2')).status).toBe(200)
})

test('messages for accounts that do not exist count, and so do ids that are none', async () => {
  const nowhere = (n: number) => (n % 2 ? toId(accountId, newUuid()) : 'pacc_x')
  const answers = await times(MOST + 5, (n) => forged(nowhere(n), '203.0.113.3'))
  expect(statuses(answers)).toEqual({ 404: MOST, 429: 5 })
})

test('good messages do not count, however many there are', async () => {
  for (let i = 0; i < 3; i++)
    expect(statuses(await times(MOST - 10, () => good(env.accounts.side, '203.0.113.4')))).toEqual({
      200: MOST - 10,
    })
  expect(await forged(env.accounts.side, '203.0.113.4')).toMatchObject({
    status: 422,
    code: 'INVALID_SIGNATURE',
  })
})

test('a wrong secret of one account keeps no messages of another account away, which come from the same address', async () => {
  // Stripe sends everybody's messages from the same addresses.
  const stripe = '203.0.113.5'
  expect((await good(env.accounts.other, stripe)).status).toBe(200)
  const wrong = await makeStripeAccount(env.side, 'whsec_of_another_endpoint')
  expect(statuses(await times(MOST + 20, () => good(wrong, stripe)))).toEqual({ 422: MOST, 429: 20 })
  expect(statuses(await times(20, () => good(env.accounts.other, stripe)))).toEqual({ 200: 20 })
})

test('a good message does not let in forged ones of the same account', async () => {
  const from = '203.0.113.6'
  expect((await good(env.accounts.side, from)).status).toBe(200)
  const answers: Answer[] = []
  for (let i = 0; i < MOST + 5; i++) answers.push(await forged(env.accounts.side, from))
  expect(statuses(answers)).toEqual({ 422: MOST, 429: 5 })
})

test('a message is at most 256 KiB', async () => {
  const headers = { 'stripe-signature': 't=1,v1=00' }
  const raw = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes - 11) })
  const { status, code } = await post(env.accounts.side, '203.0.113.7', { raw: raw(256 * 1024), headers })
  expect([status, code]).toEqual([422, 'INVALID_SIGNATURE'])
  const larger = await post(env.accounts.side, '203.0.113.7', { raw: raw(256 * 1024 + 1), headers })
  expect([larger.status, larger.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})
