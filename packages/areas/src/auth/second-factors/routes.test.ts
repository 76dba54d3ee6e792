import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'

const PASSWORD = 'correct horse battery'
interface Body {
  code?: string
  mfa_required?: boolean
  mfa_token: string
  factors: { id: string; type: string; name: string }[]
  session: { access_token: string; refresh_token: string }
  data: { id: string; secret: string; uri: string; recovery_codes: string[]; factor: { id: string } }
}

let mails: MailEnvironment
let side: Side

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
})
afterAll(() => mails.close())

/** What an authenticator app shows, so many steps of 30 s from now. Each code is taken once. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
/** A code that no clock near this one shows. */
const wrongCode = (secret: string) => codeOf(secret, 1_000)
const post = (path: string, body: object) => side.admin.post<Body>(`/auth/${path}`, body)
const logIn = (email: string) => post('login', { email, password: PASSWORD })

/** Lets time pass, so that codes of the present step are new again. */
const forgetSteps = () => mails.sql('update mfa_factors set last_step = 0')

async function enrolled() {
  const { email } = await side.makeMember({ password: PASSWORD })
  await mails.sql('update members set email_verified_at = now() where email = $1', [email])
  const { access_token } = (await logIn(email)).body.session
  const member = side.as(access_token)
  const begun = (await member.post<Body>('/auth/mfa/totp', { name: 'Phone' })).body.data
  const confirmed = await member.post<Body>('/auth/mfa/totp/verify', {
    factor_id: begun.id,
    code: codeOf(begun.secret),
  })
  await forgetSteps()
  return { email, member, factor: begun, confirmed }
}

describe('an authenticator app', () => {
  test('is begun, confirmed by its code, and comes with recovery codes once', async () => {
    const { factor, confirmed, email } = await enrolled()
    expect(factor.uri).toContain(`secret=${factor.secret}`)
    expect(factor.uri).toContain(encodeURIComponent(email))
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.data.recovery_codes).toHaveLength(10)
    expect(new Set(confirmed.body.data.recovery_codes).size).toBe(10)
    expect(await mails.events(side, 'member.mfa_enabled')).toContainEqual(
      expect.objectContaining({ factor: { id: factor.id, type: 'totp', name: 'Phone' } }),
    )
  })

  test('counts for nothing until it is confirmed', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    const { body } = await logIn(email)
    const begun = await side.as(body.session.access_token).post<Body>('/auth/mfa/totp', {})
    const { secret, id } = begun.body.data
    const wrong = await side
      .as(body.session.access_token)
      .post<Body>('/auth/mfa/totp/verify', { factor_id: id, code: wrongCode(secret) })
    expect(wrong).toMatchObject({ status: 422, body: { code: 'INVALID_CODE' } })
    expect((await logIn(email)).body).toHaveProperty('session')
  })

  test('is asked for by every login from then on, and shows in the token', async () => {
    const { email, factor } = await enrolled()
    const first = await logIn(email)
    expect(first).toMatchObject({
      status: 200,
      body: { mfa_required: true, factors: [{ id: factor.id, type: 'totp', name: 'Phone' }] },
    })
    expect(first.body).not.toHaveProperty('session')
    const { mfa_token } = first.body
    const second = await post('mfa/verify', { mfa_token, code: codeOf(factor.secret) })
    expect(decodeJwt(second.body.session.access_token)).toMatchObject({
      aal: 'aal2',
      amr: ['password', 'totp'],
    })
    // A refreshed token says the same.
    const { body } = await post('refresh', { refresh_token: second.body.session.refresh_token })
    expect(decodeJwt(body.session.access_token)).toMatchObject({ aal: 'aal2', amr: ['password', 'totp'] })
    expect(refusalOf(await post('mfa/verify', { mfa_token, code: codeOf(factor.secret) }))).toBe(
      '401 INVALID_TOKEN',
    )
  })

  test('is asked for after a link by mail, too', async () => {
    const { email, factor } = await enrolled()
    await post('magic-link', { email })
    const { token } = await mails.mailTo(email)
    const { body } = await post('magic-link/verify', { token })
    expect(body).toMatchObject({ mfa_required: true })
    const second = await post('mfa/verify', { mfa_token: body.mfa_token, code: codeOf(factor.secret) })
    expect(decodeJwt(second.body.session.access_token)['amr']).toEqual(['magic_link', 'totp'])
  })

  test('lets each of its codes in once, and those of the steps beside', async () => {
    const { email, factor } = await enrolled()
    const code = codeOf(factor.secret)
    const tokens = await Promise.all([logIn(email), logIn(email), logIn(email)])
    const answers = await Promise.all(
      tokens.map(({ body }) => post('mfa/verify', { mfa_token: body.mfa_token, code })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    const { mfa_token } = (await logIn(email)).body
    expect((await post('mfa/verify', { mfa_token, code: codeOf(factor.secret, 1) })).status).toBe(200)
    const late = (await logIn(email)).body
    expect(
      await post('mfa/verify', { mfa_token: late.mfa_token, code: codeOf(factor.secret, 3) }),
    ).toMatchObject({ status: 422, body: { code: 'INVALID_CODE' } })
  })

  test('ends a login after five wrong codes, and all logins of the member after ten', async () => {
    const { email, factor } = await enrolled()
    for (let round = 0; round < 2; round++) {
      const { mfa_token } = (await logIn(email)).body
      for (let i = 0; i < 5; i++)
        expect(refusalOf(await post('mfa/verify', { mfa_token, code: wrongCode(factor.secret) }))).toBe(
          '422 INVALID_CODE',
        )
      expect(refusalOf(await post('mfa/verify', { mfa_token, code: codeOf(factor.secret) }))).toBe(
        '401 INVALID_TOKEN',
      )
    }
    const { mfa_token } = (await logIn(email)).body
    expect(refusalOf(await post('mfa/verify', { mfa_token, code: codeOf(factor.secret) }))).toBe(
      '429 RATE_LIMITED',
    )
  })

  test('is nothing in another project', async () => {
    const { email, factor } = await enrolled()
    const { mfa_token } = (await logIn(email)).body
    const foreign = await mails.other.live.admin.post<Body>('/auth/mfa/verify', {
      mfa_token,
      code: codeOf(factor.secret),
    })
    expect(foreign.status).toBe(401)
  })

  test('keeps its secret where the database alone cannot read it', async () => {
    const { factor } = await enrolled()
    const rows = await mails.sql<{ secret: Buffer }>('select secret from mfa_factors')
    for (const { secret } of rows) expect(secret.toString('latin1')).not.toContain(factor.secret)
  })
})

