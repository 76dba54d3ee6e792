import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const PASSWORD = 'correct horse battery'
interface Body {
  success: boolean
  code?: string
  member: { id: string; email: string; status: string }
  session: { access_token: string; refresh_token: string } | null
}

let mails: MailEnvironment
/** Does not confirm addresses; and one that does. */
let side: Side
let careful: Side
let made = 0
const address = () => `guest${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  careful = mails.other.live
  await mails.configure(careful, { emailConfirmation: true })
})
afterAll(() => mails.close())

const post = (path: string, body: object, of = side) => of.admin.post<Body>(`/auth/${path}`, body)

describe('signing up', () => {
  test('is a session at once where addresses are not confirmed', async () => {
    const email = address()
    const { status, body } = await post('signup', { email, password: PASSWORD, full_name: 'Ada' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ member: { email, status: 'active', full_name: 'Ada' } })
    const own = await side.as(body.session?.access_token ?? '').get('/user/profile')
    expect(own.status).toBe(200)
    expect(await post('signup', { email, password: PASSWORD })).toMatchObject({
      status: 422,
      body: { code: 'EMAIL_TAKEN' },
    })
    expect(await mails.events(side, 'member.signed_up')).toContainEqual(
      expect.objectContaining({ id: body.member.id }),
    )
  })

  test('waits for the mail where they are: the link, or the code, confirms and logs in', async () => {
    for (const proofOf of [
      (mail: { token: string }) => ({ token: mail.token, password: PASSWORD }),
      (mail: { code: string }, email: string) => ({ email: email.toUpperCase(), code: mail.code }),
    ]) {
      const email = address()
      const { status, body } = await post('signup', { email, password: PASSWORD }, careful)
      expect(status).toBe(201)
      expect(body).toMatchObject({ member: { status: 'pending' }, session: null })
      expect(refusalOf(await post('login', { email, password: PASSWORD }, careful))).toBe(
        '401 INVALID_CREDENTIALS',
      )
      const mail = await mails.mailTo(email)
      expect(mail.subject).toContain('Confirm')
      const verified = await post('email/verify', proofOf({ ...mail }, email), careful)
      expect(verified).toMatchObject({
        status: 200,
        body: { member: { id: body.member.id, status: 'active' }, session: { token_type: 'Bearer' } },
      })
      expect((await post('login', { email, password: PASSWORD }, careful)).status).toBe(200)
      expect(await mails.events(careful, 'member.email_verified')).toContainEqual({
        id: body.member.id,
        email,
      })
    }
  })

  test('with a taken address is answered like any other there, and its owner learns of it', async () => {
    const { email } = await careful.makeMember({ password: PASSWORD })
    await mails.sql('update members set email_verified_at = now() where email = $1', [email])
    const taken = await post('signup', { email, password: 'another password', full_name: 'A' }, careful)
    const free = await post('signup', { email: address(), password: PASSWORD, full_name: 'B' }, careful)
    const shape = ({ status, body, headers }: typeof taken) => ({
      status,
      body: Object.keys(body),
      member: Object.keys(body.member),
      values: { ...body.member, id: '', email: '', full_name: '', created_at: '', updated_at: '' },
      session: body.session,
      headers: Object.keys(headers).sort(),
    })
    expect(shape(taken)).toEqual(shape(free))
    expect((await mails.mailTo(email)).subject).toContain('You have an account')
    expect(refusalOf(await post('login', { email, password: 'another password' }, careful))).toBe(
      '401 INVALID_CREDENTIALS',
    )
    expect((await post('login', { email, password: PASSWORD }, careful)).status).toBe(200)
  })

  test('refuses common passwords, redirects that are not allowed, and names and addresses with line breaks', async () => {
    for (const wrong of [
      { password: 'qwertyuiop' },
      { redirect_url: 'https://evil.example.com/' },
      { full_name: 'Ada\r\nBcc: eve@example.com' },
      { email: 'ada@example.com\r\nBcc: eve@example.com' },
      { email: 'a\u0501a@example.com' },
      { email: 'ada@ex\u0430mple.com' },
    ]) {
      const { status, body } = await post('signup', { email: address(), password: PASSWORD, ...wrong })
      expect({ wrong, status, code: body.code }).toEqual({ wrong, status: 422, code: 'VALIDATION_ERROR' })
    }
  })
})

describe('a link by mail', () => {
  const ask = (email: string, of = side, more = {}) => post('magic-link', { email, ...more }, of)
  const verify = (body: object, of = side) => post('magic-link/verify', body, of)

  test('logs in once, by link or code', async () => {
    const { email, id } = await side.makeMember()
    expect(await ask(email)).toMatchObject({ status: 200 })
    const { token, code } = await mails.mailTo(email)
    expect(await verify({ token })).toMatchObject({ status: 200, body: { member: { id } } })
    expect(await verify({ token })).toMatchObject({ status: 422, body: { code: 'INVALID_LINK' } })
    // The code was of the same mail.
    expect(refusalOf(await verify({ email, code }))).toBe('422 INVALID_CODE')
  })

  test('used fifty times at the same moment is one session', async () => {
    const { email, id } = await side.makeMember()
    await ask(email)
    const { token } = await mails.mailTo(email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify({ token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(49)
    const created = await mails.events<{ member_id: string }>(side, 'session.created')
    expect(created.filter(({ member_id }) => member_id === id)).toHaveLength(1)
  })

  test('dies when a newer one is asked for', async () => {
    const { email } = await side.makeMember()
    await ask(email)
    const older = await mails.mailTo(email)
    await ask(email)
    expect(refusalOf(await verify({ token: older.token }))).toBe('422 INVALID_LINK')
    const newer = await mails.mailTo(email)
    expect((await verify({ email, code: newer.code })).status).toBe(200)
  })

  test('dies of five wrong codes, however many are tried at once, and the right one is none any more', async () => {
    const { email } = await side.makeMember()
    await ask(email)
    const { token, code } = await mails.mailTo(email)
    const wrong = code === '000000' ? '000001' : '000000'
    await Promise.all(Array.from({ length: 5 }, () => verify({ email, code: wrong })))
    expect(refusalOf(await verify({ email, code }))).toBe('422 INVALID_CODE')
    expect(refusalOf(await verify({ token }))).toBe('422 INVALID_LINK')
  })

  test('stands four wrong codes', async () => {
    const { email } = await side.makeMember()
    await ask(email)
    const { code } = await mails.mailTo(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let i = 0; i < 4; i++)
      expect(refusalOf(await verify({ email, code: wrong }))).toBe('422 INVALID_CODE')
    expect((await verify({ email, code })).status).toBe(200)
  })

  test('lives for fifteen minutes', async () => {
    const { email } = await side.makeMember()
    await ask(email)
    const { token, code } = await mails.mailTo(email)
    await mails.age('one_time_tokens', 'expires_at', 15 * 60 + 1)
    expect(refusalOf(await verify({ token }))).toBe('422 INVALID_LINK')
    expect(refusalOf(await verify({ email, code }))).toBe('422 INVALID_CODE')
  })

  test('opens nothing in another project', async () => {
    const { email } = await side.makeMember()
    await careful.makeMember({ email })
    await ask(email)
    const { token, code } = await mails.mailTo(email)
    expect(refusalOf(await verify({ token }, careful))).toBe('422 INVALID_LINK')
    expect(refusalOf(await verify({ email, code }, careful))).toBe('422 INVALID_CODE')
    expect((await verify({ token })).status).toBe(200)
  })

  test('is answered in the same words for anybody, and sent to members who may come in alone', async () => {
    const member = await side.makeMember()
    const inactive = await side.makeMember({ status: 'inactive' })
    const nobody = address()
    const answers = []
    for (const email of [member.email, inactive.email, nobody])
      for (const path of ['magic-link', 'password/forgot', 'email/resend'])
        answers.push(JSON.stringify((await post(path, { email })).body))
    expect(new Set(answers).size).toBe(1)
    expect(await mails.countMails(member.email)).toBe(3)
    expect(await mails.countMails(inactive.email)).toBe(0)
    expect(await mails.countMails(nobody)).toBe(0)
  })

  test('makes a member where that is wanted, when it is used and not before', async () => {
    const email = address()
    await ask(email, careful, { create_member: true })
    const { token } = await mails.mailTo(email)
    expect(await mails.sql('select from members where email = $1', [email])).toHaveLength(0)
    expect(await verify({ token }, careful)).toMatchObject({
      status: 200,
      body: { member: { email, status: 'active' } },
    })
  })

  test('buries nobody in mails: five in a quarter of an hour, and not a word about it', async () => {
    const { email } = await side.makeMember()
    for (let i = 0; i < 8; i++) expect((await ask(email)).status).toBe(200)
    // Those in between died before their mail was made, or were sent.
    expect(await mails.countMails(email)).toBeLessThanOrEqual(5)
    expect(await mails.countMails(email)).toBeGreaterThan(0)
  })

  test('is not counted where it is refused', async () => {
    const { email } = await side.makeMember()
    for (let i = 0; i < 6; i++)
      expect(refusalOf(await ask(email, side, { redirect_url: 'https://evil.example' }))).toBe(
        '422 VALIDATION_ERROR',
      )
    await ask(email)
    expect(await mails.countMails(email)).toBe(1)
  })

  test('lets nobody in who was deactivated meanwhile', async () => {
    const { email, id } = await side.makeMember()
    await ask(email)
    const { token } = await mails.mailTo(email)
    await side.admin.patch(`/members/${id}`, { status: 'inactive' })
    expect(refusalOf(await verify({ token }))).toBe('422 INVALID_LINK')
  })
})

test.each([{}, { email: 'a@example.com' }, { code: '123456' }, { token: 'x', email: 'a@example.com' }])(
  '%j is no proof of anything',
  async (body) => {
    expect(await post('magic-link/verify', body)).toMatchObject({
      status: 422,
      body: { code: 'VALIDATION_ERROR' },
    })
  },
)
