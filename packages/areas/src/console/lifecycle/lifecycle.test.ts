import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import {
  callConsole,
  loggedInBefore,
  logInOperator,
  makeOperator,
  PASSWORD,
  setRole,
  type TestOperator,
} from '#testkit/areas/console.ts'
import type { TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'

let api: TestApi
let one: TestProject

withNewProjects((opened, first) => {
  api = opened
  one = first
})

/** An operator with a role in the project, or an administrator of the installation. */
async function operatorWith(role: 'viewer' | 'admin' | 'owner' | 'administrator'): Promise<TestOperator> {
  if (role === 'administrator') return makeOperator(api, { administrator: true })
  const operator = await makeOperator(api)
  await setRole(api, one.live.projectId, operator.id, role)
  return operator
}
const path = (verb: string) => `/projects/${one.project.id}/${verb}`
const answerOf = async (key: string) => (await api.send('GET', '/api/v1/api-keys/self', { key })).status
const actsOf = async () =>
  (
    await api.owner.query(
      'select action, actor_id, reason from project_acts where live_id = $1 order by id',
      [one.live.projectId],
    )
  ).rows

test('administrators alone suspend, resume and limit a project, and owners delete and restore it', async () => {
  const operators = {
    viewer: await operatorWith('viewer'),
    admin: await operatorWith('admin'),
    owner: await operatorWith('owner'),
    administrator: await operatorWith('administrator'),
  }
  const refused = async (operator: TestOperator, method: string, verb: string, body?: object) =>
    refusalOf(await operator.call(method, path(verb), body))
  const forbidden = '403 INSUFFICIENT_PERMISSIONS'
  for (const operator of [operators.viewer, operators.admin, operators.owner]) {
    expect(await refused(operator, 'POST', 'suspend', {})).toBe(forbidden)
    expect(await refused(operator, 'POST', 'resume')).toBe(forbidden)
    expect(await refused(operator, 'PATCH', 'limits', { tier: 'pro' })).toBe(forbidden)
  }
  for (const operator of [operators.viewer, operators.admin]) {
    expect(await refused(operator, 'POST', 'delete', { name: one.project.name })).toBe(forbidden)
    expect(await refused(operator, 'POST', 'restore')).toBe(forbidden)
  }
  const stranger = await makeOperator(api)
  expect(await refused(stranger, 'POST', 'delete', { name: one.project.name })).toBe('404 NOT_FOUND')
  expect(await refused(stranger, 'GET', 'usage')).toBe('404 NOT_FOUND')
  expect(await actsOf()).toEqual([])
  for (const operator of [operators.viewer, operators.administrator])
    expect((await operator.call('GET', path('usage'))).status).toBe(200)
})

test('a project that is suspended in the console answers 403 until it is resumed, and the acts name the operator', async () => {
  const operator = await operatorWith('administrator')
  const suspended = await operator.call<{ data: { suspended_at: string } }>('POST', path('suspend'), {
    reason: 'Unpaid',
  })
  expect([suspended.status, typeof suspended.body.data.suspended_at]).toEqual([200, 'string'])
  await within(1_000, async () => expect(await answerOf(one.live.key)).toBe(403))
  expect((await operator.call('POST', path('resume'))).status).toBe(200)
  await within(1_000, async () => expect(await answerOf(one.live.key)).toBe(200))
  expect(await actsOf()).toEqual([
    { action: 'project.suspend', actor_id: operator.publicId, reason: 'Unpaid' },
    { action: 'project.resume', actor_id: operator.publicId, reason: null },
  ])
})

test('an owner deletes a project by its name, and restores it', async () => {
  const owner = await operatorWith('owner')
  const wrong = await owner.call<{ details: unknown[] }>('POST', path('delete'), { name: 'Another' })
  expect([refusalOf(wrong), wrong.body.details]).toEqual([
    '422 VALIDATION_ERROR',
    [expect.objectContaining({ field: 'name' })],
  ])
  const { status, body } = await owner.call<{ data: { deleted_at: string; remove_after: string } }>(
    ...(['POST', path('delete'), { name: one.project.name }] as const),
  )
  expect(status).toBe(200)
  const { deleted_at, remove_after } = body.data
  expect(Date.parse(remove_after) - Date.parse(deleted_at)).toBe(7 * 86_400_000)
  await within(1_000, async () => expect(await answerOf(one.live.key)).toBe(401))
  expect((await owner.call('POST', path('restore'))).status).toBe(200)
  await within(1_000, async () => expect(await answerOf(one.live.key)).toBe(200))
  expect(refusalOf(await owner.call('POST', path('restore')))).toBe('404 NOT_FOUND')
})

test('limits change on the side that is named, the tier on both, and nothing changes where one is wrong', async () => {
  const operator = await operatorWith('administrator')
  const change = (body: object) =>
    operator.call<{ data: { environment: string; tier: string; rate_limit: number | null }[] }>(
      'PATCH',
      path('limits'),
      body,
    )
  const { body } = await change({
    environment: 'live',
    tier: 'business',
    rate_limit: 77,
    limits: { member: 5 },
  })
  expect(body.data).toEqual([
    { environment: 'live', tier: 'business', rate_limit: 77, storage_quota: null, own_limits: { member: 5 } },
    { environment: 'test', tier: 'business', rate_limit: 1_000_000, storage_quota: null, own_limits: {} },
  ])
  expect(refusalOf(await change({ tier: 'pro', rate_limit: 0 }))).toBe('422 VALIDATION_ERROR')
  expect(refusalOf(await change({ tier: 'gold' }))).toBe('422 VALIDATION_ERROR')
  const again = await change({ rate_limit: null, limits: { member: null }, storage_quota: 1_000 })
  expect(again.body.data).toEqual(
    ['live', 'test'].map((environment) => ({
      ...{ environment, tier: 'business', rate_limit: null, storage_quota: 1_000, own_limits: {} },
    })),
  )
  const read = await operator.call<{ data: unknown }>('GET', path('limits'))
  expect(read.body.data).toEqual(again.body.data)
  expect(refusalOf(await (await operatorWith('owner')).call('GET', path('limits')))).toBe(
    '403 INSUFFICIENT_PERMISSIONS',
  )
})

const CREATED = /\/(team|invitations)$/

test('what cannot be undone needs a log-in within 10 minutes, and new tokens of a session are none', async () => {
  const owner = await operatorWith('owner')
  const second = await operatorWith('owner')
  const viewer = await operatorWith('viewer')
  const chief = await operatorWith('administrator')
  const team = path(`team/${second.publicId}`)
  const asked: [TestOperator, string, string, object?][] = [
    [owner, 'DELETE', team],
    [owner, 'PATCH', team, { role: 'admin' }],
    // Whoever is made an owner can remove the others.
    [owner, 'PATCH', path(`team/${viewer.publicId}`), { role: 'owner' }],
    [owner, 'POST', path('team'), { operator_id: chief.publicId, role: 'owner' }],
    [owner, 'POST', path('invitations'), { email: 'heir@example.com', role: 'owner' }],
    [owner, 'POST', path('transfer'), { operator_id: second.publicId }],
    [owner, 'POST', path('delete'), { name: one.project.name }],
    [chief, 'POST', path('suspend'), {}],
  ]
  await loggedInBefore(api, owner.id, '11 minutes')
  await loggedInBefore(api, chief.id, '11 minutes')
  const renewed = await callConsole<{ session: { access_token: string } }>(api, 'POST', '/refresh', {
    headers: { cookie: owner.cookie },
  })
  const key = renewed.body.session.access_token
  for (const [operator, method, at, body] of asked)
    expect(refusalOf(await operator.call(method, at, body, operator === owner ? { key } : {}))).toBe(
      '403 RECENT_LOGIN_REQUIRED',
    )
  expect(await actsOf()).toEqual([])
  const { body } = await owner.call<{ data: { role: string }[] }>('GET', path('team'))
  expect(body.data.map(({ role }) => role)).toEqual(['owner', 'owner', 'viewer'])
  // What can be undone does not ask for it.
  expect((await owner.call('PATCH', path('').slice(0, -1), { name: one.project.name })).status).toBe(200)
  for (const [operator, method, at, sent] of asked.filter(([, method]) => method !== 'PATCH')) {
    if (at.startsWith(path('team/'))) continue
    const { token } = await logInOperator(api, operator.email)
    await loggedInBefore(api, operator.id, '9 minutes')
    const back = await operator.call(method, at, sent, { key: token })
    expect([at, back.status]).toEqual([at, CREATED.test(at) ? 201 : 200])
    if (at === path('transfer')) await setRole(api, one.live.projectId, owner.id, 'owner')
    if (at === path('delete')) await operator.call('POST', path('restore'), undefined, { key: token })
  }
})

test('a confirmation by password counts as a log-in, and a wrong one does not', async () => {
  const owner = await operatorWith('owner')
  await loggedInBefore(api, owner.id, '11 minutes')
  const remove = async () => owner.call('POST', path('delete'), { name: one.project.name })
  const confirm = async (body: object) => refusalOf(await owner.call('POST', '/confirm', body))
  expect(await confirm({ password: 'another password' })).toBe('401 INVALID_CREDENTIALS')
  expect(await confirm({ code: '123456' })).toBe('422 INVALID_CODE')
  expect(await confirm({})).toBe('422 VALIDATION_ERROR')
  expect(await confirm({ password: PASSWORD, code: '123456' })).toBe('422 VALIDATION_ERROR')
  expect(refusalOf(await remove())).toBe('403 RECENT_LOGIN_REQUIRED')
  const { status, body } = await owner.call<{ data: { until: string } }>('POST', '/confirm', {
    password: PASSWORD,
  })
  expect([status, Math.round((Date.parse(body.data.until) - Date.now()) / 60_000)]).toEqual([200, 10])
  expect((await remove()).status).toBe(200)
  await owner.call('POST', path('restore'))
  // It is of this session alone, and runs out.
  const other = await logInOperator(api, owner.email)
  await loggedInBefore(api, owner.id, '11 minutes')
  const elsewhere = await owner.call('POST', path('delete'), { name: one.project.name }, { key: other.token })
  expect(refusalOf(elsewhere)).toBe('403 RECENT_LOGIN_REQUIRED')
  await api.owner.query(
    "update sessions set proven_at = now() - interval '11 minutes' where member_id = $1",
    [owner.id],
  )
  expect(refusalOf(await remove())).toBe('403 RECENT_LOGIN_REQUIRED')
})

test('a token that was stolen adds no way to log in and changes no address later than 10 minutes after the log-in', async () => {
  const who = await makeOperator(api)
  await loggedInBefore(api, who.id, '11 minutes')
  for (const [method, path, body] of [
    ['POST', '/mfa/totp', {}],
    ['POST', '/passkeys/options', {}],
    ['PATCH', '/me', { email: 'thief@example.com' }],
  ] as const)
    expect([path, refusalOf(await who.call(method, path, body))]).toEqual([path, '403 RECENT_LOGIN_REQUIRED'])
  expect((await who.call('PATCH', '/me', { full_name: 'Ada' })).status).toBe(200)
  expect((await who.call('POST', '/confirm', { password: PASSWORD })).status).toBe(200)
  expect((await who.call('POST', '/mfa/totp', {})).status).toBe(201)
})

test('an operator with an authenticator app confirms by a code of it, and not by the password alone', async () => {
  const owner = await operatorWith('owner')
  interface App {
    readonly data: { readonly id: string; readonly secret: string; readonly recovery_codes: string[] }
  }
  const { body: begun } = await owner.call<App>('POST', '/mfa/totp', {})
  const code = new TOTP({ secret: Secret.fromBase32(begun.data.secret) }).generate()
  const { body: confirmed } = await owner.call<App>('POST', '/mfa/totp/verify', {
    ...{ factor_id: begun.data.id, code },
  })
  await loggedInBefore(api, owner.id, '11 minutes')
  const confirm = async (body: object) => refusalOf(await owner.call('POST', '/confirm', body))
  expect(await confirm({ password: PASSWORD })).toBe('422 FACTOR_REQUIRED')
  const remove = async () => owner.call('POST', path('delete'), { name: one.project.name })
  expect(refusalOf(await remove())).toBe('403 RECENT_LOGIN_REQUIRED')
  // A code is taken once.
  expect(await confirm({ code })).toBe('422 INVALID_CODE')
  const [recovery = ''] = confirmed.data.recovery_codes
  expect((await owner.call('POST', '/confirm', { code: recovery })).status).toBe(200)
  expect(await confirm({ code: recovery })).toBe('422 INVALID_CODE')
  expect((await remove()).status).toBe(200)
  await owner.call('POST', path('restore'))
})

test('an operator who does nothing is logged out as an owner wants it, and requests of a page by itself are no work', async () => {
  const [owner, admin] = [await operatorWith('owner'), await operatorWith('admin')]
  const security = path('security')
  const wanted = (who: TestOperator, idle_minutes: number | null) =>
    who.call('PATCH', security, { idle_minutes })
  expect(refusalOf(await wanted(admin, 5))).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await wanted(owner, 4))).toBe('422 VALIDATION_ERROR')
  expect((await wanted(owner, 15)).status).toBe(200)
  const me = async () => admin.call<{ data: { idle_minutes: number | null } }>('GET', '/me')
  expect((await me()).body.data.idle_minutes).toBe(15)
  const idleFor = (minutes: number) =>
    api.owner.query(
      `update sessions set active_at = now() - make_interval(mins => $2), created_at = now() - interval '1 day'
       where member_id = $1`,
      [admin.id, minutes],
    )
  await idleFor(14)
  expect((await me()).status).toBe(200)
  await idleFor(14)
  expect((await admin.call('POST', '/activity')).status).toBe(200)
  await idleFor(16)
  expect(refusalOf(await me())).toBe('401 INVALID_TOKEN')
  expect(refusalOf(await admin.call('POST', '/activity'))).toBe('401 INVALID_TOKEN')
  const token = path('token')
  expect(refusalOf(await admin.call('POST', token, { environment: 'live' }))).toBe('401 INVALID_TOKEN')
  const renewed = await callConsole(api, 'POST', '/refresh', { headers: { cookie: admin.cookie } })
  expect(refusalOf(renewed)).toBe('401 INVALID_TOKEN')
  // The session has ended: what was wanted no longer matters.
  expect((await wanted(owner, null)).status).toBe(200)
  expect(refusalOf(await me())).toBe('401 INVALID_TOKEN')
  const again = await logInOperator(api, admin.email)
  const body = await admin.call<{ data: { idle_minutes: number | null } }>('GET', '/me', undefined, {
    key: again.token,
  })
  expect(body.body.data.idle_minutes).toBe(null)
  expect(await actsInLog()).toEqual(['project.security', 'project.security'])
})

/** Acts of the live side's log, the newest first. */
const actsInLog = async () =>
  (
    await api.owner.query<{ action: string }>(
      "select action from audit_log where project_id = $1 and action = 'project.security' order by id desc",
      [one.live.projectId],
    )
  ).rows.map(({ action }) => action)
