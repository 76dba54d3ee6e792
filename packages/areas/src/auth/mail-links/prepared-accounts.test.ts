import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { within } from '#testkit/within.ts'
import { connectionId } from '../ids.ts'

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
    [...values, parseId(connectionId, sso.connection.id)],
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
    expect(refusalOf(await logIn(email, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
    expect(refusalOf(await post('refresh', { refresh_token: refresh }))).toBe('401 INVALID_TOKEN')
    await within(1_000, async () =>
      expect(refusalOf(await side.as(token).get('/user/profile'))).toBe('401 INVALID_TOKEN'),
    )
    const passwords = way === 'by a new password' ? 1 : 0
    expect(await waysIn(memberId)).toEqual({ passwords, passkeys: 0, factors: 0, identities: 0 })
    expect(refusalOf(await post('email/verify', { token: change.token }))).toBe('422 INVALID_LINK')
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
      // Single sign-on has confirmed nothing here.
      const code = way === 'single sign-on' ? 'EMAIL_NOT_VERIFIED' : 'ACCOUNT_PENDING'
      const refused = { status: 422, body: { code } }
      expect(await logIn(email, way === 'reset' ? STRANGERS : OWN)).toMatchObject(refused)
    },
  )
})
