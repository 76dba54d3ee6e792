import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginOf } from '#platform/db/logins.ts'
import { makeKey } from '#platform/keys/key-format.ts'
import type { Tier } from '#platform/keys/rate-limits.ts'
import { type Answer, startApi, type TestApi } from '#testkit/api.ts'
import { startApiProcess } from '#testkit/environments/api-process.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { ownTime } from '#testkit/own-time.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { describeWithRedis, startRedis, type TestRedis } from '#testkit/servers/redis.ts'

const SELF = '/api/v1/api-keys/self'

const ask = (api: TestApi, key: string) => api.send<{ code?: string }>('GET', SELF, { key })
const sideWith = async (api: TestApi, rateLimit: number): Promise<Side> =>
  (await makeProjects(api, { rateLimit }))[0].live
/** Where an answer says that its limit stands. */
const left = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining'])

let places = 0
const newPlace = () => ++places
/** An address that nothing was counted for: a test that is repeated counts anew. */
const newAddress = () => `198.51.100.${newPlace()}`

/** Lets the window of what has been counted end, without waiting for it. */
const endWindows = (seconds: number) => {
  const { now } = Date
  Date.now = () => now() + seconds * 1_000
  return () => {
    Date.now = now
  }
}

describe('in process', () => {
  let api: TestApi
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  test('each key has the limit of its project’s tier, or of the project itself', async () => {
    for (const [tier, limit] of [
      ['free', 60],
      ['pro', 300],
      ['business', 1000],
    ] as const satisfies [Tier, number][]) {
      const [{ live }] = await makeProjects(api, { tier })
      expect((await ask(api, live.key)).headers['x-ratelimit-limit']).toBe(String(limit))
    }
    const side = await sideWith(api, 1234)
    expect((await ask(api, side.key)).headers['x-ratelimit-limit']).toBe('1234')
  })

  test('every answer says how the limit stands, errors too, in both spellings', async () => {
    const side = await sideWith(api, 10)
    const answers = [
      await ask(api, side.key),
      await api.send('GET', '/api/v1/members/none', { key: side.key }),
      await api.send('POST', '/api/v1/members', { key: side.key, raw: '{' }),
      await api.send('POST', '/api/v1/members', { key: side.key, body: {} }),
      await api.send('GET', '/api/v1/nothing', { key: side.key }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 422, 404])
    for (const [i, { headers }] of answers.entries()) {
      const remaining = 9 - i
      const reset = Number(headers['x-ratelimit-reset'])
      const now = Date.now() / 1_000
      expect(headers).toMatchObject({
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': String(remaining),
        ratelimit: expect.stringMatching(new RegExp(`^"key";r=${remaining};t=(60|5\\d)$`)),
        'ratelimit-policy': '"key";q=10;w=60',
      })
      expect(reset).toBeGreaterThan(now + 55)
      expect(reset).toBeLessThanOrEqual(Math.ceil(now) + 60)
      expect(headers).not.toHaveProperty('retry-after')
    }
  })

  test('one request too many is refused and says when to come back; then the window begins anew', async () => {
    const side = await sideWith(api, 3)
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await ask(api, side.key)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const { body, headers } = await ask(api, side.key)
    expect(body).toMatchObject({
      code: 'RATE_LIMITED',
      error: expect.stringContaining('requests with this API key: 3 per minute are allowed'),
      limit: { requests: 3, per_seconds: 60, scope: 'key' },
    })
    expect(headers['x-ratelimit-remaining']).toBe('0')
    const wait = Number(headers['retry-after'])
    expect(wait).toBeGreaterThan(50)
    expect(wait).toBeLessThanOrEqual(60)
    const back = endWindows(wait)
    try {
      expect([(await ask(api, side.key)).status, left(await ask(api, side.key))]).toEqual([200, 1])
    } finally {
      back()
    }
  })

  test('a key’s limit is its own: other keys of the project have theirs', async () => {
    const side = await sideWith(api, 1)
    const other = await side.makeKey()
    expect([(await ask(api, side.key)).status, (await ask(api, side.key)).status]).toEqual([200, 429])
    expect((await ask(api, other.key)).status).toBe(200)
  })

  test('of concurrent requests exactly as many pass as are allowed', async () => {
    const side = await sideWith(api, 20)
    const answers = await Promise.all(Array.from({ length: 60 }, () => ask(api, side.key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
  })

  test('without a valid credential the address is counted, and a guess too many does not learn whether it was right', async () => {
    const side = await sideWith(api, 1000)
    await ask(api, side.key)
    const [here, elsewhere] = [newAddress(), newAddress()]
    const guess = (from: string, key?: string) =>
      api.send<{ code: string }>('GET', SELF, { from, ...(key !== undefined && { key }) })
    const codes = []
    for (let i = 0; i < 101; i++)
      codes.push((await guess(here, i % 2 ? 'svc_sk_wrong' : undefined)).body.code)
    expect(codes.slice(0, 100)).not.toContain('RATE_LIMITED')
    expect(codes[100]).toBe('RATE_LIMITED')
    const { headers } = await guess(here)
    expect(headers['ratelimit-policy']).toBe('"address";q=100;w=60')
    // Another address goes on, and so does a credential from the same one that is known to be right.
    expect(refusalOf(await guess(elsewhere))).toBe('401 AUTH_REQUIRED')
    expect((await guess(here, side.key)).status).toBe(200)
  })

  test('wrong credentials of an address keep no valid key behind it out, also one that was never used before', async () => {
    const [first, second] = [await sideWith(api, 1000), await sideWith(api, 1000)]
    const from = newAddress()
    const send = (key: string) => api.send<{ error: string }>('GET', SELF, { from, key })
    const wrong = () => makeKey('secret', 'live').key
    for (let i = 0; i < 100; i++) await send(i % 2 ? 'null' : wrong())
    const refused = await send('null')
    expect(refused.status).toBe(429)
    expect(refused.body.error).toContain('without a valid API key or token')
    const answers = await Promise.all([first.key, wrong(), second.key, wrong()].map(send))
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 200, 429])
  })

  test('an outage of the database counts against nobody', async () => {
    const from = newAddress()
    const { key } = await sideWith(api, 1000)
    const send = () => api.send('GET', SELF, { from, key: makeKey('secret', 'live').key })
    const { user } = loginOf(api.database.url, 'keys', api.database.secretKey)
    const setConnections = (limit: number) => api.owner.query(`alter role ${user} connection limit ${limit}`)
    await setConnections(0)
    await api.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [user])
    for (let i = 0; i < 120; i++) expect((await send()).status).toBe(503)
    await setConnections(-1)
    await expect.poll(async () => (await api.send('GET', SELF, { from, key })).status).toBe(200)
    expect(refusalOf(await send())).toBe('401 INVALID_TOKEN')
  })

  test('an IPv6 subscriber is one address, however many it has', async () => {
    const [one, other] = [newPlace(), newPlace()].map((place) => `2001:db8:5:${place.toString(16)}`)
    for (let i = 0; i < 100; i++) await api.send('GET', SELF, { from: `${one}::${i.toString(16)}` })
    expect(refusalOf(await api.send('GET', SELF, { from: `${one}:ffff::1` }))).toBe('429 RATE_LIMITED')
    expect(refusalOf(await api.send('GET', SELF, { from: `${other}::1` }))).toBe('401 AUTH_REQUIRED')
  })

  test('the probes and the document are not counted', async () => {
    const from = newAddress()
    for (let i = 0; i < 110; i++) expect((await api.send('GET', '/healthz', { from })).status).toBe(200)
    expect(refusalOf(await api.send('GET', SELF, { from }))).toBe('401 AUTH_REQUIRED')
  })
})

