import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { within } from '#testkit/within.ts'

const OLD = 'correct horse battery'
const NEW = 'incorrect horse battery'
interface Body {
  code?: string
  session: { access_token: string; refresh_token: string }
  data: { ended: number }
}

let mails: MailEnvironment
let side: Side

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
})
afterAll(() => mails.close())

const post = (path: string, body: object) => side.admin.post<Body>(`/auth/${path}`, body)
const logIn = (email: string, password: string) => post('login', { email, password })
const isIn = async (token: string) => (await side.as(token).get('/user/profile')).status === 200

describe('a forgotten password', () => {
  test('is set anew by the mail, which ends every older session and begins one', async () => {
    const { email, id } = await side.makeMember({ password: OLD })
    const before = (await logIn(email, OLD)).body.session
    await post('password/forgot', { email })
    const { token, subject } = await mails.mailTo(email)
    expect(subject).toContain('new password')
    const reset = await post('password/reset', { token, password: NEW })
    expect(reset.status).toBe(200)
    await within(1_000, async () => expect(await isIn(before.access_token)).toBe(false))
    expect(await isIn(reset.body.session.access_token)).toBe(true)
    expect(refusalOf(await logIn(email, OLD))).toBe('401 INVALID_CREDENTIALS')
    expect((await logIn(email, NEW)).status).toBe(200)
    expect(await mails.events(side, 'member.password_changed')).toContainEqual({ id, by: 'reset' })
    expect((await mails.mailTo(email)).subject).toContain('has changed')
    expect(refusalOf(await post('password/reset', { token, password: OLD }))).toBe('422 INVALID_LINK')
  })

  test('is set by the code, too, by somebody who never had one', async () => {
    const { email } = await side.makeMember()
    await post('password/forgot', { email })
    const { code } = await mails.mailTo(email)
    expect((await post('password/reset', { email, code, password: NEW })).status).toBe(200)
    expect((await logIn(email, NEW)).status).toBe(200)
  })

  test('is not set to a common one, and the mail is still good then', async () => {
    const { email } = await side.makeMember({ password: OLD })
    await post('password/forgot', { email })
    const { token } = await mails.mailTo(email)
    expect(await post('password/reset', { token, password: '1234567890' })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    })
    expect((await post('password/reset', { token, password: NEW })).status).toBe(200)
  })

  test('is not set by a mail that was for something else', async () => {
    const { email } = await side.makeMember({ password: OLD })
    await post('magic-link', { email })
    const { token, code } = await mails.mailTo(email)
    expect(refusalOf(await post('password/reset', { token, password: NEW }))).toBe('422 INVALID_LINK')
    expect(refusalOf(await post('password/reset', { email, code, password: NEW }))).toBe('422 INVALID_CODE')
  })
})

describe('a known password', () => {
  const change = (token: string, current_password: string, password = NEW) =>
    side.as(token).post<Body>('/auth/password/change', { current_password, password })

  test('is changed by whoever knows it, which ends all other sessions', async () => {
    const { email, id } = await side.makeMember({ password: OLD })
    const here = (await logIn(email, OLD)).body.session
    const there = (await logIn(email, OLD)).body.session
    expect(await change(here.access_token, OLD)).toMatchObject({ status: 200, body: { data: { ended: 1 } } })
    await within(1_000, async () => expect(await isIn(there.access_token)).toBe(false))
    expect(await isIn(here.access_token)).toBe(true)
    expect(refusalOf(await post('refresh', { refresh_token: there.refresh_token }))).toBe('401 INVALID_TOKEN')
    expect(refusalOf(await logIn(email, OLD))).toBe('401 INVALID_CREDENTIALS')
    expect((await logIn(email, NEW)).status).toBe(200)
    expect(await mails.events(side, 'member.password_changed')).toContainEqual({ id, by: 'change' })
  })

  test('is not changed by whoever does not, and guessing ends after ten', async () => {
    const { email } = await side.makeMember({ password: OLD })
    const { access_token } = (await logIn(email, OLD)).body.session
    for (let i = 0; i < 10; i++)
      expect(await change(access_token, 'wrong password')).toMatchObject({
        status: 401,
        body: { code: 'INVALID_CREDENTIALS' },
      })
    expect(refusalOf(await change(access_token, OLD))).toBe('429 RATE_LIMITED')
  })

  test('is changed once, where two who know it change it at the same moment', async () => {
    const { email } = await side.makeMember({ password: OLD })
    const sessions = [(await logIn(email, OLD)).body.session, (await logIn(email, OLD)).body.session]
    const passwords = ['the password of one', 'the password of another']
    const answers = await Promise.all(
      sessions.map(({ access_token }, i) => change(access_token, OLD, passwords[i])),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect((await logIn(email, passwords[won] ?? '')).status).toBe(200)
    const lost = sessions[1 - won]?.access_token ?? ''
    await within(1_000, async () => expect(await isIn(lost)).toBe(false))
  })

  test('is none where there is none', async () => {
    const { token } = await side.signIn()
    expect(refusalOf(await change(token, OLD))).toBe('401 INVALID_CREDENTIALS')
  })
})
