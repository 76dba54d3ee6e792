import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'

interface Profile {
  code?: string
  data: { id: string; email: string; full_name: string; metadata: object; plan: object; avatar_url?: string }
}

let mails: MailEnvironment
let side: Side
let made = 0
const address = () => `profile${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
})
afterAll(() => mails.close())

const profileOf = (token: string) => side.as(token).get<Profile>('/user/profile')
const change = (token: string, changes: object) => side.as(token).patch<Profile>('/user/profile', changes)
const confirm = (token: string) => side.admin.post<{ code?: string }>('/auth/email/verify', { token })

test('a member reads what a key reads of them', async () => {
  const { memberId, token } = await side.signIn()
  const own = await profileOf(token)
  expect(own.body.data).toEqual((await side.admin.get<Profile>(`/members/${memberId}`)).body.data)
})

test('a member changes their own name, picture and metadata, and nothing else of themselves', async () => {
  const { token } = await side.signIn()
  await change(token, { metadata: { city: 'London', company: 'X' } })
  const changes = { full_name: 'Ada', avatar_url: 'https://example.com/a.png', metadata: { company: null } }
  const { status, body } = await change(token, changes)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ full_name: 'Ada', metadata: { city: 'London' } })
  for (const field of [{ status: 'inactive' }, { role: 'admin' }, { plan_id: (await side.makePlan()).id }])
    expect(await change(token, field)).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
})

test('a new address takes effect when its mail is answered, and the old one is notified', async () => {
  const { memberId, token } = await side.signIn()
  const old = (await profileOf(token)).body.data.email
  const email = address()
  expect((await change(token, { email })).body.data.email).toBe(old)
  const mail = await mails.mailTo(email)
  expect(mail.subject).toContain('new email address')
  expect((await confirm(mail.token)).status).toBe(200)
  // The first confirmation of an address ends what is from before, this session included.
  await expect.poll(async () => (await profileOf(token)).status, SOON).toBe(401)
  expect((await side.admin.get<Profile>(`/members/${memberId}`)).body.data.email).toBe(email)
  expect((await mails.mailTo(old)).text).toContain(email)
  expect(await mails.events(side, 'member.email_verified')).toContainEqual({ id: memberId, email })
  expect(await mails.events(side, 'member.updated')).toContainEqual(expect.objectContaining({ email }))
})

test('an address that is taken is answered like any other, and gets no mail', async () => {
  const { token } = await side.signIn()
  const { email } = await side.makeMember()
  const taken = await change(token, { email: email.toUpperCase() })
  const free = await change(token, { email: address() })
  expect(taken.status).toBe(200)
  expect({ ...taken.body.data, updated_at: '' }).toEqual({ ...free.body.data, updated_at: '' })
  expect(await mails.countMails(email)).toBe(0)
})

test('an address that was taken meanwhile stays its owner’s', async () => {
  const { token } = await side.signIn()
  const email = address()
  await change(token, { email })
  const mail = await mails.mailTo(email)
  await side.makeMember({ email })
  expect(await confirm(mail.token)).toMatchObject({ status: 422, body: { code: 'EMAIL_TAKEN' } })
})

test('of two new addresses the last one counts', async () => {
  const { token } = await side.signIn()
  const [first, second] = [address(), address()]
  await change(token, { email: first })
  const older = await mails.mailTo(first)
  await change(token, { email: second })
  expect(refusalOf(await confirm(older.token))).toBe('422 INVALID_LINK')
  expect((await confirm((await mails.mailTo(second)).token)).status).toBe(200)
})

test('an address that an operator changes is confirmed again where the project confirms addresses', async () => {
  const { memberId } = await side.signIn()
  await mails.configure(side, { emailConfirmation: true })
  for (const patch of [
    (email: string) => side.admin.patch(`/members/${memberId}`, { email }),
    (email: string) =>
      side.admin.post('/members/bulk', {
        operations: [{ action: 'update', id: memberId, changes: { email } }],
      }),
  ]) {
    const email = address()
    expect((await patch(email)).status).toBe(200)
    expect((await mails.mailTo(email)).subject).toContain('Confirm')
  }
  await mails.configure(side, { emailConfirmation: false })
  const quiet = address()
  await side.admin.patch(`/members/${memberId}`, { email: quiet })
  expect(await mails.countMails(quiet)).toBe(0)
})