describeWithRedis('with Redis', () => {
  let redis: TestRedis
  let api: TestApi
  beforeAll(async () => {
    redis = await startRedis()
    api = await startApi({ environment: { REDIS_URL: redis.url } })
  })
  afterAll(async () => {
    await api.close()
    await redis.stop()
  })

  test('a key is counted over all processes', async () => {
    // On a busy machine Redis may need more than 50 ms, and what it does not count is counted in process.
    const patient = { REDIS_URL: redis.url, LIMITS_TIMEOUT_MS: '5000' }
    const one = await startApi({ environment: patient, database: api.database })
    const other = await startApiProcess(api.database, patient)
    try {
      const side = await sideWith(api, 10)
      const elsewhere = () =>
        fetch(other.url + SELF, { headers: { authorization: `Bearer ${side.key}` } }).then(
          ({ status }) => status,
        )
      await expect.poll(async () => left(await ask(one, side.key))).toBeLessThan(10)
      const here = Array.from({ length: 12 }, () => ask(one, side.key).then(({ status }) => status))
      const there = Array.from({ length: 12 }, elsewhere)
      const statuses = await Promise.all([...here, ...there])
      expect(statuses.filter((status) => status === 200)).toHaveLength(9)
      expect([(await ask(one, side.key)).status, await elsewhere()]).toEqual([429, 429])
    } finally {
      await other.stop()
      await one.close()
    }
  })

  test('while Redis is frozen, gone or comes back, requests go on quickly and limits are kept in process', async () => {
    const side = await sideWith(api, 30)
    const times: number[] = []
    const timed = async () => {
      const answer = ask(api, side.key)
      times.push(await ownTime(() => answer))
      return answer
    }
    expect(left(await timed())).toBe(29)

    redis.freeze()
    const frozen = []
    for (let i = 0; i < 10; i++) frozen.push((await timed()).status)
    frozen.push(...(await Promise.all(Array.from({ length: 30 }, timed))).map(({ status }) => status))
    expect(frozen.filter((status) => status === 200)).toHaveLength(30)
    expect(frozen.filter((status) => status === 429)).toHaveLength(10)
    // The first requests wait 50 ms for an answer, the later ones no more.
    await sleep(500)
    const before = times.length
    for (let i = 0; i < 10; i++) await timed()
    expect(Math.min(...times.slice(before))).toBeLessThan(45)
    redis.thaw()

    await redis.stop()
    expect(refusalOf(await timed())).toBe('429 RATE_LIMITED')
    redis = await startRedis({ port: Number(new URL(redis.url).port) })
    await expect.poll(async () => left(await timed())).toBeGreaterThan(0)
    expect(Math.max(...times)).toBeLessThan(2_000)
  })
})
