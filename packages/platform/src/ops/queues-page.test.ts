import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { describeWithRedis, startRedis, type TestRedis } from '#testkit/servers/redis.ts'

const TOKEN = 'a-token-for-operators-of-tests'
const basic = (password: string) => `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`

function suite(queue: 'postgres' | 'redis'): void {
  let redis: TestRedis | undefined
  let api: TestApi
  beforeAll(async () => {
    redis = queue === 'redis' ? await startRedis() : undefined
    api = await startApi({ environment: { OPS_TOKEN: TOKEN, ...(redis && { REDIS_URL: redis.url }) } })
  })
  afterAll(async () => {
    await api.close()
    await redis?.stop()
  })
  const page = (authorization?: string) =>
    fetch(`${api.url}/ops/queues`, { headers: authorization === undefined ? {} : { authorization } })

  test('it shows operators what waits and what failed, as text', async () => {
    await api.owner.query('delete from jobs')
    await api.owner.query(
      `insert into jobs (project_id, id, name, lane, payload, state, finished_at, attempts, last_error, created_at)
       values (gen_random_uuid(), gen_random_uuid(), 'forms.export', 'exports', '{"secret":"payload"}', 'failed', now(), 3,
         '<script>alert(1)</script>', now())`,
    )
    const began = Date.now()
    await api.owner.query(
      `insert into jobs (project_id, id, name, lane, payload, due_at, created_at)
       select gen_random_uuid(), gen_random_uuid(), 'mail.send', 'mail', '{}', now() - interval '90 seconds', now()
       from generate_series(1, 7)`,
    )
    for (const authorization of ['Bearer x', basic('wrong'), undefined])
      expect((await page(authorization)).status).toBe(401)
    const answer = await page(basic(TOKEN))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    const text = await answer.text()
    expect(text).toContain('forms.export')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('payload')
    const late = Number(
      /<td class="text">mail<\/td><td>7<\/td><td class="text">(\d+) s<\/td>/.exec(text)?.[1],
    )
    expect(late).toBeGreaterThanOrEqual(90)
    expect(late).toBeLessThanOrEqual(91 + (Date.now() - began) / 1_000)
    expect(text).toContain(queue === 'redis' ? 'in Redis' : 'in PostgreSQL')
  })

  test('a script shows it as a bearer token', async () => {
    expect((await page(`Bearer ${TOKEN}`)).status).toBe(200)
  })

  test('guesses are limited, and asked for in a way that browsers understand', async () => {
    const answers = []
    for (let i = 0; i < 12; i++) answers.push(await page(basic(`guess ${i}`)))
    expect(answers[0]?.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    expect(answers.at(-1)?.status).toBe(429)
  })
}

describe('the page of queues in PostgreSQL', () => suite('postgres'))
describeWithRedis('the page of queues in Redis', () => suite('redis'))

test('guesses are counted by the /64 of an IPv6 address, because whoever has one has all of them', async () => {
  const api = await startApi({ environment: { OPS_TOKEN: TOKEN } })
  const guess = async (remoteAddress: string) => {
    const headers = { authorization: basic('guess') }
    return (await api.api.inject({ method: 'GET', url: '/ops/queues', headers, remoteAddress })).statusCode
  }
  const statuses = []
  for (let i = 1; i <= 12; i++) statuses.push(await guess(`2001:db8:1:2::${i.toString(16)}`))
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
  expect(await guess('2001:db8:1:3::1')).toBe(401)
  await api.close()
})

test('without a token it is answered like any path that does not exist', async () => {
  const api = await startApi()
  const answer = async (path: string) => {
    const response = await fetch(api.url + path, { headers: { authorization: basic('') } })
    const { request_id, ...body } = (await response.json()) as { request_id: string }
    return { status: response.status, body, hasId: request_id !== '' }
  }
  expect(await answer('/ops/queues')).toEqual(await answer('/ops/nothing'))
  await api.close()
})
