import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const PASSWORD = 'correct horse battery'
interface Times {
  created_at: string
  sent_at: string
  expires_at: string
  accepted_at: string
}
interface Body {
  code?: string
  member: { id: string; role: string; plan_id: string; full_name: string; status: string }
  session?: object
  data: { id: string; status: string; member_id: string | null; plan_id: string | null } & Times
  pagination: { total: number }
}

let mails: MailEnvironment
let side: Side
let made = 0
const address = () => `invited${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
})
afterAll(() => mails.close())

const invite = (input: object) => side.admin.post<Body>('/invitations', input)
const accept = (input: object, of = side) => of.admin.post<Body>('/auth/invitations/accept', input)
const logIn = (email: string) => side.admin.post<Body>('/auth/login', { email, password: PASSWORD })

describe('an invitation', () => {
  test('makes whoever accepts it a member, as the invitation says', async () => {
    const email = address()
    const plan = await side.makePlan()
    const invited = await invite({ email, role: 'editor', plan_id: plan.id, full_name: 'Ada' })
    expect(invited).toMatchObject({ status: 201, body: { data: { status: 'pending', plan_id: plan.id } } })
    expect(await mails.sql('select from members where email = $1', [email])).toHaveLength(0)
    const { token, subject } = await mails.mailTo(email)
    expect(subject).toContain('invited')
    const { status, body } = await accept({ token, password: PASSWORD })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      member: { role: 'editor', plan_id: plan.id, full_name: 'Ada', status: 'active' },
      session: { token_type: 'Bearer' },
    })
    expect((await logIn(email)).status).toBe(200)
    expect(await mails.events(side, 'invitation.accepted')).toContainEqual(
      expect.objectContaining({ id: invited.body.data.id, member_id: body.member.id, status: 'accepted' }),
    )
  })

  test('is accepted once, of any number at the same moment', async () => {
    const email = address()
    await invite({ email })
    const { token } = await mails.mailTo(email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept({ token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
  })

  test('is accepted by its code, of which five wrong ones are the end, and the link stays good', async () => {
    const [email, other] = [address(), address()]
    await invite({ email })
    const { code } = await mails.mailTo(email)
    expect(refusalOf(await accept({ email, code }, mails.other.live))).toBe('422 INVALID_CODE')
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept({ email, code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
    expect(answers.find(({ status }) => status === 200)?.body.member).toMatchObject({ status: 'active' })

    await invite({ email: other })
    const mail = await mails.mailTo(other)
    const wrong = mail.code === '111111' ? '222222' : '111111'
    for (let i = 0; i < 5; i++)
      expect(refusalOf(await accept({ email: other.toUpperCase(), code: wrong }))).toBe('422 INVALID_CODE')
    expect(refusalOf(await accept({ email: other, code: mail.code }))).toBe('422 INVALID_CODE')
    expect((await accept({ token: mail.token })).status).toBe(200)
    expect(refusalOf(await accept({ token: mail.token, email: other, code: mail.code }))).toBe(
      '422 VALIDATION_ERROR',
    )
  })

  test('is nothing in another project, nor when it is revoked, late, or sent again', async () => {
    const email = address()
    const { id } = (await invite({ email })).body.data
    const older = await mails.mailTo(email)
    expect(refusalOf(await accept({ token: older.token }, mails.other.live))).toBe('422 INVALID_LINK')
    expect((await side.admin.post(`/invitations/${id}/resend`)).status).toBe(200)
    const newer = await mails.mailTo(email)
    expect(refusalOf(await accept({ token: older.token }))).toBe('422 INVALID_LINK')
    await mails.age('invitations', 'expires_at', 8 * 86_400)
    expect(refusalOf(await accept({ token: newer.token }))).toBe('422 INVALID_LINK')
    const expired = await side.admin.get<{ data: { id: string }[] }>('/invitations?status=expired')
    expect(expired.body.data.map((each) => each.id)).toContain(id)
    expect(await side.admin.post(`/invitations/${id}/revoke`)).toMatchObject({
      status: 200,
      body: { data: { status: 'revoked' } },
    })
    expect(refusalOf(await side.admin.post(`/invitations/${id}/resend`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await side.admin.post(`/invitations/${id}/revoke`))).toBe('404 NOT_FOUND')
  })

  test('begins, expires and is accepted by the clock of the test side', async () => {
    const clocked = mails.one.test
    await advance(clocked, { days: 365 })
    const [first, second] = [address(), address()]
    const begin = await timeOf(clocked)
    const invited: Body['data'][] = []
    for (const email of [first, second])
      invited.push((await clocked.admin.post<Body>('/invitations', { email, expires_in_days: 7 })).body.data)
    const [accepted, late] = invited.map(({ id }) => id)
    const [one, two] = [(await mails.mailTo(first)).token, (await mails.mailTo(second)).token]
    await advance(clocked, { days: 6 })
    expect((await accept({ token: one, password: PASSWORD }, clocked)).status).toBe(200)
    await advance(clocked, { days: 2 })
    expect(refusalOf(await accept({ token: two, password: PASSWORD }, clocked))).toBe('422 INVALID_LINK')
    const { data } = (await clocked.admin.get<{ data: Body['data'][] }>('/invitations')).body
    const read = (id: string | undefined) => data.find((each) => each.id === id)
    expect(read(late)?.status).toBe('expired')
    const shown = read(accepted)
    const inOrder = [begin, shown?.created_at, shown?.sent_at, shown?.accepted_at, shown?.expires_at]
    expect(inOrder.toSorted()).toEqual(inOrder)
  })

  test('is sent again five times in a quarter of an hour, and no more', async () => {
    const { id } = (await invite({ email: address() })).body.data
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await side.admin.post(`/invitations/${id}/resend`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('is not sent to a member, nor twice', async () => {
    const { email } = await side.makeMember()
    expect((await invite({ email: email.toUpperCase() })).body.code).toBe('EMAIL_TAKEN')
    const free = address()
    await invite({ email: free })
    expect((await invite({ email: free.toUpperCase() })).body.code).toBe('INVITATION_PENDING')
  })

  test('does not take the place of a member who came by another way meanwhile', async () => {
    const email = address()
    await invite({ email })
    const { token } = await mails.mailTo(email)
    await side.makeMember({ email })
    expect(await accept({ token })).toMatchObject({ status: 422, body: { code: 'EMAIL_TAKEN' } })
  })

  test('to a plan that is gone is one to the default plan', async () => {
    const email = address()
    const plan = await side.makePlan()
    await invite({ email, plan_id: plan.id })
    const { token } = await mails.mailTo(email)
    await side.admin.post(`/plans/${plan.id}/archive`)
    const { status, body } = await accept({ token })
    expect(status).toBe(200)
    expect(body.member.plan_id).not.toBe(plan.id)
  })
})

test('a member made with an invitation confirms the address and sets a password by it', async () => {
  const email = address()
  const created = await side.admin.post<Body>('/members', { email, send_invitation: true, role: 'admin' })
  expect(created.status).toBe(201)
  const { token } = await mails.mailTo(email)
  const accepted = await accept({ token, password: PASSWORD, full_name: 'Grace' })
  expect(accepted.body.member).toMatchObject({
    id: created.body.member.id,
    full_name: 'Grace',
    role: 'admin',
  })
  expect((await logIn(email)).status).toBe(200)
})

test('a plan that was invited to can be deleted', async () => {
  const plan = await side.makePlan()
  await invite({ email: address(), plan_id: plan.id })
  expect((await side.admin.delete(`/plans/${plan.id}`)).status).toBe(200)
})

test('lists show the newest first, and count', async () => {
  const [{ live }] = await makeProjects(mails.api)
  const { body } = await live.admin.get<Body>('/invitations')
  expect(body.pagination.total).toBe(0)
  for (let i = 0; i < 3; i++) await live.admin.post('/invitations', { email: address() })
  const page = await live.admin.get<{ data: { email: string }[]; pagination: object }>(
    '/invitations?status=pending&limit=2',
  )
  expect(page.body.data.map(({ email }) => email)).toEqual([
    `invited${made}@example.com`,
    `invited${made - 1}@example.com`,
  ])
  expect(page.body.pagination).toMatchObject({ total: 3, total_pages: 2 })
})
