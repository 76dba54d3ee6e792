import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { challengeOf, newVerifier } from '#testkit/areas/auth/sso.ts'
import { callConsole, cookieIn, makeOperator, type TestOperator } from '#testkit/areas/console.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { type OidcServer, startOidcServer } from '#testkit/servers/oidc-provider.ts'
import { examineIssuer } from '../sso/examine-issuer.ts'

// Operators log in by the provider that the settings of the installation name.

const BASE_URL = 'http://127.0.0.1:3999'
const CALLBACK = `${BASE_URL}/console/api/sso/callback`

let provider: OidcServer
/** APIs of one installation, which differ in CONSOLE_SIGNUP. */
let closed: TestApi
let invited: TestApi
let open: TestApi
let settings: Record<string, string>
let operator: TestOperator
let made = 0

const apiWith = (environment: object) =>
  startApi({ ...(closed && { database: closed.database }), environment: { ...settings, ...environment } })

beforeAll(async () => {
  provider = await startOidcServer()
  provider.redirectUris.add(CALLBACK)
  settings = {
    BASE_URL,
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1',
    CONSOLE_SSO_ISSUER: provider.issuer,
    CONSOLE_SSO_CLIENT_ID: provider.clientId,
    CONSOLE_SSO_CLIENT_SECRET: provider.clientSecret,
    CONSOLE_SSO_NAME: 'Acme',
    CONSOLE_SSO_DOMAINS: 'Example.com, acme.example',
  }
  closed = await apiWith({})
  invited = await apiWith({ CONSOLE_SIGNUP: 'invited' })
  open = await apiWith({ CONSOLE_SIGNUP: 'open' })
  operator = await makeOperator(closed)
})
afterAll(async () => {
  await open.close()
  await invited.close()
  await closed.close()
  await provider.close()
})

interface Entry {
  readonly data: { readonly sso: { readonly id: string; readonly name: string } | null }
}
interface LoggedIn {
  readonly mfa_required?: boolean
  readonly mfa_token: string
  readonly operator: { readonly id: string; readonly email: string }
  readonly session: { readonly access_token: string }
}

const entry = async (api: TestApi) => (await callConsole<Entry>(api, 'GET', '/entry')).body.data

/** Begins a log-in as a browser does. */
async function begin(api: TestApi, more: object = {}) {
  const verifier = newVerifier()
  const { body } = await callConsole<{ data: { url: string } }>(api, 'POST', '/sso/start', {
    body: {
      connection_id: (await entry(api)).sso?.id,
      redirect_url: `${BASE_URL}/console?back=device`,
      code_challenge: challengeOf(verifier),
      ...more,
    },
  })
  return { url: body.data.url, verifier }
}
const visit = (api: TestApi, url: string, accept = 'text/html') => {
  const { pathname, search } = new URL(url)
  return api.send<string>('GET', pathname + search, { headers: { accept } })
}
/** Logs in at the provider. @returns what the console is led back with */
async function pass(api: TestApi, login: string, more: object = {}) {
  const { url, verifier } = await begin(api, more)
  const { status, headers } = await visit(api, await provider.logIn(url, login))
  const back = new URL(headers['location'] ?? '')
  expect([status, back.origin, back.pathname]).toEqual([303, BASE_URL, '/console'])
  expect(back.searchParams.get('back')).toBe('device')
  return { verifier, code: back.searchParams.get('code'), error: back.searchParams.get('error') }
}
const exchange = (api: TestApi, code: string | null, code_verifier: string) =>
  callConsole<LoggedIn>(api, 'POST', '/sso/exchange', { body: { code, code_verifier } })
async function logIn(api: TestApi, login: string, more: object = {}) {
  const { code, verifier } = await pass(api, login, more)
  return exchange(api, code, verifier)
}
/** Somebody whom the provider knows. */
function person(claims: object = {}) {
  const login = `somebody${++made}`
  const email = `${login}@acme.example`
  provider.people.set(login, { email, email_verified: true, name: 'Ada', ...claims })
  return { login, email }
}
const errorOf = async (api: TestApi, claims: object) => (await pass(api, person(claims).login)).error

