import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'

// Where a key may be used from: addresses, proxies, browser origins.

let api: TestApi
/** The same behind the proxies of 10.1.0.0/16 and one more. */
let proxied: TestApi
let side: Side
/** The log of `proxied`. */
const lines: string[] = []

beforeAll(async () => {
  api = await startApi()
  proxied = await startApi({
    database: api.database,
    environment: { TRUST_PROXY: '10.1.0.0/16, 192.0.2.7' },
    logTo: (line) => lines.push(line),
  })
  const [one] = await makeProjects(api)
  side = one.live
})
afterAll(async () => {
  await proxied.close()
  await api.close()
})

const ask = async (at: TestApi, key: string, from: string, headers: Record<string, string> = {}) => {
  const { status, body } = await at.send<{ code?: string }>('GET', '/api/v1/api-keys/self', {
    key,
    from,
    headers,
  })
  return status === 200 ? 200 : `${status} ${body.code}`
}
const REFUSED = '403 INSUFFICIENT_PERMISSIONS'

describe('a key that is bound to addresses', () => {
  test('works from these and from no other', async () => {
    const { key } = await side.makeKey({ allowed_ips: ['203.0.113.0/28', '198.51.100.7', '2001:db8:1::/48'] })
    for (const from of [
      '203.0.113.0',
      '203.0.113.15',
      '198.51.100.7',
      '2001:db8:1:ffff::1',
      '::ffff:203.0.113.1',
    ])
      expect([from, await ask(api, key, from)]).toEqual([from, 200])
    for (const from of [
      '203.0.113.16',
      '198.51.100.8',
      '2001:db8:2::1',
      '::1',
      '::ffff:203.0.113.16',
      '::203.0.113.1',
    ])
      expect([from, await ask(api, key, from)]).toEqual([from, REFUSED])
  })

  test('believes X-Forwarded-For of trusted proxies only', async () => {
    const { key } = await side.makeKey({ allowed_ips: ['203.0.113.5'] })
    const forwarded = (list: string) => ({ 'x-forwarded-for': list })
    // Nobody is trusted.
    expect(await ask(api, key, '10.1.2.3', forwarded('203.0.113.5'))).toBe(REFUSED)
    // A trusted proxy, and two of them in a row.
    expect(await ask(proxied, key, '10.1.2.3', forwarded('203.0.113.5'))).toBe(200)
    expect(await ask(proxied, key, '192.0.2.7', forwarded('203.0.113.5, 10.1.9.9'))).toBe(200)
    // Somebody else, and a client that names itself before a trusted proxy does.
    expect(await ask(proxied, key, '10.2.0.1', forwarded('203.0.113.5'))).toBe(REFUSED)
    expect(await ask(proxied, key, '10.1.2.3', forwarded('203.0.113.5, 198.51.100.1'))).toBe(REFUSED)
    expect(await ask(proxied, key, '10.1.2.3')).toBe(REFUSED)
  })

  test('refuses what a proxy forwards as an address and is none', async () => {
    const { key } = await side.makeKey({ allowed_ips: ['0.0.0.0/0', '::/0'] })
    expect(await ask(proxied, key, '10.1.2.3', { 'x-forwarded-for': '203.0.113.5' })).toBe(200)
    for (const nonsense of ['unknown', '203.0.113.5:4711', '999.1.1.1', '_hidden', "'; --"])
      expect([nonsense, await ask(proxied, key, '10.1.2.3', { 'x-forwarded-for': nonsense })]).toEqual([
        nonsense,
        REFUSED,
      ])
  })
})

