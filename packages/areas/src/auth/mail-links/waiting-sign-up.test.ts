import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ThreadPool } from '#platform/threads/thread-pool.ts'
import { challengeOf, newVerifier } from '#testkit/areas/auth/sso.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const STRANGERS = 'correct horse battery'
const OWN = 'incorrect horse battery'
interface Body {
  code?: string
  error?: string
  member: { id: string; status: string; full_name: string; metadata: object }
  password_set: boolean
}

let mails: MailEnvironment
/** Confirms addresses. */
let careful: Side
let made = 0
const address = () => `waiting${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  careful = mails.other.live
  await mails.configure(careful, { emailConfirmation: true })
})
afterAll(() => mails.close())

const post = (path: string, body: object) => careful.admin.post<Body>(`/auth/${path}`, body)
const mailTo = (email: string) => mails.mailTo(email)
const logIn = (email: string, password: string) => post('login', { email, password })
const press = (fields: Record<string, string>) =>
  mails.api.send<string>('POST', '/auth/continue', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('a sign-up that waits for its confirmation', () => {
  const signUp = (email: string, more: object = {}) => post('signup', { email, password: STRANGERS, ...more })
  const verify = (body: object) => post('email/verify', body)

  test('is completed by its code, with its password and its data', async () => {
    const email = address()
    await signUp(email, { full_name: 'Mallory', metadata: { stranger: true } })
    const older = await mailTo(email)
    await mails.age('one_time_tokens', 'expires_at', 15 * 60 + 1)
    await signUp(email, { password: OWN, full_name: 'Ada', metadata: { own: true } })
    const { code } = await mailTo(email)
    expect(refusalOf(await verify({ token: older.token }))).toBe('422 INVALID_LINK')
    const { status, body } = await verify({ email, code })
    expect([status, body.member]).toMatchObject([
      200,
      { status: 'active', full_name: 'Ada', metadata: { own: true } },
    ])
    expect(body.member.metadata).toEqual({ own: true })
    expect((await logIn(email, OWN)).status).toBe(200)
    expect(refusalOf(await logIn(email, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
  })

  test('keeps its password when its mail is sent again', async () => {
    const email = address()
    await signUp(email, { password: OWN })
    await mailTo(email)
    await post('email/resend', { email })
    const { code } = await mailTo(email)
    expect((await verify({ email, code })).status).toBe(200)
    expect((await logIn(email, OWN)).status).toBe(200)
  })

  test('is one sign-up when its form is sent twice: its password logs in', async () => {
    const email = address()
    await signUp(email, { full_name: 'Ada' })
    await mailTo(email)
    // In another case, too.
    await signUp(email.toUpperCase(), { full_name: 'Ada King' })
    const { code } = await mailTo(email)
    const { status, body } = await verify({ email, code })
    expect(status).toBe(200)
    expect(body).toMatchObject({ password_set: true, member: { full_name: 'Ada King' } })
    expect((await logIn(email, STRANGERS)).status).toBe(200)
  })

  test('is one sign-up when its form is sent four times at the same moment', async () => {
    const email = address()
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp(email)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    for (let sent = await mails.countMails(email); sent > 0; sent--) await mailTo(email)
    await post('email/resend', { email })
    const { code } = await mailTo(email)
    expect(await verify({ email, code })).toMatchObject({ status: 200, body: { password_set: true } })
    expect((await logIn(email, STRANGERS)).status).toBe(200)
  })

  test('has the hash of its password from nobody else: not of another address, not of another project', async () => {
    const [one, two] = [address(), address()]
    await mails.configure(mails.one.live, { emailConfirmation: true })
    onTestFinished(() => mails.configure(mails.one.live, { emailConfirmation: false }))
    await signUp(one)
    await signUp(two)
    await mails.one.live.admin.post('/auth/signup', { email: one, password: STRANGERS })
    const rows = await mails.sql<{ password_hash: string }>(
      'select password_hash from one_time_tokens where subject = any ($1)',
      [[one, two]],
    )
    expect(rows).toHaveLength(3)
    expect(new Set(rows.map(({ password_hash }) => password_hash)).size).toBe(3)
  })

  test('gives its password no force by a link, which asks for it, or for another', async () => {
    for (const press_ of [true, false]) {
      const email = address()
      await signUp(email)
      const { token, link } = await mailTo(email)
      const page = await mails.api.send<string>('GET', new URL(link).pathname + new URL(link).search)
      expect(page.body).toContain('name="password"')
      if (press_) {
        const body = expect.stringContaining('choose a password')
        expect(await press({ token })).toMatchObject({ status: 422, body })
        expect((await press({ token, password: OWN })).status).toBe(200)
        expect((await logIn(email, OWN)).status).toBe(200)
      } else expect(await verify({ token })).toMatchObject({ status: 200, body: { password_set: false } })
      expect(refusalOf(await logIn(email, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
    }
  })

  test('gives its password no force by a link or a code to log in, nor afterwards', async () => {
    const email = address()
    await signUp(email)
    const waiting = await mailTo(email)
    await post('magic-link', { email })
    const { code } = await mailTo(email)
    expect(await post('magic-link/verify', { email, code })).toMatchObject({
      status: 200,
      body: { password_set: false },
    })
    expect(refusalOf(await verify({ email, code: waiting.code }))).toBe('422 INVALID_CODE')
    expect(refusalOf(await logIn(email, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
  })

  test('is completed only where it began, if that has given a challenge', async () => {
    const email = address()
    const verifier = newVerifier()
    await signUp(email, { code_challenge: challengeOf(verifier) })
    const { code } = await mailTo(email)
    for (const wrong of [{}, { code_verifier: newVerifier() }])
      expect(refusalOf(await verify({ email, code, ...wrong }))).toBe('422 INVALID_CODE')
    expect((await verify({ email, code, code_verifier: verifier })).status).toBe(200)
    expect((await logIn(email, STRANGERS)).status).toBe(200)
  })

  test('next to a stranger’s of the same address gives neither password force, unless a challenge tells them apart', async () => {
    const email = address()
    await signUp(email, { password: OWN })
    await mailTo(email)
    await signUp(email)
    await mailTo(email)
    await signUp(email)
    const { code } = await mailTo(email)
    expect(await verify({ email, code })).toMatchObject({ status: 200, body: { password_set: false } })
    expect(refusalOf(await logIn(email, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
    expect(refusalOf(await logIn(email, OWN))).toBe('401 INVALID_CREDENTIALS')

    const other = address()
    const verifier = newVerifier()
    await signUp(other)
    await mailTo(other)
    await signUp(other, { password: OWN, code_challenge: challengeOf(verifier) })
    const own = await mailTo(other)
    expect((await verify({ email: other, code: own.code, code_verifier: verifier })).status).toBe(200)
    expect((await logIn(other, OWN)).status).toBe(200)
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
    expect(refusalOf(await logIn(byLink, STRANGERS))).toBe('401 INVALID_CREDENTIALS')
    await submit(byCode)
    expect((await verify({ email: byCode, code: (await mailTo(byCode)).code })).status).toBe(200)
    expect((await logIn(byCode, STRANGERS)).status).toBe(200)
  })

  test('logs in as a wrong password does, in text, status, headers and work', async () => {
    const [waiting, nobody] = [address(), address()]
    await signUp(waiting)
    const known = await careful.makeMember({ password: OWN })
    const hashing = vi.spyOn(ThreadPool.prototype, 'run')
    onTestFinished(() => hashing.mockRestore())
    const answerTo = async (email: string) => {
      hashing.mockClear()
      const { status, body, headers } = await logIn(email, STRANGERS)
      const names = Object.keys(headers).filter((name) => !/^x-request-id$|^date$/.test(name))
      // The hash is nearly all of the time that a login takes.
      const hashes = hashing.mock.calls.length
      return {
        status,
        code: body.code,
        error: body.error,
        names,
        left: headers['x-ratelimit-remaining'],
        hashes,
      }
    }
    const [first, second, third] = [
      await answerTo(waiting),
      await answerTo(nobody),
      await answerTo(known.email),
    ]
    expect(first).toEqual(second)
    expect(first).toEqual(third)
    expect(first).toMatchObject({ status: 401, hashes: 1 })
  })
})
