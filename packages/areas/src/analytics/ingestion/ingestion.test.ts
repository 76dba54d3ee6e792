import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeCountryDatabase } from '#testkit/areas/analytics/country-database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const START = Date.parse('2026-11-10T12:00:00Z')
const HOUR = 3_600_000

interface Stored {
  visitor: string
  event: string | null
  bot: boolean
  user_id: string | null
  country: string | null
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-countries-'))
let api: TestApi
let side: Side
let publicKey: string

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  const database = join(folder, 'countries.mmdb')
  writeFileSync(database, makeCountryDatabase({ '203.0.113.0/25': 'JP', '203.0.113.128/32': 'NZ' }))
  api = await startApi({
    environment: { TRUST_PROXY: '10.0.0.0/8', COUNTRY_HEADER: 'cf-ipcountry', GEOIP_DATABASE: database },
  })
})
// A test that is repeated finds none of its own events.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  side = (await makeProjects(api))[0].live
  publicKey = (await side.makeKey({ type: 'public', capabilities: ['track'] })).key
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
  rmSync(folder, { recursive: true })
})

const browser = (headers: Record<string, string> = {}) => ({
  headers: { 'user-agent': FIREFOX, ...headers },
  from: '192.0.2.7',
})
const track = (event: string, more: object = {}, headers: Record<string, string> = {}) =>
  side
    .as(publicKey)
    .post<{ success: boolean; code?: string; details?: { field: string }[] }>(
      '/analytics/track',
      { event, ...more },
      browser(headers),
    )
const stored = async (event: string) =>
  (await side.admin.get<{ data: Stored[] }>(`/analytics/events?bots=include&limit=100&event=${event}`)).body
    .data

describe('an event', () => {
  test('is stored when it is answered, with the body of the contract', async () => {
    const { status, body } = await track('stored')
    expect({ status, body }).toEqual({ status: 200, body: { success: true } })
    expect(await stored('stored')).toMatchObject([{ bot: false, user_id: null }])
  })

  test('that comes again with its id within eight days is stored once, also when it comes at once', async () => {
    const again = () => track('once', { event_id: 'same' })
    await Promise.all(Array.from({ length: 20 }, again))
    vi.setSystemTime(START + 8 * 24 * HOUR - 1)
    await again()
    expect(await stored('once')).toHaveLength(1)
    vi.setSystemTime(START + 8 * 24 * HOUR + 1)
    await again()
    expect(await stored('once')).toHaveLength(2)
  })

  test('is answered once under an Idempotency-Key', async () => {
    const send = () => track('keyed', {}, { 'idempotency-key': 'k1' })
    await send()
    expect((await send()).headers['idempotent-replayed']).toBe('true')
    expect(await stored('keyed')).toHaveLength(1)
  })

  test('of many requests at once is never lost', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, i) => track('flood', { event_id: `f${i}` })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { rows } = await api.owner.query(
      "select count(*)::int as n from analytics_events where name = 'flood' and project_id = $1",
      [side.projectId],
    )
    expect(rows[0].n).toBe(300)
  })

  test('of a bot is flagged', async () => {
    await track(
      'crawl',
      {},
      { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)' },
    )
    await track('crawl', {}, { 'user-agent': '' })
    expect((await stored('crawl')).map(({ bot }) => bot)).toEqual([true, true])
  })

  test('is refused with a time that is too old, or ahead, or none', async () => {
    for (const timestamp of [
      '2026-11-03T11:59:59Z',
      '2026-11-10T12:05:01Z',
      '1926-01-01T00:00:00Z',
      '9999-12-31T00:00:00Z',
      '2026-11-10T11:59:60Z',
    ]) {
      const { status, body } = await track('late', { timestamp })
      expect({ timestamp, status, field: body.details?.[0]?.field }).toEqual({
        timestamp,
        status: 422,
        field: 'timestamp',
      })
    }
    expect((await track('late', { timestamp: '2026-11-03T12:00:00Z' })).status).toBe(200)
    expect((await track('late', { timestamp: '2026-11-10T12:05:00Z' })).status).toBe(200)
  })

  test('takes fifty properties, whatever their names, and no ten thousand', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]))
    expect((await track('many', { properties: many(50) })).status).toBe(200)
    expect(refusalOf(await track('many', { properties: many(51) }))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await track('many', { properties: many(10_000) }))).toBe('422 VALIDATION_ERROR')
    expect(
      (await track('many', { properties: { "x'; drop table members; --": 1, constructor: 'y' } })).status,
    ).toBe(200)
    const proto = await side.as(publicKey).post('/analytics/track', undefined, {
      ...browser(),
      raw: '{"event":"x","properties":{"__proto__":1}}',
    })
    expect(proto).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
  })

  test('of a batch is judged by itself', async () => {
    const member = await side.member()
    const { body } = await side.admin.post<{ data: { status: string; code?: string }[] }>(
      '/analytics/batch',
      {
        events: [
          { event: 'batched', event_id: 'b1', user_id: member },
          { event: 'batched', event_id: 'b1' },
          { event: 'batched', user_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d' },
          { event: 'batched', timestamp: '2020-01-01T00:00:00Z' },
          { type: 'pageview', event: 'batched' },
        ],
      },
    )
    expect(body.data.map(({ status, code = '' }) => `${status} ${code}`)).toEqual([
      'accepted ',
      'duplicate ',
      'rejected MEMBER_NOT_FOUND',
      'rejected VALIDATION_ERROR',
      'rejected VALIDATION_ERROR',
    ])
    expect(await stored('batched')).toMatchObject([{ user_id: member }])
  })
})

