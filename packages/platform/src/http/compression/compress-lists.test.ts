import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { RouteOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { FairSemaphore } from '../../threads/fair-semaphore.ts'
import { inTurn, mayBeCompressed } from './compress-lists.ts'
import { acceptedEncoding } from './encoding.ts'

let api: TestApi
let side: Side

withProjects(async (opened, first) => {
  api = opened
  side = first.test
  await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      side.makeMember({ email: `member-${i}@example.com`, full_name: `Member ${i}` }),
    ),
  )
})

const get = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await api.api.inject({
    url,
    headers: { authorization: `Bearer ${side.key}`, ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
}

const LIST = '/api/v1/members?limit=25&sort=email&order=asc'

describe('a list of more than 4 KiB', () => {
  test('is compressed as the client takes it, with the same content', async () => {
    const plain = await get(LIST)
    expect(plain.body.length).toBeGreaterThan(4096)
    expect(plain.headers['content-encoding']).toBeUndefined()
    const brotli = await get(LIST, { 'accept-encoding': 'gzip, br' })
    const gzip = await get(LIST, { 'accept-encoding': 'gzip' })
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(brotli.body.length).toBeLessThan(plain.body.length / 3)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.body.length)
    for (const { headers } of [plain, brotli, gzip]) expect(String(headers.vary)).toMatch(/Accept-Encoding/)
  })

  test('is not sent again to a client that has it, and is sent again after a change', async () => {
    const { headers } = await get(LIST, { 'accept-encoding': 'br' })
    expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
    const known = { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) }
    const again = await get(LIST, known)
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    await side.makeMember({ email: 'a-new-one@example.com' })
    expect((await get(LIST, known)).status).toBe(200)
  })
})

test('short lists, single members and errors are sent as they are', async () => {
  const list = await get('/api/v1/members?limit=1', { 'accept-encoding': 'br' })
  const { data } = JSON.parse(list.body.toString())
  const single = await get(`/api/v1/members/${data[0].id}`, { 'accept-encoding': 'br' })
  const error = await get('/api/v1/members?limit=0', { 'accept-encoding': 'br' })
  expect([list.status, single.status, error.status]).toEqual([200, 200, 400])
  for (const { headers } of [list, single, error]) expect(headers['content-encoding']).toBeUndefined()
})

describe('what is never compressed', () => {
  const list = (url: string, fields: string[]): RouteOptions =>
    ({
      method: 'GET',
      url,
      schema: {
        querystring: { properties: { limit: {} } },
        response: {
          200: {
            properties: { data: { items: { properties: Object.fromEntries(fields.map((f) => [f, {}])) } } },
          },
        },
      },
    }) as unknown as RouteOptions

  test('lists whose answers can have a secret, by the names of their fields', () => {
    expect(mayBeCompressed(list('/api/v1/members', ['id', 'email']))).toBe(true)
    for (const field of ['secret', 'signing_secret', 'access_token', 'publishable_key', 'recovery_codes'])
      expect([field, mayBeCompressed(list('/api/v1/things', [field]))]).toEqual([field, false])
  })

  test('what is below /auth, and keys', () => {
    for (const url of ['/api/v1/auth/sessions', '/api/v1/api-keys', '/api/v1/api-keys/:id/uses'])
      expect([url, mayBeCompressed(list(url, ['id']))]).toEqual([url, false])
  })
})

test('a list is sent as it is where it is not its turn', async () => {
  const slots = new FairSemaphore({ slots: 1, waiting: 1, waitMs: 1, busy: 'busy' })
  const body = Buffer.alloc(10_000, 'a')
  expect(await inTurn(slots, { projectId: 'one' }, body, 'br')).toBeInstanceOf(Buffer)
  expect(slots.take({ projectId: 'two' })).toBe(true)
  expect(await inTurn(slots, { projectId: 'one' }, body, 'br')).toBeUndefined()
  slots.release({ projectId: 'two' })
  expect(await inTurn(slots, { projectId: 'one' }, body, 'gzip')).toBeInstanceOf(Buffer)
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['identity', undefined],
  ['*;q=0', undefined],
  ['', undefined],
])('Accept-Encoding: %s is answered with %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})
