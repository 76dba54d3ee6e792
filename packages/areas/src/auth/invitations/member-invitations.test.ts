import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { within } from '#testkit/within.ts'

const STRANGERS = 'correct horse battery'
const OWN = 'incorrect horse battery'
interface Body {
  code?: string
  error?: string
  member: { id: string; status: string; full_name: string; metadata: object }
}

let mails: MailEnvironment
let side: Side
let made = 0
const address = () => `member${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
})
afterAll(() => mails.close())

const post = (path: string, body: object) => side.admin.post<Body>(`/auth/${path}`, body)
const mailTo = (email: string) => mails.mailTo(email)
const logIn = (email: string, password: string) => post('login', { email, password })
const press = (fields: Record<string, string>) =>
  mails.api.send<string>('POST', '/auth/continue', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('an invitation of a member who was made before', () => {
  const invited = async (more: object = {}) => {
    const email = address()
    const { body } = await side.admin.post<Body>('/members', { email, send_invitation: true, ...more })
    return { email, id: body.member.id, mail: await mailTo(email) }
  }
  const accept = (body: object) => post('invitations/accept', { password: STRANGERS, ...body })
  const statusOf = async (email: string) =>
    (await mails.sql<{ status: string }>('select status from invitations where email = $1', [email])).map(
      ({ status }) => status,
    )

  test('is no password reset: it ends with the first login', async () => {
    const { email, mail } = await invited()
    await post('magic-link', { email })
    expect((await post('magic-link/verify', { token: (await mailTo(email)).token })).status).toBe(200)
    expect(await statusOf(email)).toEqual(['revoked'])
    for (const [proof, code] of [
      [{ token: mail.token }, 'INVALID_LINK'],
      [{ email, code: mail.code }, 'INVALID_CODE'],
    ] as const)
      expect(await accept(proof)).toMatchObject({ status: 422, body: { code } })
    const body = expect.stringContaining('This link does not work')
    expect(await press({ token: mail.token, password: STRANGERS })).toMatchObject({ status: 404, body })
  })

  test('is no password reset: it ends with a password, and is not sent to who has one', async () => {
    const { email, id, mail } = await invited()
    await mails.sql(
      'insert into member_passwords (project_id, id, hash, updated_at) select project_id, id, $2, now() from members where id = $1',
      [parseId('member', id), 'x'],
    )
    expect(refusalOf(await accept({ token: mail.token }))).toBe('422 INVALID_LINK')
    expect(refusalOf(await accept({ email, code: mail.code }))).toBe('422 INVALID_CODE')
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
    expect(refusalOf(await accept({ token: mail.token }))).toBe('422 INVALID_LINK')
  })

  test('once accepted has ended other sessions, and the member is notified', async () => {
    const { email, id, mail } = await invited({ status: 'pending' })
    const { token } = await side.signIn(id)
    const accepted = await accept({ token: mail.token })
    expect(accepted).toMatchObject({ status: 200, body: { member: { id, status: 'active' } } })
    expect((await mailTo(email)).subject).toContain('accepted the invitation')
    await within(1_000, async () =>
      expect(refusalOf(await side.as(token).get('/user/profile'))).toBe('401 INVALID_TOKEN'),
    )
    expect((await logIn(email, STRANGERS)).status).toBe(200)
  })
})
