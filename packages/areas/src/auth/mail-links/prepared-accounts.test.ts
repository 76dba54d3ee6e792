import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { makeForm } from '#testkit/forms.ts'
import { challengeOf, newVerifier } from '#testkit/sso.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/sso-environment.ts'

// What a stranger may have prepared who knows nothing of somebody but the address.

const STRANGERS = 'correct horse battery'
const OWN = 'incorrect horse battery'
interface Body {
  code?: string
  error?: string
  member: { id: string; status: string; full_name: string; metadata: object }
  session: { access_token: string; refresh_token: string } | null
}

let sso: SsoEnvironment
/** Does not confirm addresses; and one that does. */
let side: Side
let careful: Side
let made = 0
const address = () => `victim${++made}@acme.example`

beforeAll(async () => {
  sso = await startSsoEnvironment()
  side = sso.side
  careful = sso.other
  await sso.mails.configure(careful, { emailConfirmation: true, redirectUrls: [sso.home] })
})
afterAll(() => sso.close())

const post = (path: string, body: object, of = side) => of.admin.post<Body>(`/auth/${path}`, body)
const mailTo = (email: string) => sso.mails.mailTo(email)
const logIn = (email: string, password: string, of = side) => post('login', { email, password }, of)
const press = (fields: Record<string, string>) =>
  sso.api.send<string>('POST', '/auth/continue', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** A stranger signs up at once with somebody's address, and adds all that lets them in later. */
async function prepared() {
  const email = address()
  const { body } = await post('signup', { email, password: STRANGERS })
  const { access_token: token = '', refresh_token: refresh = '' } = body.session ?? {}
  const memberId = parseId('member', body.member.id)
  const values = [side.projectId, memberId, randomUUID()]
  await sso.sql(
    `insert into passkeys (project_id, id, member_id, credential_id, rp_id, public_key, counter, transports, name)
     values ($1, $3::uuid, $2, $3::uuid::text::bytea, 'acme.example', 'x', 0, '{}', 'Stranger''s')`,
    values,
  )
  await sso.sql(
    `insert into mfa_factors (project_id, id, member_id, type, name, secret, confirmed_at)
     values ($1, $3::uuid, $2, 'totp', 'Stranger''s', 'x', now())`,
    values,
  )
  await sso.sql(
    `insert into sso_identities (project_id, id, connection_id, subject, member_id) values ($1, $3::uuid, $4, $3::uuid::text, $2)`,
    [...values, parseId('SSO connection', sso.connection.id)],
  )
  // A change of address that only waits for its link.
  const own = `stranger${made}@example.com`
  await side.as(token).patch('/user/profile', { email: own })
  const change = await mailTo(own)
  return { email, memberId, token, refresh, change }
}

/** What is left of the ways in of a member. */
const waysIn = async (memberId: string | undefined) => {
  const [row] = await sso.sql<Record<string, number>>(
    `select (select count(*)::int from member_passwords where id = $1) as passwords,
       (select count(*)::int from passkeys where member_id = $1) as passkeys,
       (select count(*)::int from mfa_factors where member_id = $1) as factors,
       (select count(*)::int from sso_identities where member_id = $1 and subject = id::text) as identities`,
    [memberId],
  )
  return row
}

describe('the first confirmation of an address ends what a stranger has prepared', () => {
  const ways: [string, (email: string) => Promise<{ status: number }>][] = [
    [
      'by a link to log in',
      async (email) => {
        await post('magic-link', { email })
        return post('magic-link/verify', { token: (await mailTo(email)).token })
      },
    ],
    [
      'by a code to log in',
      async (email) => {
        await post('magic-link', { email })
        return post('magic-link/verify', { email, code: (await mailTo(email)).code })
      },
    ],
    [
      'by the link of a confirmation',
      async (email) => {
        await post('email/resend', { email })
        return post('email/verify', { token: (await mailTo(email)).token })
      },
    ],
    [
      'by the page of its link',
      async (email) => {
        await post('email/resend', { email })
        return press({ token: (await mailTo(email)).token })
      },
    ],
    [
      'by a new password',
      async (email) => {
        await post('password/forgot', { email })
        return post('password/reset', { token: (await mailTo(email)).token, password: OWN })
      },
    ],
    [
      'by single sign-on',
      async (email) => {
        sso.provider.people.set(email, { email, email_verified: true })
        return sso.logIn(email)
      },
    ],
  ]
  test.each(ways)('%s', async (way, confirm) => {
    const { email, memberId, token, refresh, change } = await prepared()
    expect((await confirm(email)).status).toBe(200)
    expect((await logIn(email, STRANGERS)).status).toBe(401)
    expect((await post('refresh', { refresh_token: refresh })).status).toBe(401)
    await expect
      .poll(async () => (await side.as(token).get('/user/profile')).status, { timeout: 2_000 })
      .toBe(401)
    const passwords = way === 'by a new password' ? 1 : 0
    expect(await waysIn(memberId)).toEqual({ passwords, passkeys: 0, factors: 0, identities: 0 })
    expect((await post('email/verify', { token: change.token })).status).toBe(401)
  })

  test('by whom is of no matter to a password that a secret key has set', async () => {
    const { email } = await side.makeMember({ password: OWN, email: address() })
    await post('magic-link', { email })
    expect((await post('magic-link/verify', { token: (await mailTo(email)).token })).status).toBe(200)
    expect((await logIn(email, OWN)).status).toBe(200)
  })

  test('and a later one, or a change of address, ends nothing', async () => {
    const email = address()
    await post('magic-link', { email, create_member: true })
    const { body } = await post('magic-link/verify', { token: (await mailTo(email)).token })
    const member = side.as(body.session?.access_token ?? '')
    await post('password/forgot', { email })
    await post('password/reset', { token: (await mailTo(email)).token, password: OWN })
    await mailTo(email)
    const again = await logIn(email, OWN)
    const moved = address()
    const token = again.body.session?.access_token ?? ''
    await side.as(token).patch('/user/profile', { email: moved })
    expect((await post('email/verify', { token: (await mailTo(moved)).token })).status).toBe(200)
    expect((await side.as(token).get('/user/profile')).status).toBe(200)
    expect((await logIn(moved, OWN)).status).toBe(200)
    expect(member).toBeDefined()
    // Nor does one that an operator has made.
    const operators = address()
    await side.admin.patch(`/members/${body.member.id}`, { email: operators })
    await post('magic-link', { email: operators })
    await post('magic-link/verify', { token: (await mailTo(operators)).token })
    expect((await logIn(operators, OWN)).status).toBe(200)
  })
})

describe('a sign-up that waits for its confirmation', () => {
  const signUp = (email: string, more: object = {}) =>
    post('signup', { email, password: STRANGERS, ...more }, careful)
  const verify = (body: object) => post('email/verify', body, careful)

  test('is completed by its code, with its password and what it has said', async () => {
    const email = address()
    await signUp(email, { full_name: 'Mallory', metadata: { stranger: true } })
    const older = await mailTo(email)
    await sso.mails.age('one_time_tokens', 'expires_at', 15 * 60 + 1)
    await signUp(email, { password: OWN, full_name: 'Ada', metadata: { own: true } })
    const { code } = await mailTo(email)
    expect((await verify({ token: older.token })).status).toBe(401)
    const { status, body } = await verify({ email, code })
    expect([status, body.member]).toMatchObject([
      200,
      { status: 'active', full_name: 'Ada', metadata: { own: true } },
    ])
    expect(body.member.metadata).toEqual({ own: true })
    expect((await logIn(email, OWN, careful)).status).toBe(200)
    expect((await logIn(email, STRANGERS, careful)).status).toBe(401)
  })

  test('keeps its password when its mail is sent again', async () => {
    const email = address()
    await signUp(email, { password: OWN })
    await mailTo(email)
    await post('email/resend', { email }, careful)
    const { code } = await mailTo(email)
    expect((await verify({ email, code })).status).toBe(200)
    expect((await logIn(email, OWN, careful)).status).toBe(200)
  })

  test('gives its password no force by a link, which asks for it, or for another', async () => {
    for (const press_ of [true, false]) {
      const email = address()
      await signUp(email)
      const { token, link } = await mailTo(email)
      const page = await sso.api.send<string>('GET', new URL(link).pathname + new URL(link).search)
      expect(page.body).toContain('name="password"')
      if (press_) {
        expect((await press({ token })).status).toBe(422)
        expect((await press({ token, password: OWN })).status).toBe(200)
        expect((await logIn(email, OWN, careful)).status).toBe(200)
      } else expect((await verify({ token })).status).toBe(200)
      expect((await logIn(email, STRANGERS, careful)).status).toBe(401)
    }
  })

  test('gives its password no force by a link or a code to log in, nor afterwards', async () => {
    const email = address()
    await signUp(email)
    const waiting = await mailTo(email)
    await post('magic-link', { email }, careful)
    expect(
      (await post('magic-link/verify', { email, code: (await mailTo(email)).code }, careful)).status,
    ).toBe(200)
    expect((await verify({ email, code: waiting.code })).status).toBe(401)
    expect((await logIn(email, STRANGERS, careful)).status).toBe(401)
  })

  test('is completed only where it began, if that has given a challenge', async () => {
    const email = address()
    const verifier = newVerifier()
    await signUp(email, { code_challenge: challengeOf(verifier) })
    const { code } = await mailTo(email)
    for (const wrong of [{}, { code_verifier: newVerifier() }])
      expect((await verify({ email, code, ...wrong })).status).toBe(401)
    expect((await verify({ email, code, code_verifier: verifier })).status).toBe(200)
    expect((await logIn(email, STRANGERS, careful)).status).toBe(200)
  })

  test('next to a stranger’s of the same address gives neither password force, unless a challenge tells them apart', async () => {
    const email = address()
    await signUp(email, { password: OWN })
    await mailTo(email)
    await signUp(email)
    await mailTo(email)
    await signUp(email)
    const { code } = await mailTo(email)
    expect((await verify({ email, code })).status).toBe(200)
    expect((await logIn(email, STRANGERS, careful)).status).toBe(401)
    expect((await logIn(email, OWN, careful)).status).toBe(401)

    const other = address()
    const verifier = newVerifier()
    await signUp(other)
    await mailTo(other)
    await signUp(other, { password: OWN, code_challenge: challengeOf(verifier) })
    const own = await mailTo(other)
    expect((await verify({ email: other, code: own.code, code_verifier: verifier })).status).toBe(200)
    expect((await logIn(other, OWN, careful)).status).toBe(200)
  })

  test('that came by a form waits in the same way', async () => {
    const form = await makeForm(careful, {
      name: 'Join',
      type: 'signup',
      fields: [
        { id: 'mail', type: 'email', label: 'Email', required: true },
        { id: 'pass', type: 'password', label: 'Password', required: true },
      ],
      settings: { signup: { email_field: 'mail', password_field: 'pass' } },
    })
    const submit = (mail: string) =>
      careful.admin.post(`/forms/${form.id}/submissions`, { data: { mail, pass: STRANGERS } })
    const [byLink, byCode] = [address(), address()]
    expect((await submit(byLink)).status).toBe(201)
    expect((await verify({ token: (await mailTo(byLink)).token })).status).toBe(200)
    expect((await logIn(byLink, STRANGERS, careful)).status).toBe(401)
    await submit(byCode)
    expect((await verify({ email: byCode, code: (await mailTo(byCode)).code })).status).toBe(200)
    expect((await logIn(byCode, STRANGERS, careful)).status).toBe(200)
  })

  test('logs in as a wrong password does, in text, status, headers and time', async () => {
    const [waiting, nobody] = [address(), address()]
    await signUp(waiting)
    const known = await careful.makeMember({ password: OWN })
    const said = async (email: string) => {
      const started = performance.now()
      const { status, body, headers } = await logIn(email, STRANGERS, careful)
      const names = Object.keys(headers).filter((name) => !/^x-request-id$|^date$/.test(name))
      const ms = performance.now() - started
      return {
        ms,
        seen: { status, code: body.code, error: body.error, names, left: headers['x-ratelimit-remaining'] },
      }
    }
    const [first, second, third] = [await said(waiting), await said(nobody), await said(known.email)]
    expect(first.seen).toEqual(second.seen)
    expect(first.seen).toEqual(third.seen)
    expect(first.seen.status).toBe(401)
    // All of them hash; one that did not would be done in a tenth of the time.
    expect(first.ms).toBeGreaterThan(second.ms / 3)
  })
})

describe('a member whom an operator has made pending', () => {
  test.each(['link', 'code', 'reset', 'single sign-on'])(
    'stays so, whatever they confirm by: %s',
    async (way) => {
      const { email, id } = await side.makeMember({ email: address(), password: OWN })
      // As it was sent before.
      await post('magic-link', { email })
      const sent = await mailTo(email)
      await post('password/forgot', { email })
      const reset = await mailTo(email)
      await side.admin.patch(`/members/${id}`, { status: 'pending' })
      sso.provider.people.set(id, { email, email_verified: true })
      if (way === 'link') await post('magic-link/verify', { token: sent.token })
      if (way === 'code') await post('magic-link/verify', { email, code: sent.code })
      if (way === 'reset') await post('password/reset', { token: reset.token, password: STRANGERS })
      if (way === 'single sign-on')
        expect((await sso.pass(id)).parameters.get('error')).toBe('account_inactive')
      const { body } = await side.admin.get<{ data: { status: string } }>(`/members/${id}`)
      expect(body.data.status).toBe('pending')
      expect(await logIn(email, way === 'reset' ? STRANGERS : OWN)).toMatchObject({ status: 422 })
    },
  )
})

describe('an invitation of a member who was made before', () => {
  const invited = async (more: object = {}) => {
    const email = address()
    const { body } = await side.admin.post<Body>('/members', { email, send_invitation: true, ...more })
    return { email, id: body.member.id, mail: await mailTo(email) }
  }
  const accept = (body: object) => post('invitations/accept', { password: STRANGERS, ...body })
  const statusOf = async (email: string) =>
    (await sso.sql<{ status: string }>('select status from invitations where email = $1', [email])).map(
      ({ status }) => status,
    )

  test('is no password reset: it ends with the first login', async () => {
    const { email, mail } = await invited()
    await post('magic-link', { email })
    expect((await post('magic-link/verify', { token: (await mailTo(email)).token })).status).toBe(200)
    expect(await statusOf(email)).toEqual(['revoked'])
    for (const proof of [{ token: mail.token }, { email, code: mail.code }])
      expect((await accept(proof)).status).toBe(401)
    expect((await press({ token: mail.token, password: STRANGERS })).status).toBe(404)
  })

  test('is no password reset: it ends with a password, and is not sent to who has one', async () => {
    const { email, id, mail } = await invited()
    await sso.sql(
      'insert into member_passwords (project_id, id, hash) select project_id, id, $2 from members where id = $1',
      [parseId('member', id), 'x'],
    )
    expect((await accept({ token: mail.token })).status).toBe(401)
    expect((await accept({ email, code: mail.code })).status).toBe(401)
    const refused = await side.admin.post('/members', {
      email: address(),
      password: OWN,
      send_invitation: true,
    })
    expect(refused).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
  })

  test('is of the address as it is now: another one ends it', async () => {
    const { email, id, mail } = await invited()
    await side.admin.patch(`/members/${id}`, { email: address() })
    expect(await statusOf(email)).toEqual(['revoked'])
    expect((await accept({ token: mail.token })).status).toBe(401)
  })

  test('once accepted has ended other sessions, and the member is told', async () => {
    const { email, id, mail } = await invited({ status: 'pending' })
    const { token } = await side.signIn(id)
    const accepted = await accept({ token: mail.token })
    expect(accepted).toMatchObject({ status: 200, body: { member: { id, status: 'active' } } })
    expect((await mailTo(email)).subject).toContain('accepted the invitation')
    await expect
      .poll(async () => (await side.as(token).get('/user/profile')).status, { timeout: 2_000 })
      .toBe(401)
    expect((await logIn(email, STRANGERS)).status).toBe(200)
  })
})