describe('a recovery code', () => {
  test('stands for the second factor once, however it is typed', async () => {
    const { email, confirmed } = await enrolled()
    const [code = ''] = confirmed.body.data.recovery_codes
    const use = async (text: string) => {
      const { mfa_token } = (await logIn(email)).body
      return post('mfa/verify', { mfa_token, code: text })
    }
    const used = await use(` ${code.replaceAll('-', '').toUpperCase()} `)
    expect(decodeJwt(used.body.session.access_token)).toMatchObject({
      aal: 'aal2',
      amr: ['password', 'recovery_code'],
    })
    expect(refusalOf(await use(code))).toBe('422 INVALID_CODE')
  })

  test('is void when new ones are made, by a session that has shown a second factor', async () => {
    const { email, member, confirmed } = await enrolled()
    const renewed = await member.post<Body>('/auth/mfa/recovery-codes')
    expect(renewed.body.data.recovery_codes).toHaveLength(10)
    const [old = ''] = confirmed.body.data.recovery_codes
    const [fresh = ''] = renewed.body.data.recovery_codes
    const use = async (code: string) =>
      (await post('mfa/verify', { mfa_token: (await logIn(email)).body.mfa_token, code })).status
    expect([await use(old), await use(fresh)]).toEqual([422, 200])
    const [row] = await mails.sql<{ id: string }>('select id from members where email = $1', [email])
    const weak = side.as((await side.signIn(toId('member', row?.id ?? ''))).token)
    expect(refusalOf(await weak.post('/auth/mfa/recovery-codes'))).toBe('403 MFA_REQUIRED')
    const without = side.as((await side.signIn()).token)
    expect(await without.post('/auth/mfa/recovery-codes')).toMatchObject({
      status: 422,
      body: { code: 'NO_FACTORS' },
    })
  })

  test('is stored as a hash only', async () => {
    const { confirmed } = await enrolled()
    const text = JSON.stringify(await mails.sql('select * from recovery_codes'))
    for (const code of confirmed.body.data.recovery_codes) expect(text).not.toContain(code)
  })
})

describe('a second factor is changed by whoever has shown it', () => {
  test('and by nobody else who holds a session', async () => {
    const { email, factor } = await enrolled()
    // As from before, on another device.
    const [row] = await mails.sql<{ id: string }>('select id from members where email = $1', [email])
    const before = side.as((await side.signIn(toId('member', row?.id ?? ''))).token)
    expect(await before.delete(`/auth/mfa/factors/${factor.id}`)).toMatchObject({
      status: 403,
      body: { code: 'MFA_REQUIRED' },
    })
    expect(refusalOf(await before.post('/auth/mfa/totp', {}))).toBe('403 MFA_REQUIRED')
    // Showing it raises the session, also for the token it has.
    const raised = await before.post('/auth/mfa/totp/verify', {
      factor_id: factor.id,
      code: codeOf(factor.secret),
    })
    expect(raised).toMatchObject({ status: 200, body: { data: { recovery_codes: [] } } })
    expect((await before.delete(`/auth/mfa/factors/${factor.id}`)).status).toBe(200)
  })

  test('the last one gone, logging in takes one factor again, and recovery codes are void', async () => {
    const { email, member, factor } = await enrolled()
    expect((await member.delete(`/auth/mfa/factors/${factor.id}`)).status).toBe(200)
    expect((await logIn(email)).body).toHaveProperty('session')
    expect(await mails.events(side, 'member.mfa_disabled')).not.toHaveLength(0)
    expect(refusalOf(await member.delete(`/auth/mfa/factors/${factor.id}`))).toBe('404 NOT_FOUND')
  })

  test('an operator helps whoever has lost it, who is notified and logged out; another project’s operator cannot', async () => {
    const { email, member, confirmed } = await enrolled()
    const [row] = await mails.sql<{ id: string }>('select id from members where email = $1', [email])
    const path = `/members/${toId('member', row?.id ?? '')}/factors`
    expect(refusalOf(await mails.other.live.admin.delete(path))).toBe('404 NOT_FOUND')
    expect((await logIn(email)).body.mfa_required).toBe(true)
    expect(await side.admin.delete(path)).toMatchObject({ status: 200, body: { data: { removed: 1 } } })
    await expect.poll(async () => (await member.get('/user/profile')).status, SOON).toBe(401)
    expect((await mails.mailTo(email)).subject).toContain('Second factors were removed')
    expect((await logIn(email)).body).toHaveProperty('session')
    const codes = await mails.sql('select from recovery_codes where member_id = $1', [row?.id])
    expect([confirmed.body.data.recovery_codes.length, codes.length]).toEqual([10, 0])
    // There is nothing to tell the second time.
    expect(await side.admin.delete(path)).toMatchObject({ body: { data: { removed: 0 } } })
    expect(await mails.countMails(email)).toBe(1)
  })
})
