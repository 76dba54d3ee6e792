import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { withApi } from '#testkit/with-api.ts'

const ORIGIN = 'https://site.example.com'
const PATH = '/api/v1/api-keys/self'

let api: TestApi

withApi((opened) => {
  api = opened
})

test('a browser may call from every origin, and its page reads the limits and the id of the request', async () => {
  const { headers } = await api.send('GET', PATH, { headers: { origin: ORIGIN } })
  expect(headers['access-control-allow-origin']).toBe(ORIGIN)
  expect(headers['access-control-expose-headers']).toContain('RateLimit-Policy')
  expect(headers['access-control-expose-headers']).toContain('X-Request-Id')
  expect(headers.vary).toMatch(/origin/i)
})

test('a browser that asks before it calls learns which methods and headers it may use', async () => {
  // Without the check against the document, which names no such operation.
  const { statusCode, headers } = await api.api.inject({
    method: 'OPTIONS',
    url: PATH,
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect(statusCode).toBe(204)
  expect(headers['access-control-allow-methods']).toContain('PATCH')
  expect(headers['access-control-allow-headers']).toBe('authorization,content-type')
})

test('an answer without an origin says nothing about origins, but that it depends on them', async () => {
  const { headers } = await api.send('GET', PATH)
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
  expect(headers.vary).toMatch(/origin/i)
})
