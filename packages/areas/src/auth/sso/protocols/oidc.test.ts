import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSecretBox } from '#platform/secrets/secret-box.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'

let sso: SsoEnvironment

beforeAll(async () => {
  sso = await startSsoEnvironment()
})
afterAll(() => sso.close())

const aMember = async (input: object = {}, isVerified = true) => {
  const { email } = sso.person()
  const member = await sso.side.makeMember({ email, ...input })
  if (isVerified) await sso.sql('update members set email_verified_at = now() where email = $1', [email])
  return member
}
const errorOf = async (login: string, by = sso.connection) => {
  const { parameters } = await sso.pass(login, by)
  expect([...parameters.keys()]).toEqual(['error'])
  return parameters.get('error')
}

describe('a login by an OpenID provider', () => {
  test('makes a member of somebody new, and finds them again', async () => {
    const { login, email } = sso.person()
    const first = await sso.logIn(login)
    expect(first.status).toBe(200)
    expect(first.body.member).toMatchObject({ email, full_name: 'Ada Lovelace', status: 'active' })
    const again = await sso.logIn(login)
    expect(again.body.member.id).toBe(first.body.member.id)
    const profile = await sso.side.as(again.body.session.access_token).get('/user/profile')
    expect(profile).toMatchObject({ status: 200, body: { data: { id: first.body.member.id } } })
    const linked = await sso.events('member.sso_linked')
    expect(linked.filter(({ id }) => id === first.body.member.id)).toHaveLength(1)
  })

  test('leads back with a code and nothing else, to where the site asked', async () => {
    const { login } = sso.person()
    const { url } = await sso.site.begin(sso.connection.id)
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.any(String),
      nonce: expect.any(String),
    })
    const parameters = await sso.site.ssoCallback(await sso.provider.logIn(url, login))
    expect([...parameters.keys()]).toEqual(['code'])
  })

  test('is another one, to which the provider’s own parameters mean nothing', async () => {
    const { login } = sso.person()
    const { url, verifier } = await sso.site.begin(sso.connection.id)
    const callback = `${await sso.provider.logIn(url, login)}&session_state=x&prompt=none`
    const parameters = await sso.site.ssoCallback(callback)
    expect((await sso.site.exchange(parameters.get('code'), verifier)).status).toBe(200)
  })

  test('says that the provider, or whoever logs in, has refused', async () => {
    expect(await errorOf('')).toBe('access_denied')
  })

  test('knows a member by an address that the provider vouches for and the member has confirmed', async () => {
    const member = await aMember()
    sso.provider.people.set('owner', { email: member.email.toUpperCase(), email_verified: true })
    const { body } = await sso.logIn('owner')
    expect(body.member.id).toBe(member.id)
    // From then on it is the subject that counts.
    sso.provider.people.set('owner', { email: 'elsewhere@example.com', email_verified: false })
    expect((await sso.logIn('owner')).body.member.id).toBe(member.id)
  })

  test('knows nobody by an address that the provider does not vouch for, and does not tell whether it is known', async () => {
    const member = await aMember()
    for (const email_verified of [false, undefined, 'true', 1]) {
      for (const email of [member.email, sso.person().email]) {
        sso.provider.people.set('claims', { email, email_verified })
        expect(await errorOf('claims')).toBe('email_not_verified')
      }
    }
    sso.provider.people.set('nameless', { email_verified: true })
    expect(await errorOf('nameless')).toBe('email_missing')
    sso.provider.people.set('odd', { email: 'a@b@c\r\n', email_verified: true })
    expect(await errorOf('odd')).toBe('email_not_verified')
  })

  test('is not taken over by whoever has signed up with the address before', async () => {
    const { email } = sso.person()
    const signedUp = { email, password: 'correct horse battery' }
    expect((await sso.side.admin.post('/auth/signup', signedUp)).status).toBe(201)
    sso.provider.people.set('victim', { email, email_verified: true })
    expect((await sso.logIn('victim')).status).toBe(200)
    expect(refusalOf(await sso.side.admin.post('/auth/login', signedUp))).toBe('401 INVALID_CREDENTIALS')
  })

  test('knows nobody by an address that an operator has given a member, until they confirm it', async () => {
    const member = await aMember()
    const { email } = sso.person()
    await sso.side.admin.patch(`/members/${member.id}`, { email })
    sso.provider.people.set('other', { email, email_verified: true })
    expect(await errorOf('other')).toBe('account_not_verified')
  })

  test('lets no deactivated member in, at whatever moment that comes about', async () => {
    const member = await aMember()
    sso.provider.people.set('left', { email: member.email, email_verified: true })
    const { parameters, verifier } = await sso.pass('left')
    await sso.side.admin.patch(`/members/${member.id}`, { status: 'inactive' })
    expect(refusalOf(await sso.site.exchange(parameters.get('code'), verifier))).toBe('422 INVALID_CODE')
    expect(await errorOf('left')).toBe('account_inactive')
    await sso.sql('delete from sso_identities')
    expect(await errorOf('left')).toBe('account_inactive')
  })

  test('counts as a login of its own: the provider decides about second factors', async () => {
    const { login } = sso.person()
    const { body } = await sso.logIn(login)
    await sso.sql(
      `insert into mfa_factors (project_id, id, member_id, type, name, secret, confirmed_at)
       select project_id, id, id, 'totp', 'Phone', 'x', now() from members where email = $1`,
      [body.member.email],
    )
    const again = await sso.logIn(login)
    expect(again.status).toBe(200)
    const sessions = await sso.side
      .as(again.body.session.access_token)
      .get<{ data: { amr: string[]; aal: string }[] }>('/auth/sessions')
    expect(sessions.body.data.map(({ amr, aal }) => [amr, aal])).toContainEqual([['sso'], 'aal1'])
  })
})

