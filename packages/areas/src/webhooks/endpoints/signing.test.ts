import { createPublicKey, verify } from 'node:crypto'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import { makeMessage, type Sendable } from '../attempts/message.ts'
import { makeSecret, makeSigner, verificationKey } from './signing.ts'

const event: Sendable = {
  eventId: '0193c4d2-4000-7000-8000-000000000001',
  eventType: 'member.created',
  occurredAt: '2026-11-21T09:00:00.000Z',
  payload: '{"id":"mem_01jcq3k8f7e8qtk4m3hbw7rn2d","full_name":"Zoë 🦉"}',
}

const send = (secrets: readonly string[], options: object = {}) =>
  makeMessage(
    event,
    { payload: 'full', signers: secrets.map(makeSigner), headers: {}, ...options },
    Date.now(),
  )

/** Verifies a `v1a` signature as Standard Webhooks 1.0.0 words it, with nothing of ours. */
function isSignedBy(publicKey: string, { headers, body }: ReturnType<typeof send>): boolean {
  expect(publicKey).toMatch(/^whpk_/)
  const spki = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(publicKey.slice('whpk_'.length), 'base64'),
  ])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  return (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',')
    return version === 'v1a' && verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'))
  })
}

describe('an HMAC secret', () => {
  test('signs what the stock libraries verify, and nothing else', () => {
    const secret = makeSecret('hmac')
    const { headers, body } = send([secret])
    const verified = new StandardWebhook(secret).verify(body, headers)
    expect(verified).toEqual({
      type: event.eventType,
      timestamp: event.occurredAt,
      data: JSON.parse(event.payload),
    })
    new SvixWebhook(secret).verify(body, headers)
    const changed = [
      [body.replace('Zoë', 'Zoe'), headers],
      [body, { ...headers, 'webhook-id': `${headers['webhook-id']}0` }],
      [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) }],
    ] as const
    for (const [text, fields] of changed) {
      expect(() => new StandardWebhook(secret).verify(text, fields)).toThrow()
      expect(() => new SvixWebhook(secret).verify(text, fields)).toThrow()
    }
    expect(() => new StandardWebhook(makeSecret('hmac')).verify(body, headers)).toThrow()
  })

  test('has 32 random bytes and is its own verification key', () => {
    const secret = makeSecret('hmac')
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    expect(verificationKey(secret)).toBe(secret)
    expect(makeSecret('hmac')).not.toBe(secret)
  })
})

describe('an Ed25519 secret', () => {
  test('signs what its public key verifies, and nothing else', () => {
    const secret = makeSecret('ed25519')
    const message = send([secret])
    expect(message.headers['webhook-signature']).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/)
    expect(isSignedBy(verificationKey(secret), message)).toBe(true)
    expect(isSignedBy(verificationKey(secret), { ...message, body: `${message.body} ` })).toBe(false)
    expect(isSignedBy(verificationKey(makeSecret('ed25519')), message)).toBe(false)
  })

  test('keeps its private half: the verification key does not hold it', () => {
    const secret = makeSecret('ed25519')
    const seed = Buffer.from(secret.slice('whsk_'.length), 'base64').subarray(0, 32)
    expect(Buffer.from(verificationKey(secret).slice('whpk_'.length), 'base64').includes(seed)).toBe(false)
  })
})

test('two secrets sign side by side, of one kind or of both', () => {
  const [old, next, asymmetric] = [makeSecret('hmac'), makeSecret('hmac'), makeSecret('ed25519')]
  const same = send([next, old])
  for (const secret of [old, next]) {
    new StandardWebhook(secret).verify(same.body, same.headers)
    new SvixWebhook(secret).verify(same.body, same.headers)
  }
  const mixed = send([asymmetric, old])
  expect(mixed.headers['webhook-signature']).toMatch(/^v1a,\S+ v1,\S+$/)
  new StandardWebhook(old).verify(mixed.body, mixed.headers)
  expect(isSignedBy(verificationKey(asymmetric), mixed)).toBe(true)
})

test('what is no secret signs nothing', () => {
  for (const text of ['', 'whpk_AAAA', 'secret']) expect(() => makeSigner(text)).toThrow()
})

describe('a message', () => {
  test('is the event itself, as it was stored, to the byte', () => {
    const { body } = send([makeSecret('hmac')])
    expect(body).toBe(
      `{"type":"member.created","timestamp":"2026-11-21T09:00:00.000Z","data":${event.payload}}`,
    )
  })

  test('is the id and the type alone where it is thin', () => {
    const { body } = send([makeSecret('hmac')], { payload: 'thin' })
    expect(JSON.parse(body)).toEqual({
      type: 'member.created',
      timestamp: '2026-11-21T09:00:00.000Z',
      data: { id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d', type: 'member' },
    })
  })

  test('carries the endpoint’s own headers, and ours where both say something', () => {
    const headers = {
      Authorization: 'Bearer x',
      'User-Agent': 'Theirs',
      'Content-Type': 'text/plain',
      'Webhook-Id': 'x',
    }
    const message = send([makeSecret('hmac')], { headers })
    expect(message.headers).toMatchObject({
      authorization: 'Bearer x',
      'user-agent': 'Theirs',
      'content-type': 'application/json',
    })
    expect(message.headers['webhook-id']).toMatch(/^evt_/)
    expect(send([makeSecret('hmac')]).headers['user-agent']).toBe('Guildhall-Webhooks/1.0')
  })
})
