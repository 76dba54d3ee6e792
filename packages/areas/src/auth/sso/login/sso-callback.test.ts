import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ssoSite } from '#testkit/areas/auth/sso.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { type OidcServer, startOidcServer } from '#testkit/servers/oidc-provider.ts'
import type { Connection } from '../schema.ts'

// Which answer belongs to which connection, and what a first login by a provider asks of a member from before.

let sso: SsoEnvironment
/** A provider that another project is connected to, and that is hostile. */
let mallory: OidcServer
let hostile: Connection

beforeAll(async () => {
  sso = await startSsoEnvironment()
  mallory = await startOidcServer()
  await sso.mails.configure(sso.other, { redirectUrls: [sso.home] })
  const { issuer, clientId: client_id, clientSecret: client_secret } = mallory
  const body = { type: 'oidc', name: 'Mallory', issuer, client_id, client_secret }
  const made = await sso.other.admin.post<{ data: Connection }>('/sso-connections', body)
  hostile = made.body.data
  mallory.redirectUris.add(hostile.callback_url)
})
afterAll(async () => {
  await mallory.close()
  await sso.close()
})

const stateOf = (url: string) => new URL(url).searchParams.get('state') ?? ''
const OLD = () => `${sso.api.config.BASE_URL}/api/v1/auth/sso/callback`
/** A connection from before each had a callback of its own. */
const outdated = async (more: object = {}) => {
  const connection = await sso.connect(more)
  await sso.sql('update sso_connections set uses_old_callback = true where name = $1', [connection.name])
  sso.provider.redirectUris.add(OLD())
  return connection
}

describe('an answer of one provider', () => {
  test('is refused at the callback of another connection, and with the state of another', async () => {
    const { login } = sso.person()
    const site = ssoSite(sso.api, sso.other, sso.home)
    const theirs = await site.begin(hostile.id)
    const ours = await sso.site.begin(sso.connection.id)
    const came = new URL(await sso.provider.logIn(ours.url, login))
    expect(came.pathname).toBe(new URL(sso.connection.callback_url).pathname)
    // The code that was meant for our provider, with a state of the hostile one: at either address.
    came.searchParams.set('state', stateOf(theirs.url))
    expect(await sso.get(came.href)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
    const again = await site.begin(hostile.id)
    const moved = new URL(hostile.callback_url)
    came.searchParams.set('state', stateOf(ours.url))
    moved.search = came.search
    expect(await sso.get(moved.href)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
    // And one that names its issuer is compared with it.
    came.searchParams.set('state', stateOf(again.url))
    moved.search = came.search
    expect((await sso.get(moved.href)).headers['location']).toContain('error=provider_error')
  })

  test('is refused at the address that all connections had once, unless it is of one from before', async () => {
    const { login } = sso.person()
    const { url } = await sso.site.begin(sso.connection.id)
    const came = new URL(await sso.provider.logIn(url, login))
    expect(await sso.get(OLD() + came.search)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
  })
})

describe('a connection from before each had a callback of its own', () => {
  test('comes back to the old one only while it is the only one to its provider, and says so', async () => {
    const { login } = sso.person()
    const old = await outdated({ name: 'Old' })
    const shown = () =>
      sso.side.admin.get<{ data: Connection }>(`/sso-connections/${old.id}`).then(({ body }) => body.data)
    expect(await shown()).toMatchObject({ uses_old_callback: true, callback_url: old.callback_url })
    // There is another one to this provider.
    await expect(sso.site.begin(old.id)).rejects.toThrow('connection_id')
    await sso.side.admin.delete(`/sso-connections/${sso.connection.id}`)
    const { url, verifier } = await sso.site.begin(old.id)
    const came = await sso.provider.logIn(url, login)
    expect(came.startsWith(`${OLD()}?`)).toBe(true)
    const parameters = await sso.site.ssoCallback(came)
    expect((await sso.site.exchange(parameters.get('code'), verifier)).status).toBe(200)
    // A second one comes while a login is under way.
    const begun = await sso.site.begin(old.id)
    const late = await sso.provider.logIn(begun.url, login)
    const second = await sso.connect({ name: 'Second' })
    expect((await sso.get(late)).body.code).toBe('INVALID_STATE')

    await sso.side.admin.patch(`/sso-connections/${old.id}`, { uses_old_callback: false })
    expect(await shown()).toMatchObject({ uses_old_callback: false })
    for (const connection of [old, second]) expect((await sso.logIn(login, connection)).status).toBe(200)
    const back = await sso.side.admin.patch(`/sso-connections/${old.id}`, { uses_old_callback: true })
    expect(back).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
  })
})

test.each(['common', 'organizations', 'consumers', 'Common/v2.0'])(
  'an issuer that stands for any tenant of Entra is refused: %s',
  async (tenant) => {
    for (const host of ['login.microsoftonline.com', 'login.microsoftonline.us', 'sts.windows.net']) {
      const answer = await sso.side.admin.post<{ code: string; details: object[] }>('/sso-connections', {
        type: 'oidc',
        name: 'Entra',
        issuer: `https://${host}/${tenant}`,
        client_id: 'x',
      })
      expect(answer).toMatchObject({ status: 422, body: { details: [{ field: 'issuer', rule: 'tenant' }] } })
    }
  },
)

describe('a member with an authenticator app', () => {
  interface Body {
    mfa_required?: boolean
    mfa_token: string
    session: { access_token: string }
    data: { id: string; secret: string }
  }
  const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const enrolled = async () => {
    const { email } = sso.person()
    const { id } = await sso.side.makeMember({ email })
    await sso.sql('update members set email_verified_at = now() where email = $1', [email])
    const member = sso.side.as((await sso.side.signIn(id)).token)
    const { id: factor_id, secret } = (await member.post<Body>('/auth/mfa/totp', {})).body.data
    await member.post('/auth/mfa/totp/verify', { factor_id, code: codeOf(secret) })
    await sso.sql('update mfa_factors set last_step = 0')
    return { email, id, secret }
  }
  let connection: Connection
  const logIn = async (login: string) => {
    connection ??= await sso.connect({ name: 'Factors' })
    return (await sso.logIn(login, connection)) as unknown as { status: number; body: Body }
  }
  const show = (mfa_token: string, code: string) =>
    sso.side.admin.post<Body>('/auth/mfa/verify', { mfa_token, code })

  test('is asked for it by the first login of a provider that links them, until it is shown', async () => {
    const { email, id, secret } = await enrolled()
    sso.provider.people.set(id, { email, email_verified: true })
    for (let attempt = 0; attempt < 2; attempt++) {
      const { status, body } = await logIn(id)
      expect([status, body.mfa_required, body.session]).toEqual([200, true, undefined])
    }
    const { body } = await logIn(id)
    expect(refusalOf(await show(body.mfa_token, '000000'))).toBe('422 INVALID_CODE')
    const shown = await show(body.mfa_token, codeOf(secret))
    expect(shown).toMatchObject({ status: 200, body: { member: { id } } })
    // From then on the provider decides.
    expect((await logIn(id)).body.session).toBeDefined()
  })

  test('is not where the provider asserts that it has asked for one', async () => {
    for (const claims of [{ acr: 'https://refeds.org/profile/mfa' }, { amr: ['pwd', 'mfa'] }]) {
      const { email, id } = await enrolled()
      sso.provider.people.set(id, { email, email_verified: true, ...claims })
      expect((await logIn(id)).body.session).toBeDefined()
    }
  })
})