describe('a state', () => {
  test('works once: what comes back again leads nowhere, as a page for a browser', async () => {
    const { login } = sso.person()
    const { url } = await sso.site.begin(sso.connection.id)
    const callback = await sso.provider.logIn(url, login)
    await sso.site.ssoCallback(callback)
    const again = await sso.get(callback)
    expect(again).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
    const page = await fetch(callback, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect(page.status).toBe(400)
    expect(page.headers.get('content-type')).toContain('text/html')
    const text = await page.text()
    expect(text).toContain('This login does not work')
    expect(text).toContain(`<a href="${new URL(sso.home).origin}">Back to One</a>`)
  })

  test('of 20 that come back at once leads one to the site', async () => {
    const { login } = sso.person()
    const { url } = await sso.site.begin(sso.connection.id)
    const callback = await sso.provider.logIn(url, login)
    const answers = await Promise.all(Array.from({ length: 20 }, () => sso.get(callback)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(400)])
  })

  test('that is unknown, malformed or too old leads nowhere', async () => {
    const { url } = await sso.site.begin(sso.connection.id)
    const state = new URL(url).searchParams.get('state') ?? ''
    await sso.sql("update sso_logins set expires_at = now() - interval '1 second'")
    for (const wrong of [state, 'x', 'A'.repeat(64), `${state}A`]) {
      const { status, body } = await sso.get(`${sso.callback}?code=x&state=${wrong}`)
      expect([status, body.code]).toEqual([400, 'INVALID_STATE'])
    }
    expect((await sso.get(`${sso.callback}?code=x`)).body.code).toBe('INVALID_PARAMETERS')
  })

  test('of another login is no use to a code: its verifier does not fit', async () => {
    const { login } = sso.person()
    const [own, other] = [await sso.site.begin(sso.connection.id), await sso.site.begin(sso.connection.id)]
    const callback = new URL(await sso.provider.logIn(own.url, login))
    callback.searchParams.set('state', new URL(other.url).searchParams.get('state') ?? '')
    expect((await sso.site.ssoCallback(callback.href)).get('error')).toBe('provider_error')
  })

  test('is no use with another nonce or another issuer', async () => {
    const { login } = sso.person()
    const begun = await sso.site.begin(sso.connection.id)
    const box = makeSecretBox(sso.api.config.SECRET_KEY, 'single sign-on')
    const [row] = await sso.sql<{ id: string; secrets: Buffer }>(
      'select id, secrets from sso_logins order by created_at desc limit 1',
    )
    const secrets = JSON.parse(box.open(row?.secrets ?? Buffer.of(), row?.id ?? ''))
    const resealed = box.seal(JSON.stringify({ ...secrets, nonce: 'another' }), row?.id ?? '')
    await sso.sql('update sso_logins set secrets = $2 where id = $1', [row?.id, resealed])
    const noncesDiffer = await sso.site.ssoCallback(await sso.provider.logIn(begun.url, login))
    expect(noncesDiffer.get('error')).toBe('provider_error')

    const { url } = await sso.site.begin(sso.connection.id)
    const callback = new URL(await sso.provider.logIn(url, login))
    expect(callback.searchParams.get('iss')).toBe(sso.provider.issuer)
    callback.searchParams.set('iss', 'https://mallory.example')
    expect((await sso.site.ssoCallback(callback.href)).get('error')).toBe('provider_error')
  })

  test('leads nowhere that the project has stopped to allow, and nowhere by a connection that is gone', async () => {
    const { login } = sso.person()
    const connection = await sso.connect()
    const comesBack = async (meanwhile: () => Promise<unknown>) => {
      const { url } = await sso.site.begin(connection.id)
      const callback = await sso.provider.logIn(url, login)
      await meanwhile()
      return sso.get(callback)
    }
    const disabled = await comesBack(() =>
      sso.side.admin.patch(`/sso-connections/${connection.id}`, { enabled: false }),
    )
    expect(disabled.headers['location']).toBe(`${sso.home}?error=connection_disabled`)
    await sso.side.admin.patch(`/sso-connections/${connection.id}`, { enabled: true })
    const disallowed = await comesBack(() => sso.allow([]))
    expect(disallowed.body.code).toBe('INVALID_STATE')
    await sso.allow([sso.home])
    const deleted = await comesBack(() => sso.side.admin.delete(`/sso-connections/${connection.id}`))
    expect(deleted.body.code).toBe('INVALID_STATE')
  })
})

describeWithBrowser('in a browser', () => {
  test('somebody logs in at the provider and comes back to the site', async () => {
    const { login, email } = sso.person()
    const { url, verifier } = await sso.site.begin(sso.connection.id)
    const browser = await startBrowser()
    const page = await browser.newPage()
    await page.goto(url)
    expect(new URL(page.url()).origin).toBe(sso.provider.issuer)
    await page.getByLabel('Name').fill(login)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`${sso.home}**`)
    expect(await page.textContent('h1')).toBe('Welcome back')
    const code = new URL(page.url()).searchParams.get('code')
    const { status, body } = await sso.site.exchange(code, verifier)
    expect([status, body.member.email]).toEqual([200, email])
    await browser.close()
  })
})
