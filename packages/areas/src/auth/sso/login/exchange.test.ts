import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'

let sso: SsoEnvironment

beforeAll(async () => {
  sso = await startSsoEnvironment()
})
afterAll(() => sso.close())

describe('a login', () => {
  test.each([
    (home: URL) => `//${home.host}${home.pathname}`,
    (home: URL) => `${home.origin}\\@evil.example${home.pathname}`,
    (home: URL) => `http://eve@${home.host}${home.pathname}`,
    (home: URL) => `http://${home.hostname}:1${home.pathname}`,
    (home: URL) => `http://${home.hostname}.evil.example:${home.port}${home.pathname}`,
    (home: URL) => `${home.href}/../elsewhere`,
    (home: URL) => `${home.href}back`,
    () => 'javascript:alert(1)',
  ])('does not begin for a site that is not allowed (%#)', async (spell) => {
    const redirect_url = spell(new URL(sso.home))
    const begin = (redirect_url: string) =>
      sso.side.admin.post('/auth/sso/start', {
        connection_id: sso.connection.id,
        code_challenge: 'x'.repeat(43),
        redirect_url,
      })
    expect(await begin(redirect_url)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'redirect_url' }] },
    })
    expect((await begin(`${sso.home}/back`)).status).toBe(200)
  })
})

describe('a code', () => {
  test('logs in once, within five minutes, in its own project', async () => {
    const { login } = sso.person()
    const { parameters, verifier } = await sso.pass(login)
    const code = parameters.get('code')
    const elsewhere = await sso.other.admin.post('/auth/sso/exchange', { code, code_verifier: verifier })
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'INVALID_CODE' } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => sso.site.exchange(code, verifier)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])

    const late = await sso.pass(login)
    await sso.sql("update sso_codes set expires_at = now() - interval '1 second'")
    expect(refusalOf(await sso.site.exchange(late.parameters.get('code'), late.verifier))).toBe(
      '422 INVALID_CODE',
    )
  })

  test('is used up by a wrong verifier, and is no token of another kind', async () => {
    const { login } = sso.person()
    const { parameters, verifier } = await sso.pass(login)
    const code = parameters.get('code')
    expect(refusalOf(await sso.side.admin.post('/auth/magic-link/verify', { token: code }))).toBe(
      '422 INVALID_LINK',
    )
    expect(refusalOf(await sso.site.exchange(code, 'x'.repeat(43)))).toBe('422 INVALID_CODE')
    expect(refusalOf(await sso.site.exchange(code, verifier))).toBe('422 INVALID_CODE')
  })

  test('is kept as a hash; secrets of logins and connections are sealed', async () => {
    const { login } = sso.person()
    const { url } = await sso.site.begin(sso.connection.id)
    const { parameters } = await sso.pass(login)
    const rows = await sso.sql(
      `select to_jsonb(c)::text as row from sso_codes c union all select to_jsonb(l)::text from sso_logins l
       union all select to_jsonb(s)::text from sso_connections s`,
    )
    const stored = JSON.stringify(rows)
    const plain = [
      parameters.get('code'),
      new URL(url).searchParams.get('state'),
      new URL(url).searchParams.get('nonce'),
      sso.provider.clientSecret,
    ]
    for (const secret of plain) {
      expect(secret).toBeTruthy()
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(Buffer.from(secret ?? '').toString('hex'))
    }
  })
})
