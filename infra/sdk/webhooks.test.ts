import { expect, test } from 'vitest'
import { makeSecret, makeSigner, verificationKey } from '#areas/webhooks/endpoints/signing.ts'
import { verifyWebhook, WebhookError } from '../../packages/sdk/src/guildhall.ts'

const NOW = 1_795_251_600_000
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'member.deleted',
  timestamp: '2026-11-21T09:00:00.000Z',
  data: { id: 'mem_1' },
})

const secret = makeSecret('hmac')

const headersOf = (signatures: string, seconds = NOW / 1000) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': signatures,
})
const signed = (by: string, seconds = NOW / 1000) =>
  headersOf(makeSigner(by)(`evt_1.${seconds}.${BODY}`), seconds)

const faultOf = async (promise: Promise<unknown>): Promise<WebhookError> => {
  const error = await promise.then(
    () => new Error('it was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof WebhookError)) throw error
  return error
}

test('a message of the API is accepted in text and in bytes, with headers of every kind, by both kinds of signatures', async () => {
  const bytes = new TextEncoder().encode(BODY)
  for (const body of [BODY, bytes, Buffer.from(BODY), bytes.buffer])
    expect((await verifyWebhook(body, signed(secret), secret, { now: NOW })).type).toBe('member.deleted')
  expect(await verifyWebhook(BODY, new Headers(signed(secret)), secret, { now: NOW })).toEqual(
    JSON.parse(BODY),
  )
  const upper = Object.fromEntries(
    Object.entries(signed(secret)).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  expect(await verifyWebhook(BODY, upper, secret, { now: NOW })).toEqual(JSON.parse(BODY))
  const ed25519 = makeSecret('ed25519')
  const event = await verifyWebhook(BODY, signed(ed25519), verificationKey(ed25519), { now: NOW })
  expect(event).toEqual(JSON.parse(BODY))
})

test('while a secret is replaced, the old and the new one are accepted, and signatures of both', async () => {
  const next = makeSecret('hmac')
  for (const by of [secret, next])
    await expect(verifyWebhook(BODY, signed(by), [secret, next], { now: NOW })).resolves.toBeDefined()
  const both = `${signed(next)['webhook-signature']} ${signed(secret)['webhook-signature']}`
  await expect(verifyWebhook(BODY, headersOf(both), secret, { now: NOW })).resolves.toBeDefined()
})

test('what was changed, is of another endpoint, is too old or from the future is refused, with the cause', async () => {
  const changed = BODY.replace('mem_1', 'mem_2')
  expect((await faultOf(verifyWebhook(changed, signed(secret), secret, { now: NOW }))).code).toBe(
    'WRONG_SIGNATURE',
  )
  const other = verifyWebhook(BODY, signed(secret), makeSecret('hmac'), { now: NOW })
  expect((await faultOf(other)).code).toBe('WRONG_SIGNATURE')
  const hour = 3_600_000
  const late = await faultOf(verifyWebhook(BODY, signed(secret), secret, { now: NOW + hour }))
  expect(late).toMatchObject({ code: 'WRONG_TIME', message: expect.stringContaining('3600 seconds ago') })
  const early = await faultOf(verifyWebhook(BODY, signed(secret), secret, { now: NOW - hour }))
  expect(early).toMatchObject({ code: 'WRONG_TIME', message: expect.stringContaining('the clock is slow') })
  const tolerant = verifyWebhook(BODY, signed(secret), secret, { now: NOW + hour, tolerance: 4000 })
  await expect(tolerant).resolves.toBeDefined()
})

test('a body that a framework has parsed is refused with a sentence that says what to do', async () => {
  const parsed = JSON.parse(BODY) as string
  const fault = await faultOf(verifyWebhook(parsed, signed(secret), secret, { now: NOW }))
  expect(fault.code).toBe('PARSED_BODY')
  expect(fault.message).toContain('express.raw')
})

test('a secret that is none, a lacking header and a signature of rubbish are told apart', async () => {
  for (const wrong of ['', 'secret', 'whsec_%%%', 'whpk_AAAA', 'svc_sk_live_1'])
    expect((await faultOf(verifyWebhook(BODY, signed(secret), wrong, { now: NOW }))).code).toBe(
      'WRONG_SECRET',
    )
  const { 'webhook-id': _, ...lacking } = signed(secret)
  expect((await faultOf(verifyWebhook(BODY, lacking, secret, { now: NOW }))).code).toBe('MISSING_HEADER')
  for (const rubbish of ['v1', 'v1,%%%', 'v2,AAAA', 'v1a,AAAA', ','])
    expect((await faultOf(verifyWebhook(BODY, headersOf(rubbish), secret, { now: NOW }))).code).toBe(
      'WRONG_SIGNATURE',
    )
})