/** Whether a session can do what cannot be undone: the answer to the deletion of a project of its operator. */
async function deletes(key: string): Promise<string> {
  const name = `Doomed ${++made}`
  const { body } = await callConsole<{ data: { id: string } }>(closed, 'POST', '/projects', {
    key,
    body: { name },
  })
  return refusalOf(
    await callConsole(closed, 'POST', `/projects/${body.data.id}/delete`, { key, body: { name } }),
  )
}

describe('a log-in of an operator by the provider', () => {
  test('starts a session whose refresh token is in the cookie, for the operator with the verified address', async () => {
    expect(await entry(closed)).toEqual({ sso: { id: expect.stringMatching(/^sso_/), name: 'Acme' } })
    const { login } = person({ email: operator.email.toUpperCase() })
    const { status, body, headers } = await logIn(closed, login)
    expect([status, body.operator.id]).toEqual([200, operator.publicId])
    expect(body.session).not.toHaveProperty('refresh_token')
    expect(headers['set-cookie']).toMatch(/HttpOnly;.*SameSite=Strict/)
    const cookie = cookieIn(headers['set-cookie'])
    expect((await callConsole(closed, 'POST', '/refresh', { headers: { cookie } })).status).toBe(200)
  })

  test('is of whom the provider named before, also where it has now the address of another operator', async () => {
    const [first, second] = [await makeOperator(closed), await makeOperator(closed)]
    const { login } = person({ email: first.email })
    expect((await logIn(closed, login)).body.operator.id).toBe(first.publicId)
    provider.people.set(login, { email: second.email, email_verified: true })
    expect((await logIn(closed, login)).body.operator.id).toBe(first.publicId)
  })

  test('says in one word why it fails, and makes nobody an operator while the console is closed', async () => {
    const { email } = operator
    expect(await errorOf(closed, { email, email_verified: false })).toBe('email_not_verified')
    expect(await errorOf(closed, { email: undefined })).toBe('email_missing')
    expect(await errorOf(closed, {})).toBe('sign_up_closed')
    expect(await errorOf(open, { email: 'somebody@elsewhere.example' })).toBe('domain_not_allowed')
    expect((await pass(closed, '')).error).toBe('access_denied')
  })

  test('makes an operator of everybody in an open console, and of who is invited where only they come in', async () => {
    const stranger = person()
    const { body } = await logIn(open, stranger.login)
    const me = await callConsole(open, 'GET', '/me', { key: body.session.access_token })
    expect(me.body).toMatchObject({
      data: { email: stranger.email, is_administrator: false, full_name: 'Ada' },
    })

    const guest = person()
    expect((await pass(invited, guest.login)).error).toBe('sign_up_closed')
    const { body: project } = await operator.call<{ data: { id: string } }>('POST', '/projects', {
      name: 'Team',
    })
    const { id } = project.data
    const invitation = { email: guest.email, role: 'viewer' }
    expect(
      (
        await callConsole(invited, 'POST', `/projects/${id}/invitations`, {
          key: operator.accessToken,
          body: invitation,
        })
      ).status,
    ).toBe(201)
    const key = (await logIn(invited, guest.login)).body.session.access_token
    const { body: found } = await callConsole<{ data: { id: string }[] }>(invited, 'GET', '/me/invitations', {
      key,
    })
    expect(
      (await callConsole(invited, 'POST', `/me/invitations/${found.data[0]?.id}/accept`, { key })).status,
    ).toBe(200)
    const { rows } = await closed.owner.query(
      'select status from invitations where project_id = $1 and email = $2',
      [OPERATORS_PROJECT, guest.email],
    )
    expect(rows).toEqual([{ status: 'accepted' }])
  })
})

