import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side, TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { logInTo, newSessionOf, PASSWORD } from '../sessions/logins.fixture.ts'

let api: TestApi
let one: TestProject
let other: TestProject
let side: Side

withProjects((opened, first, second) => {
  api = opened
  one = first
  other = second
  side = one.live
})

const logIn = (email: string, password = PASSWORD, of = side) => logInTo(of, email, password)
const newSession = (of = side) => newSessionOf(of)
const profile = (token: string) => side.as(token).get<{ data: { id: string } }>('/user/profile')

describe('logging in', () => {
  test('opens a session whose token reads the member’s own profile', async () => {
    const { email, id } = await side.makeMember({ password: PASSWORD })
    const { status, body, headers } = await logIn(email.toUpperCase())
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, member: { id, email, status: 'active' } })
    expect(body.session.expires_in).toBeGreaterThan(3_590)
    expect(headers['cache-control']).toBe('no-store')
    const own = await profile(body.session.access_token)
    expect(own).toMatchObject({ status: 200, body: { data: { id, last_login_at: expect.any(String) } } })
  })

  test('a program with nothing but the key set verifies the token', async () => {
    const { member, session } = await newSession()
    const keys = createRemoteJWKSet(new URL(`${api.url}/.well-known/jwks.json`))
    const project = toId('project', side.projectId)
    const { payload, protectedHeader } = await jwtVerify(session.access_token, keys, {
      issuer: api.config.BASE_URL,
      audience: project,
      algorithms: ['ES256'],
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: expect.any(String) })
    expect(payload).toMatchObject({
      sub: member.id,
      project_id: project,
      role: 'member',
      aal: 'aal1',
      amr: ['password'],
      session_id: expect.stringMatching(/^ses_/),
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600)
  })

  test('every failure has the same message', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    const { email: withoutPassword } = await side.makeMember()
    const { email: inactive } = await side.makeMember({ password: PASSWORD, status: 'inactive' })
    const foreign = await other.live.makeMember({ password: PASSWORD })
    const answers = [
      await logIn(email, 'incorrect horse battery'),
      await logIn('nobody@example.com'),
      await logIn(withoutPassword),
      await logIn(inactive),
      await logIn(foreign.email),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(401)
      expect({ ...body, request_id: '' }).toEqual({
        success: false,
        error: 'The email or the password is wrong',
        code: 'INVALID_CREDENTIALS',
        request_id: '',
      })
    }
  })

  test('ten failures make an account wait, whether it exists or not, and no other', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    for (const account of [email, `${randomUUID()}@example.com`]) {
      for (let i = 1; i <= 10; i++) {
        const { status, headers } = await logIn(i % 2 ? account : account.toUpperCase(), 'wrong password')
        expect(status).toBe(401)
        expect(headers['x-ratelimit-remaining']).toBe(String(10 - i))
      }
      const { status, headers } = await logIn(account)
      expect(status).toBe(429)
      expect(Number(headers['retry-after'])).toBeGreaterThan(60)
      expect(headers['ratelimit-policy']).toBe('"account";q=10;w=900')
    }
    expect(await newSession()).toHaveProperty('session')
  })

  test('a right password forgets the failures before it', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) await logIn(email, 'wrong password')
      expect(await logIn(email)).toMatchObject({ status: 200 })
    }
  })

  test('twenty a minute come from one address to one project', async () => {
    const from = '203.0.113.7'
    const ask = (of: Side, options: object) =>
      of.admin.post('/auth/login', { email: 'nobody@example.org', password: 'x' }, options)
    for (let i = 0; i < 9; i++) await ask(side, { from })
    // A server with a secret key speaks for its users' addresses.
    for (let i = 0; i < 11; i++)
      await side.admin.post('/auth/refresh', { refresh_token: 'x' }, { headers: { 'x-client-ip': from } })
    const { status, headers } = await ask(side, { from })
    expect(status).toBe(429)
    expect(headers['ratelimit-policy']).toBe('"authentication";q=20;w=60')
    expect(refusalOf(await ask(other.live, { from }))).toBe('401 INVALID_CREDENTIALS')
  })

  test('a public key cannot speak for another address, and what is no address is refused', async () => {
    const { key } = await side.makeKey({ type: 'public' })
    const from = '203.0.113.8'
    for (let i = 0; i < 20; i++)
      await side.as(key).post(
        '/auth/refresh',
        { refresh_token: 'x' },
        {
          from,
          headers: { 'x-client-ip': `198.51.100.${i}` },
        },
      )
    expect(refusalOf(await side.as(key).post('/auth/refresh', { refresh_token: 'x' }, { from }))).toBe(
      '429 RATE_LIMITED',
    )
    const odd = await side.admin.post(
      '/auth/refresh',
      { refresh_token: 'x' },
      {
        headers: { 'x-client-ip': 'example.com' },
      },
    )
    expect(odd).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETERS' } })
  })

  test('replaces a hash that was made with other parameters', async () => {
    const { email } = await side.makeMember()
    const old = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
    await api.owner.query(
      `insert into member_passwords (project_id, id, hash, updated_at) select project_id, id, $2, now() from members where email = $1`,
      [email, old],
    )
    expect((await logIn(email)).status).toBe(200)
    const { rows } = await api.owner.query<{ hash: string }>(
      'select hash from member_passwords p join members m using (project_id, id) where email = $1',
      [email],
    )
    expect(rows[0]?.hash).not.toContain('m=8192')
    expect((await logIn(email)).status).toBe(200)
  })

  test('passwords of 128 emoji log in', async () => {
    const password = '🔑'.repeat(128)
    const { email } = await side.makeMember({ password })
    expect((await logIn(email, password)).status).toBe(200)
    expect(refusalOf(await logIn(email, '🔑'.repeat(127)))).toBe('401 INVALID_CREDENTIALS')
    expect(refusalOf(await logIn(email, '🔑'.repeat(129)))).toBe('422 VALIDATION_ERROR')
  })
})

test('the published keys are those that sign, without what signs', async () => {
  const { session } = await newSession()
  const { body } = await api.send<{ keys: { kid: string; d?: string; alg: string }[] }>(
    'GET',
    '/.well-known/jwks.json',
  )
  expect(body.keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(session.access_token).kid)
  expect(body.keys.every((key) => key.d === undefined && key.alg === 'ES256')).toBe(true)
})
