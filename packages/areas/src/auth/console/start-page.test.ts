import { expect, test } from 'vitest'
import { dataOf } from '#platform/db/tenant.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import type { TestApi } from '#testkit/api.ts'
import { callConsole, cookieIn, fromConsole, makeOperator } from '#testkit/areas/console.ts'
import { withApi } from '#testkit/with-api.ts'
import { issueLogin } from './operators.ts'

let api: TestApi
withApi((opened) => {
  api = opened
})

async function newToken(): Promise<string> {
  const { id } = await makeOperator(api)
  const data = dataOf(api.deps.pool, OPERATORS_PROJECT, { kind: 'operator' })
  return data.write((ctx) => issueLogin(ctx, id, { local: true }))
}

const post = (token: string, headers: Record<string, string> = {}, from = '127.0.0.1') =>
  api.send('POST', '/console/start', {
    raw: new URLSearchParams({ token }).toString(),
    headers: {
      origin: fromConsole(api)['origin'] ?? '',
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
    },
    from,
  })

test('the link that the start prints logs in once and leads to the console, and reading its page uses nothing up', async () => {
  const token = await newToken()
  const page = await api.send<string>('GET', `/console/start?token=${token}`, { from: '127.0.0.1' })
  expect(page.status).toBe(200)
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  // With `no-referrer` a browser posts the form with the origin `null`.
  expect(page.headers['referrer-policy']).toBe('same-origin')
  const first = await post(token)
  expect([first.status, first.headers['location']]).toEqual([303, '/console'])
  const cookie = cookieIn(first.headers['set-cookie'])
  expect((await callConsole(api, 'POST', '/refresh', { headers: { cookie } })).status).toBe(200)
  const second = await post(token)
  expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined])
})

test('the link works on this machine alone, and not from another site or through a proxy', async () => {
  const token = await newToken()
  expect((await post(token, {}, '192.0.2.1')).status).toBe(403)
  expect((await post(token, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post(token, { 'x-forwarded-for': '192.0.2.1' })).status).toBe(403)
  expect((await api.send('GET', `/console/start?token=${token}`, { from: '192.0.2.1' })).status).toBe(403)
  const elsewhere = await callConsole(api, 'POST', '/magic-link/verify', { body: { token } })
  expect(elsewhere.status).toBe(422)
})