describe('what comes back from a provider', () => {
  test('is refused by a page that says what to do where its state is wrong, of another log-in, or was used', async () => {
    const { login } = person({ email: operator.email })
    const { url, verifier } = await begin(closed)
    const came = await provider.logIn(url, login)
    const wrong = new URL(came)
    wrong.searchParams.set('state', 'nothing')
    const other = new URL(came)
    other.searchParams.set('state', `${new URL((await begin(closed)).url).searchParams.get('state')}`)
    const refused = await visit(closed, wrong.href)
    expect([refused.status, refused.body.includes('This login does not work')]).toEqual([400, true])
    // The nonce and the verifier are of the log-in that the state names.
    expect((await visit(closed, other.href)).headers['location']).toContain('error=provider_error')
    const first = new URL((await visit(closed, came)).headers['location'] ?? '')
    expect((await visit(closed, came)).status).toBe(400)
    expect(await visit(closed, came, 'application/json')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_STATE' },
    })
    expect((await visit(closed, `${CALLBACK}?code=x`)).status).toBe(400)
    // Who has only the address of the browser has no session.
    expect(refusalOf(await exchange(closed, first.searchParams.get('code'), newVerifier()))).toBe(
      '422 INVALID_CODE',
    )
    expect(refusalOf(await exchange(closed, first.searchParams.get('code'), verifier))).toBe(
      '422 INVALID_CODE',
    )
  })

  test('is let in once, by one of many exchanges at the same time', async () => {
    const { code, verifier } = await pass(closed, person({ email: operator.email }).login)
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(closed, code, verifier)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
  })

  test('never leads to another site', async () => {
    const body = {
      connection_id: (await entry(closed)).sso?.id,
      redirect_url: 'https://evil.example/console',
      code_challenge: challengeOf(newVerifier()),
    }
    expect(refusalOf(await callConsole(closed, 'POST', '/sso/start', { body }))).toBe('422 VALIDATION_ERROR')
  })
})

describe('what cannot be undone', () => {
  test('is refused after a silent log-in, and done after one for which the provider asked anew', async () => {
    const { login } = person({ email: operator.email })
    const silent = (await logIn(closed, login)).body.session.access_token
    expect(await deletes(silent)).toBe('403 RECENT_LOGIN_REQUIRED')
    const asked = (await logIn(closed, login, { reauthenticate: true })).body.session.access_token
    expect(await deletes(asked)).toMatch(/^200/)
    await closed.owner.query(
      "update sessions set proven_at = now() - interval '11 minutes' where project_id = $1 and proven_at is not null",
      [OPERATORS_PROJECT],
    )
    expect(await deletes(asked)).toBe('403 RECENT_LOGIN_REQUIRED')
  })

  test('needs two factors at the provider, or the own one, of an operator with an authenticator app', async () => {
    const who = await makeOperator(closed)
    const { body } = await who.call<{ data: { id: string; secret: string } }>('POST', '/mfa/totp', {})
    const codeOf = () => new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate()
    await who.call('POST', '/mfa/totp/verify', { factor_id: body.data.id, code: codeOf() })
    await closed.owner.query('update mfa_factors set last_step = 0')
    const { login } = person({ email: who.email })
    const first = await logIn(closed, login)
    expect(first.body.mfa_required).toBe(true)
    const own = await callConsole<LoggedIn>(closed, 'POST', '/mfa/verify', {
      body: { mfa_token: first.body.mfa_token, code: codeOf() },
    })
    expect(await deletes(own.body.session.access_token)).toMatch(/^200/)
    const one = (await logIn(closed, login, { reauthenticate: true })).body.session.access_token
    expect(await deletes(one)).toBe('403 RECENT_LOGIN_REQUIRED')
    provider.people.set(login, { email: who.email, email_verified: true, amr: ['pwd', 'mfa'] })
    const two = (await logIn(closed, login, { reauthenticate: true })).body.session.access_token
    expect(await deletes(two)).toMatch(/^200/)
  })
})

