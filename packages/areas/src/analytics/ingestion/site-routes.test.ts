import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'

interface Stored {
  event: string | null
  page: string | null
  timestamp: string
  user_id: string | null
}
interface Answered {
  data?: { status: string }[]
  code?: string
  error?: string
  reason?: string
}

let api: TestApi
let side: Side
let key: string

withNewProjects(async (opened, one) => {
  api = opened
  side = one.live
  key = (await side.makeKey({ type: 'public', capabilities: ['track'] })).key
})

/** Sends what a beacon sends. */
const beacon = (body: unknown, { url = '/t/e', from = '', ...headers }: Record<string, string> = {}) =>
  api.send<Answered>('POST', url, {
    raw: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': CHROME, ...headers },
    ...(from !== '' && { from }),
  })
const stored = async () =>
  (await side.admin.get<{ data: Stored[] }>('/analytics/events?bots=include')).body.data.reverse()

const view = { type: 'pageview', url: 'https://example.com/pricing' }

describe('POST /t/e', () => {
  test('stores page views and events of a beacon, whose text has the public key', async () => {
    const { status, body } = await beacon({ key, events: [view, { event: 'signup' }] })
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, data: [{ status: 'accepted' }, { status: 'accepted' }] },
    })
    expect(await stored()).toMatchObject([
      { page: '/pricing', event: null },
      { page: null, event: 'signup' },
    ])
  })

  test('takes JSON with a key or a member’s token in the header, and then nobody else’s key', async () => {
    const { id } = await side.makeMember()
    const { token } = await side.signIn(id)
    const send = (credential: string, body: object) =>
      api.send<Answered>('POST', '/t/e', { key: credential, body, headers: { 'user-agent': CHROME } })
    expect((await send(key, { events: [view] })).status).toBe(200)
    expect((await send(token, { events: [{ event: 'of a member' }] })).status).toBe(200)
    expect((await send(side.key, { events: [{ event: 'of a server', user_id: id }] })).status).toBe(200)
    expect((await stored()).map(({ user_id }) => user_id)).toEqual([null, id, id])
    expect(await send(key, { key, events: [view] })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'key' }] },
    })
    expect(await stored()).toHaveLength(3)
  })

  test('refuses secret keys, tokens and wrong keys in a text, and counts them for their address', async () => {
    const { token } = await side.signIn((await side.makeMember()).id)
    const twisted = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    const answers = []
    for (const credential of [side.key, token, twisted, '', undefined]) {
      const { status, body, headers } = await beacon(
        { key: credential, events: [view] },
        { from: '192.0.2.44' },
      )
      answers.push([status, body.code, body.reason, headers['x-ratelimit-remaining']])
    }
    expect(answers).toEqual([
      [403, 'INSUFFICIENT_PERMISSIONS', undefined, '99'],
      [401, 'INVALID_TOKEN', 'malformed', '98'],
      [401, 'INVALID_TOKEN', 'malformed', '97'],
      [401, 'AUTH_REQUIRED', undefined, '96'],
      [401, 'AUTH_REQUIRED', undefined, '95'],
    ])
    expect(await stored()).toEqual([])
  })

  test('holds a key in a text to its capabilities and its origins', async () => {
    const { key: other } = await side.makeKey({ type: 'public', capabilities: ['submit'] })
    expect(refusalOf(await beacon({ key: other, events: [view] }))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const { key: bound } = await side.makeKey({
      type: 'public',
      capabilities: ['track'],
      allowed_origins: ['https://example.com'],
    })
    expect((await beacon({ key: bound, events: [view] }, { origin: 'https://evil.example' })).status).toBe(
      403,
    )
    expect((await beacon({ key: bound, events: [view] }, { origin: 'https://example.com' })).status).toBe(200)
    expect(await stored()).toHaveLength(1)
  })

  test('is the only endpoint that takes a text', async () => {
    for (const url of ['/api/v1/analytics/batch', '/api/v1/analytics/track', '/api/v1/members'])
      expect([url, (await beacon({ key, events: [view] }, { url })).status]).toEqual([url, 401])
    const authorization = `Bearer ${key}`
    expect(await beacon({ events: [view] }, { url: '/api/v1/analytics/batch', authorization })).toMatchObject(
      { status: 400, body: { code: 'UNSUPPORTED_CONTENT_TYPE' } },
    )
    expect(await stored()).toEqual([])
  })

  test('answers texts that are no events with a 4xx', async () => {
    for (const text of ['', '{', '[]', '"a"', 'null', '{"__proto__":1}'])
      expect([text, (await beacon(text)).status]).toEqual([text, expect.toBeOneOf([400, 401, 422])])
    for (const body of [
      { key },
      { key, events: [] },
      { key, events: [{ typo: 1 }] },
      { key, events: [view], x: 1 },
    ])
      expect([body, (await beacon(body)).status]).toEqual([body, 422])
    expect(refusalOf(await beacon({ key, events: [{ event: 'a', title: 'x'.repeat(1_100_000) }] }))).toBe(
      '413 PAYLOAD_TOO_LARGE',
    )
    expect(await stored()).toEqual([])
  })

  test('corrects the times of a wrong clock by the time at sending', async () => {
    const HOUR = 3_600_000
    for (const offset of [0, -30 * 365 * 24 * HOUR, 5 * HOUR]) {
      const clock = Date.now() + offset
      const at = (ago: number) => new Date(clock - ago).toISOString()
      const event_id = String(offset)
      const events = [{ event: 'late', timestamp: at(2 * HOUR), event_id }, { event: 'now' }]
      const { body } = await beacon({ key, sent_at: at(0), events })
      expect(body.data).toEqual([{ status: 'accepted' }, { status: 'accepted' }])
    }
    const ages = (await stored()).map(({ event, timestamp }) => {
      const hours = (Date.now() - Date.parse(timestamp)) / HOUR
      return [event, Math.round(hours)]
    })
    expect(ages).toEqual([...Array(3).fill(['late', 2]), ...Array(3).fill(['now', 0])])
    const old = { event: 'old', timestamp: '2000-01-01T00:00:00Z' }
    const { body } = await beacon({ key, sent_at: '2000-01-09T00:00:00Z', events: [old, view] })
    expect(body.data).toMatchObject([{ status: 'rejected', field: 'timestamp' }, { status: 'accepted' }])
  })
})