describe('whose event it is', () => {
  test('a key of a server says, and it must be there', async () => {
    const { status, body } = await side.admin.post<{ code: string }>('/analytics/track', {
      event: 'x',
      user_id: 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d',
    })
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'MEMBER_NOT_FOUND' })
  })

  test('a public key cannot say, a token says it by itself', async () => {
    // Tokens are of the database's time.
    vi.useRealTimers()
    const { memberId, token } = await side.signIn()
    expect(refusalOf(await track('own', { user_id: memberId }))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await side.as(token).post('/analytics/track', { event: 'own' }, browser())).status).toBe(200)
    expect(
      (
        await side
          .as(token)
          .post('/analytics/track', { event: 'own', user_id: await side.member() }, browser())
      ).status,
    ).toBe(403)
    expect(await stored('own')).toMatchObject([{ user_id: memberId }])
  })

  test.each([
    'okhttp/4.12.0',
    'axios/1.7.2',
    'Dart/3.4 (dart:io)',
    'MyApp/3 CFNetwork/1490.0.4 Darwin/23.2.0',
    'Mozilla/5.0 (Linux; Android 14) ReactNative/0.74 okhttp/4.9.2',
    '',
  ])('a member’s token is never a bot, with the user agent %j', async (agent) => {
    vi.useRealTimers()
    const { memberId, token } = await side.signIn()
    const options = { headers: { 'user-agent': agent }, from: '192.0.2.7' }
    await side.as(token).post('/analytics/track', { event: 'app' }, options)
    await side.as(token).post('/analytics/batch', { events: [{ event: 'app' }] }, options)
    expect(await stored('app')).toMatchObject([
      { bot: false, user_id: memberId },
      { bot: false, user_id: memberId },
    ])
  })

  test('address and user agent are named by servers alone', async () => {
    expect((await track('named', { ip: '192.0.2.9' })).body.details?.[0]?.field).toBe('ip')
    expect(refusalOf(await side.admin.post('/analytics/track', { event: 'named', ip: 'nowhere' }))).toBe(
      '422 VALIDATION_ERROR',
    )
    const say = (ip: string) =>
      side.admin.post('/analytics/track', { event: 'named', ip, user_agent: FIREFOX })
    await say('192.0.2.9')
    await say('192.0.2.9')
    await say('192.0.2.10')
    expect(new Set((await stored('named')).map(({ visitor }) => visitor)).size).toBe(2)
  })

  test('the country is believed of a trusted proxy alone', async () => {
    await track('where', {}, { 'cf-ipcountry': 'FR' })
    await side
      .as(publicKey)
      .post(
        '/analytics/track',
        { event: 'where' },
        { headers: { 'user-agent': FIREFOX, 'cf-ipcountry': 'de' }, from: '10.1.2.3' },
      )
    expect((await stored('where')).map(({ country }) => country).sort()).toEqual(['DE', null])
  })

  test('the country of a server’s event is its visitor’s, by the address that the server names', async () => {
    const say = (more: object, headers: Record<string, string> = {}) =>
      side.admin.post(
        '/analytics/track',
        { event: 'abroad', ...more },
        { headers: { 'cf-ipcountry': 'FR', ...headers }, from: '10.1.2.3' },
      )
    const countryOf = async (more: object, headers?: Record<string, string>) => {
      await say(more, headers)
      return (await stored('abroad'))[0]?.country
    }
    expect(await countryOf({ ip: '203.0.113.7' })).toBe('JP')
    expect(await countryOf({ ip: '203.0.113.128' })).toBe('NZ')
    expect(await countryOf({ ip: '::ffff:203.0.113.7' })).toBe('JP')
    expect(await countryOf({}, { 'x-client-ip': '203.0.113.128' })).toBe('NZ')
    // The proxy says where the server is.
    expect(await countryOf({ ip: '203.0.113.129' })).toBe(null)
    expect(await countryOf({ ip: '2001:db8::1' })).toBe(null)
    expect(await countryOf({})).toBe(null)
  })

  test('the database of countries comes before the header of a proxy', async () => {
    const from = (address: string) =>
      side.as(publicKey).post(
        '/analytics/track',
        { event: 'home' },
        {
          headers: { 'user-agent': FIREFOX, 'cf-ipcountry': 'FR', 'x-forwarded-for': address },
          from: '10.1.2.3',
        },
      )
    await from('203.0.113.7')
    await from('203.0.113.200')
    expect((await stored('home')).map(({ country }) => country).sort()).toEqual(['FR', 'JP'])
  })

  test('a public key of one origin is refused from another', async () => {
    const { key } = await side.makeKey({
      type: 'public',
      capabilities: ['track'],
      allowed_origins: ['https://example.com'],
    })
    const send = (origin: string) =>
      side.as(key).post('/analytics/track', { event: 'x' }, browser({ origin }))
    expect(refusalOf(await send('https://evil.example'))).toBe('403 INSUFFICIENT_PERMISSIONS')
    expect((await send('https://example.com')).status).toBe(200)
  })
})

test('an office behind one address sends 600 page views and events a minute, and uses up nobody else’s limit', async () => {
  const project = (await makeProjects(api, { tier: 'free' }))[0]
  const { key } = await project.live.makeKey({ type: 'public', capabilities: ['track'] })
  const send = (from: string) =>
    project.live.as(key).post('/analytics/track', { event: 'x' }, { ...browser(), from })
  const flood = await Promise.all(Array.from({ length: 601 }, () => send('192.0.2.66')))
  expect(flood.filter(({ status }) => status === 429)).toHaveLength(1)
  expect(flood.find(({ status }) => status === 429)?.body).toMatchObject({
    error: expect.stringMatching(/^Too many page views and events from this client address: 600 per minute/),
    limit: { scope: 'address', requests: 600 },
  })
  expect((await send('192.0.2.67')).status).toBe(200)
  // The key's own 60 are untouched.
  const { headers } = await project.live.as(key).get('/api-keys/self', { from: '192.0.2.68' })
  expect(headers['x-ratelimit-remaining']).toBe('19')
})
