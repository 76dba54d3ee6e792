import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { parseId, toId } from '#platform/ids.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import type { TestApi } from '#testkit/api.ts'
import {
  callConsole,
  cookieIn,
  fromConsole,
  makeOperator,
  PASSWORD,
  setRole,
  type TestOperator,
} from '#testkit/areas/console.ts'
import type { TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'

let api: TestApi
let project: TestProject
let other: TestProject
let operator: TestOperator

withProjects(async (opened, one, two) => {
  api = opened
  project = one
  other = two
  operator = await makeOperator(api)
})

interface Failure {
  readonly code: string
  readonly reason?: string
}

/** An operator with a role in the project. */
async function withRole(role: 'viewer' | 'admin' | 'owner') {
  const made = await makeOperator(api)
  await setRole(api, project.live.projectId, made.id, role)
  return made
}

describe('log-in', () => {
  test('answers an access token and puts the refresh token into a cookie that no script and no other site uses', async () => {
    const { email } = operator
    const answer = await callConsole<Record<string, unknown>>(api, 'POST', '/login', {
      body: { email, password: PASSWORD },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      operator: { id: operator.publicId, email, full_name: '' },
      session: {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: expect.closeTo(3_600, -1),
        expires_at: expect.any(String),
      },
    })
    expect(answer.headers['set-cookie']).toMatch(
      /^guildhall_console=[\w-]{43}; Max-Age=604800; Path=\/console\/api; HttpOnly; SameSite=Strict$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('is refused with a wrong password as for an unknown address', async () => {
    for (const email of [operator.email, 'nobody@example.com']) {
      const answer = await callConsole(api, 'POST', '/login', { body: { email, password: 'wrong wrong' } })
      expect(refusalOf(answer)).toBe('401 INVALID_CREDENTIALS')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('does not let members of customers’ projects in', async () => {
    const { token } = await project.live.signIn()
    const answer = await callConsole<Failure>(api, 'GET', '/me', { key: token })
    expect([answer.status, answer.body.reason]).toEqual([401, 'not_operator'])
    for (const key of [project.live.key, await (await withRole('owner')).tokenFor(project.project.id)])
      expect((await callConsole(api, 'GET', '/me', { key })).status).toBe(401)
  })

  test('does not open /api/v1 by its access token', async () => {
    for (const path of ['/user/profile', '/members', '/discussions', '/auth/sessions'])
      expect(refusalOf(await api.send('GET', `/api/v1${path}`, { key: operator.accessToken }))).toBe(
        '403 INSUFFICIENT_PERMISSIONS',
      )
  })

  test.each(['/signup', '/magic-link'])(
    'makes nobody an operator by %s while sign-up is closed',
    async (path) => {
      const email = 'stranger@example.com'
      const body = path === '/signup' ? { email, password: PASSWORD } : { email, create_member: true }
      expect(refusalOf(await callConsole(api, 'POST', path, { body }))).toBe('403 INSUFFICIENT_PERMISSIONS')
    },
  )
})

describe('a session', () => {
  test('is refreshed by its cookie, and each cookie works once', async () => {
    const { cookie } = await makeOperator(api)
    const first = await callConsole<Record<string, unknown>>(api, 'POST', '/refresh', { headers: { cookie } })
    expect(first.status).toBe(200)
    expect(first.body['session']).not.toHaveProperty('refresh_token')
    const next = cookieIn(first.headers['set-cookie'])
    expect(next).not.toBe(cookie)
    expect((await callConsole(api, 'POST', '/refresh', { headers: { cookie: next } })).status).toBe(200)
    const stolen = await callConsole<Failure>(api, 'POST', '/refresh', { headers: { cookie } })
    expect([stolen.status, stolen.body.reason]).toEqual([401, 'reused'])
    expect(stolen.headers['set-cookie']).toMatch(/^guildhall_console=; Max-Age=0;/)
    expect((await callConsole<Failure>(api, 'POST', '/refresh')).body.reason).toBe('unknown_token')
  })

  test('leaves nothing that a thief can use after log-out, in less than a second', async () => {
    const thief = await withRole('admin')
    const token = await thief.tokenFor(project.project.id)
    expect((await api.send('GET', '/api/v1/members', { key: token })).status).toBe(200)
    const out = await thief.call('POST', '/logout')
    expect(out.status).toBe(200)
    expect(out.headers['set-cookie']).toMatch(/^guildhall_console=; Max-Age=0;/)
    await within(1_000, async () => {
      const { body } = await api.send<Failure>('GET', '/api/v1/members', { key: token })
      expect(body.reason).toBe('session_ended')
    })
    expect((await thief.call<Failure>('GET', '/me')).body.reason).toBe('session_ended')
    const again = await callConsole<Failure>(api, 'POST', '/refresh', { headers: { cookie: thief.cookie } })
    expect(again.body.reason).toBe('session_ended')
  })

  test('ends when the operator is deactivated', async () => {
    const gone = await withRole('admin')
    const token = await gone.tokenFor(project.project.id)
    await api.owner.query("select set_config('app.project_id', $1, false)", [OPERATORS_PROJECT])
    await api.owner.query("update members set status = 'inactive' where id = $1", [gone.id])
    const reason = async (key: string, path: string) =>
      (await api.send<Failure>('GET', path, { key })).body.reason
    await expect.poll(() => reason(token, '/api/v1/members'), SOON).toBe('session_ended')
    await expect.poll(() => reason(gone.accessToken, '/console/api/me'), SOON).toBe('session_ended')
  })
})

describe('another site', () => {
  test.each<[string, Record<string, string>]>([
    ['without an origin', { 'x-guildhall-console': '1' }],
    ['of another origin', { origin: 'https://evil.example', 'x-guildhall-console': '1' }],
    ['that has no origin', { origin: 'null', 'x-guildhall-console': '1' }],
    ['with another port', { origin: 'http://127.0.0.1:1', 'x-guildhall-console': '1' }],
    ['without the header', { origin: 'http://127.0.0.1:0' }],
  ])('cannot change anything by a request %s', async (_, headers) => {
    const { cookie, accessToken } = operator
    for (const [method, path] of [
      ['POST', '/refresh'],
      ['POST', '/logout'],
      ['POST', '/projects'],
      ['PATCH', '/me'],
    ] as const) {
      const answer = await api.send(method, `/console/api${path}`, {
        key: accessToken,
        headers: { cookie, ...headers },
        body: path === '/projects' ? { name: 'Forged' } : {},
      })
      expect(refusalOf(answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
    }
    expect((await operator.call('GET', '/me')).status).toBe(200)
  })

  test('cannot read an answer, and cannot frame it', async () => {
    const origin = 'https://evil.example'
    const answer = await api.send('GET', '/console/api/me', {
      key: operator.accessToken,
      headers: { origin },
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const preflight = await api.send('OPTIONS', '/console/api/projects', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('projects', () => {
  test('belong to the operator who makes them, and no other operator learns of them', async () => {
    const made = await operator.call<{ data: { id: string } }>('POST', '/projects', { name: 'Mine' })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    expect(made.body.data).toMatchObject({ name: 'Mine', tier: 'free', role: 'owner' })
    const stranger = await makeOperator(api)
    for (const [method, path, body] of [
      ['GET', `/projects/${id}`],
      ['PATCH', `/projects/${id}`, { name: 'Taken' }],
      ['POST', `/projects/${id}/token`, { environment: 'live' }],
    ] as const)
      expect(refusalOf(await stranger.call(method, path, body))).toBe('404 NOT_FOUND')
    const listed = await stranger.call<{ data: unknown[] }>('GET', '/projects')
    expect(listed.body.data).toEqual([])
    const own = await operator.call<{ data: { id: string }[] }>('GET', '/projects?search=MINE')
    expect(own.body.data.map((each) => each.id)).toContain(id)
  })

  test('are all seen by administrators of the installation, whom that lets into no data', async () => {
    const chief = await makeOperator(api, { administrator: true })
    const { id } = project.project
    expect((await chief.call('GET', `/projects/${id}`)).body).toMatchObject({ data: { id, role: null } })
    expect(
      (await chief.call<{ data: { id: string }[] }>('GET', '/projects')).body.data.length,
    ).toBeGreaterThan(1)
    expect((await chief.call('POST', `/projects/${id}/token`, { environment: 'live' })).status).toBe(404)
    expect((await chief.call('GET', '/me')).body).toMatchObject({ data: { is_administrator: true } })
  })

  test('are walked in pages', async () => {
    const walker = await makeOperator(api)
    for (const name of ['A', 'B', 'C']) await walker.call('POST', '/projects', { name })
    type Page = { data: { name: string }[]; pagination: { next_cursor: string | null } }
    const first = await walker.call<Page>('GET', '/projects?limit=2')
    expect(first.body.data.map(({ name }) => name)).toEqual(['C', 'B'])
    const cursor = first.body.pagination.next_cursor
    const second = await walker.call<Page>('GET', `/projects?limit=2&cursor=${cursor}`)
    expect(second.body).toMatchObject({ data: [{ name: 'A' }], pagination: { next_cursor: null } })
    expect(refusalOf(await walker.call('GET', '/projects?cursor=x'))).toBe('400 INVALID_PARAMETERS')
  })

  test('do not include the built-in one, whoever names it', async () => {
    const chief = await makeOperator(api, { administrator: true })
    const id = toId('project', OPERATORS_PROJECT)
    expect(refusalOf(await chief.call('GET', `/projects/${id}`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await chief.call('GET', '/projects/none'))).toBe('404 NOT_FOUND')
  })

  test('are renamed by an admin, with an entry of the audit log, and not by a viewer', async () => {
    const { id } = project.project
    const viewer = await withRole('viewer')
    expect(refusalOf(await viewer.call('PATCH', `/projects/${id}`, { name: 'No' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    const admin = await withRole('admin')
    const renamed = await admin.call('PATCH', `/projects/${id}`, { name: 'Renamed' })
    expect(renamed.body).toMatchObject({ data: { id, name: 'Renamed', role: 'admin' } })
    expect((await admin.call('PATCH', `/projects/${id}`, { name: 'Renamed' })).status).toBe(200)
    for (const [method, path] of [
      ['PATCH', `/projects/${id}`],
      ['POST', '/projects'],
    ] as const)
      expect(refusalOf(await admin.call(method, path, { name: ' \u3000 ' }))).toBe('422 VALIDATION_ERROR')
    const { rows } = await api.owner.query(
      "select actor_kind, actor_id, action, target, before, after from audit_log where target = $1 and action = 'project.rename'",
      [id],
    )
    expect(rows).toEqual([
      {
        ...{ actor_kind: 'operator', actor_id: admin.publicId, action: 'project.rename', target: id },
        ...{ before: { name: 'One' }, after: { name: 'Renamed' } },
      },
    ])
  })
})

describe('an operator token', () => {
  test('opens one side of one project by the role', async () => {
    const admin = await withRole('admin')
    const { id } = project.project
    const live = await admin.tokenFor(id)
    const member = await project.live.makeMember()
    const found = await api.send<{ data: { id: string } }>('GET', `/api/v1/members/${member.id}`, {
      key: live,
    })
    expect(found.status).toBe(200)
    const test = await admin.tokenFor(id, 'test')
    expect((await api.send('GET', `/api/v1/members/${member.id}`, { key: test })).status).toBe(404)
    const foreign = await other.live.makeMember()
    expect((await api.send('GET', `/api/v1/members/${foreign.id}`, { key: live })).status).toBe(404)
    const made = await api.send('POST', '/api/v1/members', { key: live, body: { email: 'new@example.com' } })
    expect(made.status).toBe(201)
  })

  test('of a viewer reads and changes nothing', async () => {
    const viewer = await withRole('viewer')
    const key = await viewer.tokenFor(project.project.id)
    expect((await api.send('GET', '/api/v1/members', { key })).status).toBe(200)
    const body = { email: 'never@example.com' }
    expect(refusalOf(await api.send('POST', '/api/v1/members', { key, body }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test('ends when the role ends or changes, in less than a second', async () => {
    const { id } = project.project
    const { projectId } = project.live
    const admin = await withRole('admin')
    const reason = async (key: string) =>
      (await api.send<Failure>('GET', '/api/v1/members', { key })).body.reason
    const first = await admin.tokenFor(id)
    expect(await reason(first)).toBeUndefined()
    await setRole(api, projectId, admin.id, 'viewer')
    await within(1_000, async () => expect(await reason(first)).toBe('role_ended'))
    const second = await admin.tokenFor(id)
    expect(await reason(second)).toBeUndefined()
    await setRole(api, projectId, admin.id, null)
    await within(1_000, async () => expect(await reason(second)).toBe('role_ended'))
    expect((await admin.call('POST', `/projects/${id}/token`, { environment: 'live' })).status).toBe(404)
  })

  test('is named in history and audit log, with an idempotency key of its own', async () => {
    const admin = await withRole('admin')
    const second = await withRole('admin')
    const { id } = project.project
    const headers = { 'idempotency-key': 'the same for all' }
    const create = async (key: string, email: string) =>
      api.send('POST', '/api/v1/members', { key, headers, body: { email } })
    const emails = ['one@idem.example', 'two@idem.example', 'three@idem.example'] as const
    expect((await create(await admin.tokenFor(id), emails[0])).status).toBe(201)
    expect((await create(await second.tokenFor(id), emails[1])).status).toBe(201)
    expect((await create(project.live.key, emails[2])).status).toBe(201)
    expect((await create(await admin.tokenFor(id), emails[0])).headers['idempotent-replayed']).toBe('true')
  })

  test('counts for the operator and uses up nothing of the project', async () => {
    const admin = await withRole('admin')
    const key = await admin.tokenFor(project.project.id)
    const answer = await api.send('GET', '/api/v1/members', { key })
    expect(answer.headers['ratelimit-policy']).toBe('"operator";q=600;w=60')
    const before = await api.send('GET', '/api/v1/members', { key: project.live.key })
    for (let i = 0; i < 3; i++) await api.send('GET', '/api/v1/members', { key })
    const after = await api.send('GET', '/api/v1/members', { key: project.live.key })
    const left = ({ headers }: typeof after) => Number(headers['x-ratelimit-remaining'])
    expect(left(before) - left(after)).toBe(1)
  })

  test('acts for the member that it names, as a secret key does', async () => {
    const admin = await withRole('admin')
    const key = await admin.tokenFor(project.project.id)
    const author = await project.live.member()
    const body = { title: 'By an operator', content: 'Hello', category: 'general', author_id: author }
    const made = await api.send<{ discussion: { author_id: string } }>('POST', '/api/v1/discussions', {
      key,
      body,
    })
    expect([made.status, made.body.discussion.author_id]).toEqual([201, author])
  })

  test('is refused where a clock that is an hour off has issued it', async () => {
    const admin = await withRole('admin')
    const claims = decodeJwt(await admin.tokenFor(project.project.id))
    const { id: kid, privateKey } = await api.deps.signingKeys.signer()
    const issuedAfter = async (seconds: number) => {
      const { iat = 0, exp = 0 } = claims
      const key = await new SignJWT({ ...claims, iat: iat + seconds, exp: exp + seconds })
        .setProtectedHeader({ alg: 'ES256', typ: 'op+jwt', kid })
        .sign(privateKey)
      const { status, body } = await api.send<Failure>('GET', '/api/v1/members', { key })
      return status === 200 ? 'let in' : `${status} ${body.reason}`
    }
    expect(await issuedAfter(0)).toBe('let in')
    // Clocks of servers differ by seconds.
    expect(await issuedAfter(20)).toBe('let in')
    expect(await issuedAfter(3_600)).toBe('401 bad_signature')
    expect(await issuedAfter(-3_600)).toBe('401 expired')
  })

  test('is no token of a member, and a member’s token is no operator’s', async () => {
    const admin = await withRole('owner')
    const key = await admin.tokenFor(project.project.id)
    expect(refusalOf(await api.send('GET', '/api/v1/user/profile', { key }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    const [header, payload, signature] = key.split('.')
    const typ = (type: string) =>
      Buffer.from(
        JSON.stringify({ ...JSON.parse(Buffer.from(header ?? '', 'base64url').toString()), typ: type }),
      ).toString('base64url')
    const changed = `${typ('at+jwt')}.${payload}.${signature}`
    expect((await api.send<Failure>('GET', '/api/v1/members', { key: changed })).body.reason).toBe(
      'bad_signature',
    )
    const { token } = await project.live.signIn()
    const [memberHeader, ...rest] = token.split('.')
    const asOperator = JSON.parse(Buffer.from(memberHeader ?? '', 'base64url').toString())
    const forged = [
      Buffer.from(JSON.stringify({ ...asOperator, typ: 'op+jwt' })).toString('base64url'),
      ...rest,
    ]
    expect((await api.send<Failure>('GET', '/api/v1/members', { key: forged.join('.') })).body.reason).toBe(
      'bad_signature',
    )
  })
})

test('the document of the console has its routes, and the one of customers has none of them', () => {
  const inConsole = Object.keys((api.api.consoleSwagger() as { paths: object }).paths)
  expect(inConsole).toContain('/console/api/projects/{id}/token')
  expect(inConsole.every((path) => path.startsWith('/console/api/'))).toBe(true)
  expect(api.contract.endpoints.filter(({ path }) => path.includes('console'))).toEqual([])
  expect(parseId('project', project.project.id)).toBe(project.live.projectId)
  expect(Object.keys(fromConsole(api))).toEqual(['origin', 'x-guildhall-console'])
})
