import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import { challengeOf, newVerifier } from '#testkit/areas/auth/sso.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const PASSWORD = 'correct horse battery'

let mails: MailEnvironment
let side: Side
let other: Side
beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  other = mails.other.live
})
afterAll(() => mails.close())

const post = (path: string, body: object, of = side) =>
  of.admin.post<{ code?: string }>(`/auth/${path}`, body)
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000')

/** The quarter of an hour that wrong codes make an account wait is over. */
const waitAQuarter = (email: string) =>
  mails.api.deps.limiter.clear({
    policy: 'account',
    id: `${side.projectId}:${email}`,
    points: 10,
    windowSeconds: 900,
  })

test('after ten wrong codes of an account in a day only the link of its mail works', async () => {
  const { email } = await side.makeMember()
  for (const guesses of [4, 4, 2]) {
    await post('magic-link', { email })
    const { code } = await mails.mailTo(email)
    for (let i = 0; i < guesses; i++)
      expect(refusalOf(await post('magic-link/verify', { email, code: wrongOf(code) }))).toBe(
        '422 INVALID_CODE',
      )
  }
  await waitAQuarter(email)
  await post('magic-link', { email })
  const { code, token } = await mails.mailTo(email)
  expect(await post('magic-link/verify', { email, code })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_CODE' },
  })
  expect((await post('magic-link/verify', { token })).status).toBe(200)
})

test('a right code forgets the wrong ones before it', async () => {
  const { email } = await side.makeMember()
  for (let round = 0; round < 3; round++) {
    await post('magic-link', { email })
    const { code } = await mails.mailTo(email)
    for (let i = 0; i < 4; i++) await post('magic-link/verify', { email, code: wrongOf(code) })
    expect((await post('magic-link/verify', { email, code })).status).toBe(200)
  }
})

test('wrong codes of many accounts slow the codes of their project, are reported once, and leave links and passwords alone', async () => {
  const { email } = await other.makeMember({ password: PASSWORD })
  await post('magic-link', { email }, other)
  const { token } = await mails.mailTo(email)
  const guess = (n: number) =>
    post('magic-link/verify', { email: `nobody${n}@example.com`, code: '123456' }, other)
  for (let i = 0; i < 100; i++) expect(refusalOf(await guess(i))).toBe('422 INVALID_CODE')
  // From here on so many in a minute, whichever account they are of.
  const slowed = []
  for (let i = 0; i < 40; i++) slowed.push((await guess(200 + i)).status)
  expect(slowed.filter((status) => status === 422)).toHaveLength(30)
  expect(slowed.slice(30)).toEqual(Array(10).fill(429))
  expect(await mails.events(other, 'auth.under_attack')).toEqual([
    { id: toId('project', other.projectId), wrong_codes: 101, codes_per_minute: 30 },
  ])
  expect((await post('login', { email, password: PASSWORD }, other)).status).toBe(200)
  expect((await post('magic-link/verify', { token }, other)).status).toBe(200)
  // Another project notices nothing.
  expect(await mails.events(side, 'auth.under_attack')).toEqual([])
  expect(refusalOf(await post('magic-link/verify', { email: 'nobody@example.com', code: '123456' }))).toBe(
    '422 INVALID_CODE',
  )
})

describe('a mail that was asked for with a challenge opens nothing elsewhere', () => {
  const ways = [
    ['magic-link', 'magic-link/verify', {}],
    ['password/forgot', 'password/reset', { password: 'another horse battery' }],
    ['email/resend', 'email/verify', {}],
  ] as const
  test.each(ways)('by %s', async (ask, use, more) => {
    const { email } = await side.makeMember()
    for (const by of ['token', 'code'] as const) {
      const verifier = newVerifier()
      await mails.sql('update members set email_verified_at = null where email = $1', [email])
      await post(ask, { email, code_challenge: challengeOf(verifier) })
      const mail = await mails.mailTo(email)
      const proof = by === 'token' ? { token: mail.token } : { email, code: mail.code }
      const use_ = (verified: object) => post(use, { ...proof, ...more, ...verified })
      if (by === 'code') expect(refusalOf(await use_({}))).toBe('422 INVALID_CODE')
      else {
        // A link's token is good once, also for whoever cannot show the verifier.
        expect(refusalOf(await use_({ code_verifier: newVerifier() }))).toBe('422 INVALID_LINK')
        expect(refusalOf(await use_({ code_verifier: verifier }))).toBe('422 INVALID_LINK')
        continue
      }
      expect((await use_({ code_verifier: verifier })).status).toBe(200)
    }
  })

  test('by the code that a page leads back with', async () => {
    const { email } = await side.makeMember()
    const redirect_url = 'https://app.example.com/in'
    await mails.configure(side, { redirectUrls: ['https://app.example.com/'] })
    const back = async (verifier: string) => {
      await post('magic-link', { email, redirect_url, code_challenge: challengeOf(verifier) })
      const { token } = await mails.mailTo(email)
      const answer = await mails.api.send('POST', '/auth/continue', {
        raw: new URLSearchParams({ token }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      return new URL(answer.headers['location'] ?? '').searchParams.get('token') ?? ''
    }
    const verifier = newVerifier()
    expect(refusalOf(await post('magic-link/verify', { token: await back(verifier) }))).toBe(
      '422 INVALID_LINK',
    )
    const shown = { token: await back(verifier), code_verifier: verifier }
    expect((await post('magic-link/verify', shown)).status).toBe(200)
  })
})
