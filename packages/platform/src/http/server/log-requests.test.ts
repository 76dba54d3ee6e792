import { Type } from 'typebox'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { unavailable } from '../../db/pg-errors.ts'
import { toId } from '../../ids.ts'
import type { Api } from '../api.ts'
import { envelope } from '../envelope.ts'

const lines: string[] = []
let api: TestApi
let side: Side

/** Routes of a server that does not do its part. */
function routes(to: Api): void {
  const schema = { tags: ['Members'], summary: 'For tests', response: { 200: envelope(Type.Object({})) } }
  to.get('/away', { config: { access: { secret: 'any' } }, schema }, async () => {
    throw unavailable(new Error('connect ECONNREFUSED 192.0.2.1:5432'))
  })
}

withOwnApi(
  () => ({ extra: routes, logTo: (line) => lines.push(line) }),
  async (opened) => {
    api = opened
    side = (await makeProjects(api))[0].live
  },
)

/** The lines that a request caused, by the id of its answer. */
const linesOf = (id: string | undefined) =>
  lines.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === id)

test('the line of a request has its id, route, client address, project, credential and status', async () => {
  const { memberId, token } = await side.signIn()
  const shared = {
    level: 30,
    msg: 'request',
    address: '198.51.100.7',
    project_id: toId('project', side.projectId),
  }
  const byKey = await side.admin.get('/members/mem_unknown', { from: '198.51.100.7' })
  expect(linesOf(byKey.headers['x-request-id'])).toEqual([
    expect.objectContaining({
      ...shared,
      ...{ method: 'GET', route: '/api/v1/members/:id', status: 404, ms: expect.any(Number) },
      key_id: expect.stringMatching(/^key_/),
      code: 'NOT_FOUND',
    }),
  ])
  const byToken = await side.as(token).get('/user/profile', { from: '198.51.100.7' })
  expect(linesOf(byToken.headers['x-request-id'])).toEqual([
    expect.objectContaining({
      ...shared,
      route: '/api/v1/user/profile',
      status: 200,
      member_id: memberId,
    }),
  ])
  expect(lines.join('')).not.toContain('mem_unknown')
})

test.each([
  [
    'a failed log-in',
    401,
    'INVALID_CREDENTIALS',
    () => side.admin.post('/auth/login', { email: 'nobody@example.com', password: 'wrong-password' }),
  ],
  ['an unknown key', 401, 'INVALID_TOKEN', () => side.as(`svc_sk_live_${'x'.repeat(40)}`).get('/members')],
  [
    'a link that is not valid',
    422,
    'INVALID_LINK',
    () => side.admin.post('/auth/magic-link/verify', { token: 'x'.repeat(64) }),
  ],
  [
    'a key without the permission',
    403,
    'INSUFFICIENT_PERMISSIONS',
    async () => side.as((await side.makeKey()).key).get('/members'),
  ],
])('%s has a line of security with the address', async (_name, status, code, act) => {
  const { headers } = await act()
  expect(linesOf(headers['x-request-id']).filter(({ log }) => log === 'security')).toEqual([
    expect.objectContaining({ level: 30, msg: 'refused', status, code, address: expect.any(String) }),
  ])
})

test('a request for which a server was away has one line, with the reason and without a stack', async () => {
  const { status, headers } = await side.admin.get('/away')
  expect(status).toBe(503)
  const own = linesOf(headers['x-request-id']).filter(({ level, log }) => level >= 30 && log === undefined)
  expect(own).toEqual([
    expect.objectContaining({
      ...{ level: 40, msg: 'request', status: 503, code: 'UNAVAILABLE' },
      reason: 'connect ECONNREFUSED 192.0.2.1:5432',
    }),
  ])
  expect(own[0]).not.toHaveProperty('err')
})

test('a request without a credential, and one that succeeds, have no line of security', async () => {
  const from = '198.51.100.7'
  for (const { headers } of [
    await api.send('GET', '/api/v1/members'),
    await side.admin.get('/members', { from }),
  ])
    expect(linesOf(headers['x-request-id']).map(({ log }) => log)).toEqual([undefined])
})

test('a secret key that comes from a new address has a line of security, once, and a public key has none', async () => {
  const [first, second] = ['198.51.100.20', '198.51.100.21']
  const secret = side.as((await side.makeKey({ permissions: ['read:members'] })).key)
  const open = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  const said = async (from: string, client: typeof secret, path: string) => {
    const { headers } = await client.get(path, { from })
    return linesOf(headers['x-request-id']).flatMap(({ log, msg }) => (log === 'security' ? [msg] : []))
  }
  const told: string[][] = []
  for (const from of [first, first, second, second, first]) told.push(await said(from, secret, '/members'))
  expect(told).toEqual([[], [], ['key used from a new address'], [], []])
  for (const from of [first, second]) expect(await said(from, open, '/plans')).toEqual([])
})

test('what an operator changes has a line of security with the operator, and what one reads has none', async () => {
  const operator = await makeOperator(api)
  await setRole(api, side.projectId, operator.id, 'owner')
  lines.length = 0
  const { status } = await operator.call('POST', '/logout', {})
  expect(status).toBeLessThan(300)
  const matters = lines.map((line) => JSON.parse(line)).filter(({ log }) => log === 'security')
  expect(matters).toEqual([
    expect.objectContaining({ msg: 'act of an operator', operator_id: operator.publicId }),
  ])
})