describe('the settings', () => {
  const configWith = (more: Record<string, string>) =>
    parseConfig({
      ...settings,
      DATABASE_URL: closed.database.url,
      SECRET_KEY: closed.database.secretKey,
      ...more,
    })

  test.each([
    [{ CONSOLE_SSO_ISSUER: '' }, 'CONSOLE_SSO_ISSUER is not set'],
    [{ CONSOLE_SSO_CLIENT_ID: '' }, 'CONSOLE_SSO_CLIENT_ID is not set'],
    [{ CONSOLE_SSO_DOMAINS: 'acme.example, @acme' }, 'CONSOLE_SSO_DOMAINS is'],
    [{ CONSOLE_SSO_ISSUER: 'login.example.com' }, 'CONSOLE_SSO_ISSUER is "login.example.com"'],
  ])('that do not go together stop the start: %o', (wrong, message) => {
    expect(() => configWith(wrong)).toThrow(message)
  })

  test('are looked at by the doctor, who names the redirect URI', async () => {
    expect(await examineIssuer(configWith({}))).toEqual([
      expect.objectContaining({ state: 'ok', found: expect.stringContaining(CALLBACK) }),
    ])
    for (const CONSOLE_SSO_ISSUER of ['http://127.0.0.1:1', `${provider.issuer}/nowhere`, 'http://10.0.0.1'])
      expect(await examineIssuer(configWith({ CONSOLE_SSO_ISSUER }))).toMatchObject([{ state: 'fault' }])
  })

  test('that change are stored, sealed; another issuer forgets who was who; none offers nothing', async () => {
    const rowOf = async () =>
      (
        await closed.owner.query(
          `select name, enabled, client_secret, (select count(*)::int from sso_identities i where i.connection_id = c.id) as known
           from sso_connections c where project_id = $1`,
          [OPERATORS_PROJECT],
        )
      ).rows[0]
    const before = await rowOf()
    expect(before.known).toBeGreaterThan(0)
    expect(String(before.client_secret)).not.toContain(provider.clientSecret)
    const renamed = await apiWith({ CONSOLE_SSO_NAME: 'Acme 2' })
    expect((await entry(renamed)).sso?.name).toBe('Acme 2')
    expect(await rowOf()).toMatchObject({ name: 'Acme 2', known: before.known })
    await renamed.close()
    const none = await apiWith({
      CONSOLE_SSO_ISSUER: '',
      CONSOLE_SSO_CLIENT_ID: '',
      CONSOLE_SSO_CLIENT_SECRET: '',
    })
    const { url } = await begin(closed)
    expect(await entry(none)).toEqual({ sso: null })
    const under = await visit(none, await provider.logIn(url, person({ email: operator.email }).login))
    expect(under.headers['location']).toContain('error=connection_disabled')
    await none.close()
    const moved = await apiWith({ CONSOLE_SSO_ISSUER: 'http://127.0.0.1:1' })
    await entry(moved)
    expect(await rowOf()).toMatchObject({ enabled: true, known: 0 })
    await moved.close()
  })

  test('of a provider that is down give a clear answer at the start and at the end of a log-in', async () => {
    const alone = await startOidcServer()
    alone.redirectUris.add(CALLBACK)
    const api = await apiWith({ CONSOLE_SSO_ISSUER: alone.issuer })
    alone.people.set('ada', { email: operator.email, email_verified: true })
    const came = await alone.logIn((await begin(api)).url, 'ada')
    await alone.close()
    expect((await visit(api, came)).headers['location']).toContain('error=provider_error')
    await api.close()
    const again = await apiWith({ CONSOLE_SSO_ISSUER: alone.issuer })
    const body = {
      connection_id: (await entry(again)).sso?.id,
      redirect_url: `${BASE_URL}/console`,
      code_challenge: challengeOf(newVerifier()),
    }
    expect(refusalOf(await callConsole(again, 'POST', '/sso/start', { body }))).toBe(
      '422 SSO_PROVIDER_UNAVAILABLE',
    )
    await again.close()
  })
})
