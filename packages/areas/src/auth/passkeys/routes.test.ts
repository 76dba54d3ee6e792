import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beginPasskey,
  beginPasskeyLogin,
  claimsOf,
  enrollApp,
  enrollPasskey,
  type LoginBody,
  logInByPasskey,
  PASSWORD,
  registerPasskey,
} from '#testkit/areas/auth/passkeys.ts'
import { type Site, startSite } from '#testkit/areas/auth/site.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'

interface Listed {
  data: { id: string; type: string; name: string; last_used_at: string | null }[]
}

let mails: MailEnvironment
let side: Side
let site: Site

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  site = await startSite(mails.api.url, side.key)
  for (const each of [side, mails.one.test, mails.other.live])
    await mails.configure(each, { redirectUrls: [site.origin] })
})
afterAll(async () => {
  await site.close()
  await mails.close()
})

const UNKNOWN = { status: 401, body: { code: 'INVALID_CREDENTIALS' } }
const MFA_REQUIRED = { status: 403, body: { code: 'MFA_REQUIRED' } }
const factorsOf = async (member: Side['admin']) => (await member.get<Listed>('/auth/mfa/factors')).body.data
const someMember = async (of = side) => of.as((await of.signIn()).token)

describe('without a browser', () => {
  test('options to log in name nobody, and are new each time', async () => {
    const { challenge, ...rest } = await beginPasskeyLogin(side)
    expect(rest).toEqual({ rpId: 'localhost', timeout: 300_000, userVerification: 'preferred' })
    expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
    expect((await beginPasskeyLogin(side)).challenge).not.toBe(challenge)
    const stored = await mails.sql('select encode(hash, $1) as hash from passkey_challenges', ['hex'])
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(challenge, 'base64url').toString('hex'))
  })

  test('options to add one tell a browser what it has to know, and no more', async () => {
    const { id: memberId, email } = await side.makeMember()
    const member = side.as((await side.signIn(memberId)).token)
    expect(await beginPasskey(member)).toEqual({
      rp: { id: 'localhost', name: 'One' },
      user: { id: expect.stringMatching(/^[\w-]{22}$/), name: email, displayName: email },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'preferred',
      },
      attestation: 'none',
    })
  })

  test('a project that allows no page has no passkeys', async () => {
    const bare = mails.other.test
    await mails.configure(bare, { redirectUrls: [] })
    const refused = { status: 422, body: { code: 'VALIDATION_ERROR', details: [{ field: 'rp_id' }] } }
    expect(await (await someMember(bare)).post('/auth/passkeys/options', {})).toMatchObject(refused)
    expect(await bare.admin.post('/auth/passkeys/login/options', {})).toMatchObject(refused)
  })

  test('a page that is not allowed gets no options of its own', async () => {
    const headers = { origin: 'https://evil.example' }
    expect(refusalOf(await side.admin.post('/auth/passkeys/login/options', {}, { headers }))).toBe(
      '422 VALIDATION_ERROR',
    )
  })

  test.each(['AA', 'e30', 'bnVsbA', 'W10', 'eyJjaGFsbGVuZ2UiOjF9', 'eyJjaGFsbGVuZ2UiOiJBQSJ9', '____'])(
    'client data that says %s is nobody’s',
    async (clientDataJSON) => {
      const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' } as const
      const shown = { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' }
      expect(await logInByPasskey(side, { ...credential, response: shown })).toMatchObject(UNKNOWN)
      const made = { clientDataJSON, attestationObject: 'AAAA' }
      const registered = await registerPasskey(await someMember(), { ...credential, response: made })
      expect(registered).toMatchObject({ status: 422, body: { code: 'INVALID_PASSKEY' } })
    },
  )

  test('ten are enough', async () => {
    const member = await someMember()
    await mails.sql(
      `insert into passkeys (project_id, id, member_id, credential_id, rp_id, public_key, counter, transports, name)
       select project_id, gen_random_uuid(), id, decode(lpad(n::text, 4, '0'), 'hex'), 'localhost', '', 0, '{}', 'x'
       from generate_series(1, 10) n, (select * from members order by id desc limit 1) m`,
    )
    expect(await factorsOf(member)).toHaveLength(10)
    expect(await member.post('/auth/passkeys/options', {})).toMatchObject({
      status: 422,
      body: { code: 'TOO_MANY_FACTORS' },
    })
  })
})

