import { expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'

const PASSWORD = 'correct horse battery'
interface Listed {
  data: { id: string; ip: string; user_agent: string; current: boolean; amr: string[]; aal: string }[]
}

let side: Side
let other: Side

withProjects((_api, one, another) => {
  side = one.live
  other = another.live
})

const isIn = async (token: string) => (await side.as(token).get('/user/profile')).status === 200

test('a member sees where they are logged in, and from where', async () => {
  const { email } = await side.makeMember({ password: PASSWORD })
  const logIn = (headers: Record<string, string>) =>
    side.admin.post<{ session: { access_token: string } }>(
      '/auth/login',
      { email, password: PASSWORD },
      { headers },
    )
  await logIn({ 'user-agent': 'Phone', 'x-client-ip': '2001:db8::1' })
  const { body } = await logIn({ 'user-agent': `Laptop ${'x'.repeat(2_000)}`, 'x-client-ip': '192.0.2.7' })
  const { data } = (await side.as(body.session.access_token).get<Listed>('/auth/sessions')).body
  expect(data).toHaveLength(2)
  expect(data[0]).toMatchObject({ ip: '192.0.2.7', current: true, amr: ['password'], aal: 'aal1' })
  expect(data[0]?.user_agent).toMatch(/^Laptop x+$/)
  expect(data[0]?.user_agent).toHaveLength(512)
  expect(data[1]).toMatchObject({ ip: '2001:db8::1', user_agent: 'Phone', current: false })
})

test('a session is ended by its own member, once', async () => {
  const here = await side.signIn()
  const there = await side.signIn(here.memberId)
  const stranger = await side.signIn()
  const end = (token: string, id: string) => side.as(token).delete(`/auth/sessions/${id}`)
  expect(refusalOf(await end(stranger.token, there.sessionId))).toBe('404 NOT_FOUND')
  expect((await end(here.token, there.sessionId)).status).toBe(200)
  expect(refusalOf(await end(here.token, there.sessionId))).toBe('404 NOT_FOUND')
  await within(1_000, async () => expect(await isIn(there.token)).toBe(false))
  expect(await isIn(here.token)).toBe(true)
})

test.each([
  ['this', 1, [false, true, true]],
  ['others', 2, [true, false, false]],
  ['all', 3, [false, false, false]],
] as const)('logging out of %s ends %i', async (scope, ended, left) => {
  const here = await side.signIn()
  const sessions = [here, await side.signIn(here.memberId), await side.signIn(here.memberId)]
  const stranger = await side.signIn()
  expect(await side.as(here.token).post('/auth/logout', { scope })).toMatchObject({
    status: 200,
    body: { data: { ended } },
  })
  await within(1_000, async () =>
    expect(await Promise.all(sessions.map(({ token }) => isIn(token)))).toEqual(left),
  )
  expect(await isIn(stranger.token)).toBe(true)
})

test('logging out without a body ends the session that asks', async () => {
  const { token } = await side.signIn()
  expect(await side.as(token).post('/auth/logout')).toMatchObject({
    status: 200,
    body: { data: { ended: 1 } },
  })
})

test('an operator ends all sessions of a member, and of no other project’s', async () => {
  const { memberId, token } = await side.signIn()
  expect(refusalOf(await other.admin.delete(`/members/${memberId}/sessions`))).toBe('404 NOT_FOUND')
  expect(await side.admin.delete(`/members/${memberId}/sessions`)).toMatchObject({
    status: 200,
    body: { data: { ended: 1 } },
  })
  await within(1_000, async () => expect(await isIn(token)).toBe(false))
})

test('a member who comes back has to log in again', async () => {
  const { memberId, token } = await side.signIn()
  await side.admin.patch(`/members/${memberId}`, { status: 'inactive' })
  await side.admin.patch(`/members/${memberId}`, { status: 'active' })
  await within(1_000, async () => expect(await isIn(token)).toBe(false))
})

test('somebody who is deactivated while logging in does not get in', async () => {
  const { id, email } = await side.makeMember({ password: PASSWORD })
  const [, ...logins] = await Promise.all([
    side.admin.patch(`/members/${id}`, { status: 'inactive' }),
    ...Array.from({ length: 6 }, () =>
      side.admin.post<{ session?: { access_token: string } }>('/auth/login', { email, password: PASSWORD }),
    ),
  ])
  for (const { body } of logins) {
    const token = body.session?.access_token
    if (token) await within(1_000, async () => expect(await isIn(token)).toBe(false))
  }
})

test('an operator sees where a member is logged in, and no other project does', async () => {
  const { memberId, sessionId } = await side.signIn()
  const ended = await side.signIn(memberId)
  await side.as(ended.token).post('/auth/logout')
  expect(refusalOf(await other.admin.get(`/members/${memberId}/sessions`))).toBe('404 NOT_FOUND')
  const { data } = (await side.admin.get<Listed>(`/members/${memberId}/sessions`)).body
  expect(data).toMatchObject([{ id: sessionId, ip: '192.0.2.1', user_agent: 'tests', current: false }])
  const { key } = await side.makeKey({ permissions: ['read:plans'] })
  expect(refusalOf(await side.as(key).get(`/members/${memberId}/sessions`))).toBe(
    '403 INSUFFICIENT_PERMISSIONS',
  )
})
