import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { callConsole, makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import type { TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import { DEVICE_GRANT } from './schema.ts'

let api: TestApi
let project: TestProject
let other: TestProject
let operator: TestOperator

withNewProjects((opened, one, two) => {
  api = opened
  project = one
  other = two
})
beforeEach(async () => {
  operator = await makeOperator(api)
  await setRole(api, project.live.projectId, operator.id, 'admin')
})

interface Code {
  readonly device_code: string
  readonly user_code: string
  readonly interval: number
}

interface Token {
  readonly access_token: string
  readonly refresh_token: string
  readonly error: string
}

/** As a program calls: without an origin, a cookie and a header of the console. */
const asProgram = <T>(path: string, body: object) =>
  api.send<T>('POST', `/console/api/device/${path}`, { body })
const ask = async () => (await asProgram<Code>('code', { client_name: 'ada on laptop' })).body
const exchange = (device_code: string) => asProgram<Token>('token', { grant_type: DEVICE_GRANT, device_code })
const renew = (refresh_token: string) =>
  asProgram<Token>('token', { grant_type: 'refresh_token', refresh_token })
const approve = (user_code: string, more: object = {}, by = operator) =>
  by.call('POST', '/device/approve', {
    ...{ user_code, decision: 'approve', project_id: project.project.id, environment: 'live', ...more },
  })

/** A program that is logged in. */
async function logIn(by = operator) {
  const { device_code, user_code } = await ask()
  expect((await approve(user_code, {}, by)).status).toBe(200)
  const { status, body } = await exchange(device_code)
  expect(status).toBe(200)
  return body
}
const errorOf = ({ status, body }: { status: number; body: { error?: string } }) => `${status} ${body.error}`
const reasonWith = async (key: string) =>
  (await api.send<{ reason?: string }>('GET', '/api/v1/members', { key })).body.reason

describe('a code', () => {
  test('is eight letters that make no words, and works for a quarter of an hour, once', async () => {
    const { status, body } = await asProgram<Code>('code', { client_id: 'guildhall-cli' })
    expect(status).toBe(200)
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${api.config.BASE_URL}/console/api/device`,
      verification_uri_complete: `${api.config.BASE_URL}/console/api/device?user_code=${body.user_code}`,
      ...{ expires_in: 900, interval: 5 },
    })
    const typed = body.user_code.toLowerCase().replace('-', ' ')
    const waiting = await operator.call('GET', `/device/codes/${encodeURIComponent(typed)}`)
    expect(waiting.body).toMatchObject({
      data: {
        user_code: body.user_code,
        client_name: 'guildhall-cli',
        address: expect.stringMatching(/^[\d.]+$/),
      },
    })
    expect((await approve(typed)).status).toBe(200)
    // Whoever comes second with the same code finds nothing.
    expect(refusalOf(await approve(typed))).toBe('404 NOT_FOUND')
    const taken = await Promise.all([exchange(body.device_code), exchange(body.device_code)])
    expect(taken.map(errorOf).toSorted()).toEqual(['200 undefined', '400 invalid_grant'])
    expect(errorOf(await exchange(body.device_code))).toBe('400 invalid_grant')
  })

  test('is answered with the words of RFC 8628 while nobody has decided, too soon, refused, or too late', async () => {
    const waiting = await ask()
    expect(errorOf(await exchange(waiting.device_code))).toBe('400 authorization_pending')
    expect(errorOf(await exchange(waiting.device_code))).toBe('400 slow_down')
    const refused = await ask()
    const { user_code } = refused
    expect((await operator.call('POST', '/device/approve', { user_code, decision: 'deny' })).status).toBe(200)
    expect(errorOf(await exchange(refused.device_code))).toBe('400 access_denied')
    const late = await ask()
    await api.owner.query(
      `update device_log_ins set expires_at = now() - interval '1 second' where user_code = $1`,
      [late.user_code.replace('-', '')],
    )
    expect(refusalOf(await approve(late.user_code))).toBe('404 NOT_FOUND')
    expect(errorOf(await exchange(late.device_code))).toBe('400 expired_token')
    expect(errorOf(await exchange('x'))).toBe('400 invalid_grant')
    expect(errorOf(await asProgram('token', { grant_type: DEVICE_GRANT }))).toBe('400 invalid_request')
    expect(errorOf(await renew('x'))).toBe('400 invalid_grant')
    expect((await asProgram<Token>('token', { grant_type: 'password' })).status).toBe(422)
  })

  test('cannot be guessed: an operator tries twenty in a quarter of an hour', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) statuses.push((await operator.call('GET', '/device/codes/BBBBBBBB')).status)
    expect(statuses.slice(0, 20).every((status) => status === 404)).toBe(true)
    expect(statuses[20]).toBe(429)
    expect((await approve('BBBB-BBBB')).status).toBe(429)
  })

  test('is decided only by an operator who is logged in, from a page of the console, for a project of their own', async () => {
    const { user_code, device_code } = await ask()
    const body = { user_code, decision: 'approve', project_id: project.project.id, environment: 'live' }
    const path = '/console/api/device/approve'
    const key = operator.accessToken
    expect([401, 403]).toContain((await api.send('POST', path, { body })).status)
    expect((await callConsole(api, 'POST', '/device/approve', { body })).status).toBe(401)
    expect(
      (await api.send('POST', path, { body, key, headers: { origin: 'https://evil.example' } })).status,
    ).toBe(403)
    expect((await callConsole(api, 'POST', '/device/approve', { body, key: project.live.key })).status).toBe(
      401,
    )
    expect(refusalOf(await approve(user_code, { project_id: other.project.id }))).toBe('404 NOT_FOUND')
    expect((await approve(user_code, { project_id: undefined })).status).toBe(422)
    expect(errorOf(await exchange(device_code))).toBe('400 authorization_pending')
  })
})

describe('a log-in of a program', () => {
  test('opens one side of one project, by the role, and is in the audit log and the list of sessions', async () => {
    const { access_token: key, ...rest } = await logIn()
    expect(rest).toMatchObject({
      ...{ token_type: 'Bearer', expires_in: 600, email: operator.email, environment: 'live', role: 'admin' },
      project: { id: project.project.id },
    })
    const { id } = await project.live.makeMember()
    expect((await api.send('GET', `/api/v1/members/${id}`, { key })).status).toBe(200)
    const foreign = await other.live.makeMember()
    expect((await api.send('GET', `/api/v1/members/${foreign.id}`, { key })).status).toBe(404)
    const sessions = await operator.call<{ data: { user_agent: string }[] }>('GET', '/sessions')
    expect(sessions.body.data.map(({ user_agent }) => user_agent)).toContain('guildhall-cli (ada on laptop)')
    await api.owner.query("select set_config('app.project_id', $1, false)", [project.live.projectId])
    const { rows } = await api.owner.query(
      "select actor_id, after from audit_log where action = 'device.approve' and project_id = $1",
      [project.live.projectId],
    )
    expect(rows).toEqual([
      { actor_id: operator.publicId, after: { client_name: 'ada on laptop', environment: 'live' } },
    ])
  })

  test('is renewed, and opens neither the console nor its cookie', async () => {
    const { refresh_token, access_token } = await logIn()
    const { status, body } = await renew(refresh_token)
    expect([status, body.refresh_token]).toEqual([200, undefined])
    expect(await reasonWith(body.access_token)).toBeUndefined()
    const headers = { cookie: `guildhall_console=${refresh_token}` }
    expect((await callConsole(api, 'POST', '/refresh', { headers })).status).toBe(401)
    for (const key of [access_token, refresh_token])
      expect((await callConsole(api, 'GET', '/me', { key })).status).toBe(401)
  })

  test('ends within a second of its log-out, of the end of its session, and of the role', async () => {
    const revoked = await logIn()
    expect((await asProgram('revoke', { token: revoked.refresh_token })).body).toEqual({ revoked: true })
    await within(1_000, async () => expect(await reasonWith(revoked.access_token)).toBe('session_ended'))
    expect(errorOf(await renew(revoked.refresh_token))).toBe('400 invalid_grant')
    expect((await asProgram('revoke', { token: revoked.refresh_token })).body).toEqual({ revoked: false })

    const listed = await logIn()
    type Sessions = { data: { id: string; user_agent: string }[] }
    const { data } = (await operator.call<Sessions>('GET', '/sessions')).body
    const session = data.find(({ user_agent }) => user_agent.startsWith('guildhall-cli'))
    expect((await operator.call('DELETE', `/sessions/${session?.id}`)).status).toBe(200)
    await within(1_000, async () => expect(await reasonWith(listed.access_token)).toBe('session_ended'))
    expect(errorOf(await renew(listed.refresh_token))).toBe('400 invalid_grant')

    const changed = await logIn()
    await setRole(api, project.live.projectId, operator.id, 'viewer')
    await within(1_000, async () => expect(await reasonWith(changed.access_token)).toBe('role_ended'))
    expect((await renew(changed.refresh_token)).body).toMatchObject({ role: 'viewer' })
    await setRole(api, project.live.projectId, operator.id, null)
    expect(errorOf(await renew(changed.refresh_token))).toBe('400 invalid_grant')
  })
})

test('the page shows its own script alone, and cannot be framed', async () => {
  const { status, headers } = await api.send('GET', '/console/api/device?user_code=BBBB-BBBB')
  expect(status).toBe(200)
  const policy = headers['content-security-policy'] ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'sha256-",
    "frame-ancestors 'none'",
    "connect-src 'self'",
  ])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
})