describeWithBrowser('a passkey', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())
  const enrolled = (options = {}) => enrollPasskey(browser, side, site, options)

  test('is listed without its insides, and logs in as two factors', async () => {
    const { member, memberId, id, logIn } = await enrolled()
    const factor = { id, type: 'passkey', name: 'Laptop' }
    expect(await factorsOf(member)).toEqual([
      { ...factor, created_at: expect.any(String), last_used_at: null },
    ])
    expect(await mails.events(side, 'member.passkey_added')).toContainEqual({ id: memberId, factor })
    const { status, body } = await logIn()
    expect(status).toBe(200)
    expect(claimsOf(body)).toMatchObject({ sub: memberId, aal: 'aal2', amr: ['passkey'] })
    expect((await factorsOf(member))[0]?.last_used_at).not.toBeNull()
    const { refresh_token } = body.session ?? {}
    const renewed = await side.admin.post<LoginBody>('/auth/refresh', { refresh_token })
    expect(claimsOf(renewed.body)).toMatchObject({ aal: 'aal2', amr: ['passkey'] })
  })

  test('raises the session that adds it', async () => {
    const { member } = await enrolled()
    const { body } = await member.get('/auth/sessions')
    expect(body).toMatchObject({ data: [{ aal: 'aal2', amr: ['password', 'passkey'] }] })
  })

  test('whose holder was not checked is one factor, and the second one after a password', async () => {
    const { member, email, memberId, logIn } = await enrolled({ verifiesUser: false })
    expect(claimsOf((await logIn()).body)).toMatchObject({ aal: 'aal1', amr: ['passkey'] })
    const byPassword = () => side.admin.post<LoginBody>('/auth/login', { email, password: PASSWORD })
    // It is not asked for after a password, until there is an authenticator app.
    expect(claimsOf((await byPassword()).body)).toMatchObject({ aal: 'aal1', amr: ['password'] })
    await enrollApp(member)
    expect((await logIn()).body).toMatchObject({
      mfa_required: true,
      factors: [{ type: 'totp' }, { type: 'passkey' }],
    })
    const { mfa_token } = (await byPassword()).body
    expect(claimsOf((await logIn(mfa_token)).body)).toMatchObject({
      sub: memberId,
      aal: 'aal2',
      amr: ['password', 'passkey'],
    })
    expect(await logIn(mfa_token)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } })
  })

  test('is removed by its member and nobody else, and logs in no more', async () => {
    const { member, memberId, id, logIn } = await enrolled()
    expect(refusalOf(await (await someMember()).delete(`/auth/mfa/factors/${id}`))).toBe('404 NOT_FOUND')
    expect((await logIn()).status).toBe(200)
    expect(await member.delete(`/auth/mfa/factors/${id}`)).toMatchObject({
      status: 200,
      body: { data: { id } },
    })
    expect(refusalOf(await member.delete(`/auth/mfa/factors/${id}`))).toBe('404 NOT_FOUND')
    expect((await mails.events(side, 'member.passkey_removed')).at(-1)).toMatchObject({ id: memberId })
    expect(await logIn()).toMatchObject(UNKNOWN)
  })

  test('is removed with all second factors by an operator', async () => {
    const { member, memberId, logIn } = await enrolled()
    await enrollApp(member)
    expect(await side.admin.delete(`/members/${memberId}/factors`)).toMatchObject({
      status: 200,
      body: { data: { removed: 2 } },
    })
    expect((await mails.events(side, 'member.passkey_removed')).at(-1)).toMatchObject({ id: memberId })
    expect(await logIn()).toMatchObject(UNKNOWN)
  })

  test('needs the second factor, where there is one, to be added or removed', async () => {
    const { member, memberId, id } = await enrolled()
    await enrollApp(member)
    const weak = side.as((await side.signIn(memberId)).token)
    expect(await weak.post('/auth/passkeys/options', {})).toMatchObject(MFA_REQUIRED)
    expect(await weak.delete(`/auth/mfa/factors/${id}`)).toMatchObject(MFA_REQUIRED)
    expect((await member.delete(`/auth/mfa/factors/${id}`)).status).toBe(200)
  })

  test('lets no deactivated member in', async () => {
    const { memberId, logIn } = await enrolled()
    await side.admin.patch(`/members/${memberId}`, { status: 'inactive' })
    expect(await logIn()).toMatchObject(UNKNOWN)
  })

  test('goes with a member’s personal data', async () => {
    const { memberId, logIn } = await enrolled()
    const left = () =>
      mails.sql(
        'select 1 from passkeys p join members m on m.id = p.member_id where m.anonymized_at is not null',
      )
    await side.admin.delete(`/members/${memberId}?mode=anonymize`)
    expect(await left()).toEqual([])
    expect(await logIn()).toMatchObject(UNKNOWN)
  })
})
