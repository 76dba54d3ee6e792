import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'

const PASSWORD = 'correct horse battery'
interface Body {
  code?: string
  member?: { id: string; email: string }
  details?: { field: string }[]
}

let mails: MailEnvironment
let side: Side
let careful: Side
beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  careful = mails.other.live
  const redirectUrls = ['https://app.example.com/auth']
  await mails.configure(side, { redirectUrls })
  await mails.configure(careful, { redirectUrls, emailConfirmation: true })
})
afterAll(() => mails.close())

const post = (path: string, body: object, of = side) => of.admin.post<Body>(path, body)

/** Every endpoint that takes an address of somebody who is not logged in, with what it needs besides. */
const TAKING_AN_ADDRESS: readonly [path: string, rest: object][] = [
  ['/auth/signup', { password: PASSWORD }],
  ['/auth/login', { password: PASSWORD }],
  ['/auth/magic-link', {}],
  ['/auth/magic-link/verify', { code: '123456' }],
  ['/auth/email/verify', { code: '123456' }],
  ['/auth/email/resend', {}],
  ['/auth/password/forgot', {}],
  ['/auth/password/reset', { code: '123456', password: PASSWORD }],
  ['/invitations', {}],
]

describe.each(TAKING_AN_ADDRESS)('%s', (path, rest) => {
  test.each([
    ['a header of its own', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a line break at its end', 'ada@example.com\n,eve@example.com'],
    ['two addresses', 'ada@example.com,eve@example.com'],
    ['a name', 'Ada <ada@example.com>'],
    ['a Cyrillic letter', '\u0430da@example.com'],
    ['a Cyrillic letter in its domain', 'ada@ex\u0430mple.com'],
    ['a full-width letter', '\uff41da@example.com'],
    ['a Kelvin sign for a k', '\u212aada@example.com'],
    ['a long s', 'ada@example.com'.replace('s', '\u017f').replace('ada', '\u017fada')],
    ['a dotted capital I', '\u0130da@example.com'],
    ['an ideographic full stop', 'ada@example\u3002com'],
    ['a direction mark', 'ada\u202e@example.com'],
    ['a zero-width space', 'a\u200bda@example.com'],
  ])('refuses an address with %s', async (_what, email) => {
    expect(await post(path, { ...rest, email })).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'email' }] },
    })
  })
})

describe('an address in any case is the same one', () => {
  test('to whoever logs in, by password or by link', async () => {
    const { id, email } = await side.makeMember({ password: PASSWORD })
    const shouted = ` ${email.toUpperCase()} `
    const { body } = await post('/auth/login', { email: shouted, password: PASSWORD })
    expect(body.member).toMatchObject({ id, email })
    await post('/auth/magic-link', { email: shouted })
    const { code } = await mails.mailTo(email)
    expect((await post('/auth/magic-link/verify', { email: shouted, code })).body.member?.id).toBe(id)
  })

  test('to whoever signs up, who learns of it by mail where addresses are confirmed', async () => {
    const { email } = await careful.makeMember({ password: PASSWORD })
    await mails.sql('update members set email_verified_at = now() where email = $1', [email])
    const answer = await post('/auth/signup', { email: email.toUpperCase(), password: PASSWORD }, careful)
    expect(answer).toMatchObject({ status: 201, body: { session: null } })
    expect((await mails.mailTo(email)).subject).toContain('You have an account')
    expect(
      await post('/auth/signup', {
        email: (await side.makeMember()).email.toUpperCase(),
        password: PASSWORD,
      }),
    ).toMatchObject({
      status: 422,
      body: { code: 'EMAIL_TAKEN' },
    })
  })

  test('to the failures that are counted', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    for (let n = 0; n < 10; n++) {
      const spelled = n % 2 ? email : email.toUpperCase()
      await post('/auth/login', { email: spelled, password: 'incorrect horse battery' })
    }
    expect((await post('/auth/login', { email, password: PASSWORD })).status).toBe(429)
  })
})

/** Every endpoint that takes a redirect. */
const TAKING_A_REDIRECT: readonly [path: string, rest: object][] = [
  ['/auth/signup', { password: PASSWORD }],
  ['/auth/magic-link', {}],
  ['/auth/email/resend', {}],
  ['/auth/password/forgot', {}],
  ['/invitations', {}],
]

describe.each(TAKING_A_REDIRECT)('%s', (path, rest) => {
  test.each([
    '//app.example.com/auth',
    'https://app.example.com/auth//evil.example',
    'https:\\\\app.example.com/auth',
    'https://evil.example\\@app.example.com/auth',
    'https://app.example.com\\.evil.example/auth',
    'https://app.example.com@evil.example/auth',
    'https://eve@app.example.com/auth',
    'https://app.example.com:8443/auth',
    'http://app.example.com/auth',
    'https://app.example.com.evil.example/auth',
    'https://\u0430pp.example.com/auth',
    'https://app.example.com/authentic',
    'https://app.example.com/auth/../admin',
    'https://app.example.com/auth\r\nset-cookie: a=b',
    'javascript:alert(1)',
    'javascript://app.example.com/auth%0aalert(1)',
    'data:text/html,x',
    '/auth',
    '',
  ])('leads nobody to %j, and sends no mail', async (redirect_url) => {
    const email = `${path.replaceAll('/', '')}${Math.random()}@example.com`
    expect(await post(path, { ...rest, email, redirect_url }, careful)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR', details: [{ field: 'redirect_url' }] },
    })
    expect(await mails.countMails(email)).toBe(0)
  })
})