test('a proxy that TRUST_PROXY does not have is counted at each request, and logged once an hour', async () => {
  const { key } = await side.makeKey()
  const countOf = async (at: TestApi) => {
    const counter = at.deps.metrics.registry.getSingleMetric('guildhall_untrusted_proxy_total')
    return (await counter?.get())?.values[0]?.value ?? 0
  }
  const forwarded = { 'x-forwarded-for': '203.0.113.5' }
  for (const [at, from, headers, more] of [
    [proxied, '10.2.0.1', forwarded, 1],
    [proxied, '10.2.0.1', forwarded, 1],
    [proxied, '10.2.0.1', {}, 0],
    [proxied, '10.1.2.3', forwarded, 0],
    [proxied, '192.0.2.7', { 'x-forwarded-for': '203.0.113.5, 10.1.9.9' }, 0],
    [api, '10.1.2.3', forwarded, 1],
  ] as const) {
    const before = await countOf(at)
    expect(await ask(at, key, from, headers)).toBe(200)
    expect([from, headers, (await countOf(at)) - before]).toEqual([from, headers, more])
  }
  const warnings = lines.filter((line) => line.includes('not in TRUST_PROXY')).map((line) => JSON.parse(line))
  expect(warnings).toEqual([expect.objectContaining({ address: '10.2.0.1' })])
})

describe('a browser', () => {
  const ORIGIN = 'https://app.example.com'
  const get = (key: string, origin: string) =>
    api.send('GET', '/api/v1/api-keys/self', { key, headers: { origin } })

  test('is refused from an origin that the key does not list, and learns so in a way it can read', async () => {
    const { key } = await side.makeKey({ type: 'public', allowed_origins: [ORIGIN, 'http://localhost:5173'] })
    for (const origin of [ORIGIN, 'http://localhost:5173']) expect((await get(key, origin)).status).toBe(200)
    for (const origin of [
      'https://evil.example.com',
      'https://app.example.com.evil.example',
      'http://app.example.com',
      'https://app.example.com:8443',
      'null',
    ]) {
      const { status, headers } = await get(key, origin)
      expect([origin, status, headers['access-control-allow-origin']]).toEqual([origin, 403, origin])
    }
    expect((await api.send('GET', '/api/v1/api-keys/self', { key })).status).toBe(200)
  })

  test('falls back on the origins of the project where the key lists none', async () => {
    const [fresh] = await makeProjects(api)
    await api.owner.query('update projects set allowed_origins = $2 where id = $1', [
      fresh.live.projectId,
      [ORIGIN],
    ])
    const { key } = await fresh.live.makeKey({ type: 'public' })
    const own = await fresh.live.makeKey({ type: 'public', allowed_origins: ['https://other.example'] })
    expect([(await get(key, ORIGIN)).status, (await get(key, 'https://other.example')).status]).toEqual([
      200, 403,
    ])
    expect((await get(own.key, 'https://other.example')).status).toBe(200)
  })

  test('may ask beforehand without a credential, for every method and header that the API takes', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${api.url}/api/v1/members/mem_1`, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization,content-type,idempotency-key,x-user-id',
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(response.headers.get('access-control-allow-methods')).toContain(method)
      expect(response.headers.get('access-control-allow-headers')).toContain('idempotency-key')
      expect(response.headers.get('access-control-max-age')).toBe('600')
      expect(response.headers.get('vary')).toMatch(/origin/i)
    }
  })

  test('may read the headers that say how requests are limited, and no answer is kept for another origin', async () => {
    const { headers } = await get(side.key, ORIGIN)
    expect(headers['access-control-expose-headers']).toMatch(/RateLimit.*Retry-After.*X-RateLimit-Remaining/)
    expect(headers['vary']).toMatch(/origin/i)
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })
})

test('every answer carries the request’s id, as the caller named it where it did so safely', async () => {
  const named = await api.send('GET', '/api/v1/members', {
    key: side.key,
    headers: { 'x-request-id': 'order-66.a_b' },
  })
  expect(named.headers['x-request-id']).toBe('order-66.a_b')
  for (const unsafe of ['a b', 'x'.repeat(65), '<script>', 'a\tb', '']) {
    const { headers, body } = await api.send<{ request_id: string }>('GET', '/api/v1/members', {
      headers: { 'x-request-id': unsafe },
    })
    expect(headers['x-request-id']).toMatch(/^req_[\w-]+$/)
    expect(body.request_id).toBe(headers['x-request-id'])
  }
})

test('every answer carries the security headers, errors of the router included', async () => {
  for (const path of [
    '/api/v1/members',
    '/api/v1/nothing',
    '/api/v1/members/%',
    '/healthz',
    '/openapi.json',
  ]) {
    const response = await fetch(api.url + path)
    expect([path, response.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('x-request-id')).toBeTruthy()
  }
})
