import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { callConsole, makeOperator, PASSWORD, type TestOperator } from '#testkit/areas/console.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'

// Who becomes an operator, by CONSOLE_SIGNUP. That `closed` lets nobody in is with the log-in of operators.

let mails: MailEnvironment
let open: TestApi
let invited: TestApi
let made = 0
const address = () => `newcomer${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment({ CONSOLE_SIGNUP: 'open', CONSOLE_PROJECTS: '3' })
  open = mails.api
  invited = await startApi({ database: open.database, environment: { CONSOLE_SIGNUP: 'invited' } })
  // Links of mails lead to the console from its first request on.
  await callConsole(open, 'GET', '/me')
})
afterAll(async () => {
  await invited.close()
  await mails.close()
})

interface SignedIn {
  readonly session: { readonly access_token: string } | null
  readonly operator: { readonly id: string; readonly email: string }
}

const post = <T = SignedIn>(api: TestApi, path: string, body: object) =>
  callConsole<T>(api, 'POST', path, { body })
const tokenIn = ({ session }: SignedIn) => session?.access_token ?? ''

/** An operator who has just come in administers nothing and has a project only after making one. */
async function expectNewOperator(api: TestApi, key: string, email: string): Promise<void> {
  const me = await callConsole(api, 'GET', '/me', { key })
  expect(me).toMatchObject({ status: 200, body: { data: { email, is_administrator: false } } })
  expect((await callConsole(api, 'GET', '/projects', { key })).body).toMatchObject({ data: [] })
  const created = await callConsole(api, 'POST', '/projects', { key, body: { name: 'First' } })
  expect(created).toMatchObject({ status: 201, body: { data: { role: 'owner' } } })
}

describe('an open console', () => {
  test('makes whoever signs up an operator, once the address is confirmed', async () => {
    const email = address()
    const signedUp = await post(open, '/signup', { email, password: PASSWORD })
    expect([signedUp.status, signedUp.body.session]).toEqual([201, null])
    expect((await post(open, '/login', { email, password: PASSWORD })).status).not.toBe(200)
    const { code } = await mails.mailTo(email)
    const confirmed = await post(open, '/email/verify', { email, code })
    expect(confirmed.status).toBe(200)
    expect(confirmed.headers['set-cookie']).toMatch(/^guildhall_console=[\w-]{43};.* HttpOnly;/)
    expect(confirmed.body.session).not.toHaveProperty('refresh_token')
    await expectNewOperator(open, tokenIn(confirmed.body), email)
    expect((await post(open, '/login', { email, password: PASSWORD })).status).toBe(200)
  })

  test('makes an operator by a link that may create one, once, and by no other link', async () => {
    const email = address()
    await post(open, '/magic-link', { email })
    expect(await mails.countMails(email)).toBe(0)
    await post(open, '/magic-link', { email, create_member: true })
    const { code } = await mails.mailTo(email)
    const first = await post(open, '/magic-link/verify', { email, code })
    expect(first.status).toBe(200)
    expect(first.headers['set-cookie']).toContain('HttpOnly')
    await expectNewOperator(open, tokenIn(first.body), email)
    expect((await post(open, '/magic-link/verify', { email, code })).status).toBe(422)
  })

  test('lets an operator own three projects, also where ten are made at once, and an administrator more', async () => {
    const operator = await makeOperator(open)
    const chief = await makeOperator(open, { administrator: true })
    const makeTen = async ({ call }: TestOperator) =>
      (
        await Promise.all(
          Array.from({ length: 10 }, () => call('POST', '/projects', { name: 'One of many' })),
        )
      ).map(refusalOf)
    expect((await makeTen(operator)).filter((refusal) => refusal === '422 LIMIT_REACHED').length).toBe(7)
    expect((await operator.call<{ data: unknown[] }>('GET', '/projects')).body.data.length).toBe(3)
    expect((await makeTen(chief)).filter((refusal) => refusal.startsWith('422'))).toEqual([])
  })

  test('takes no role from whoever signs up', async () => {
    const body = { email: address(), password: PASSWORD, role: 'administrator' }
    expect(refusalOf(await post(open, '/signup', body))).toBe('422 VALIDATION_ERROR')
  })
})

describe('a console for those who are invited', () => {
  test('lets nobody sign up, by a password or by a link', async () => {
    const email = address()
    expect(refusalOf(await post(invited, '/signup', { email, password: PASSWORD }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(refusalOf(await post(invited, '/magic-link', { email, create_member: true }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(await mails.countMails(email)).toBe(0)
  })

  test('makes whom an owner invites an operator, who joins the team with the role of the invitation', async () => {
    const email = address()
    const owner = await makeOperator(invited)
    const { body: project } = await owner.call<{ data: { id: string } }>('POST', '/projects', {
      name: 'Team',
    })
    const { id } = project.data
    const body = { email, role: 'viewer' }
    expect((await owner.call('POST', `/projects/${id}/invitations`, body)).status).toBe(201)
    const { token } = await mails.mailTo(email)
    const accepted = await post(invited, '/invitations/accept', { token, password: PASSWORD })
    expect(accepted.status).toBe(200)
    const key = tokenIn(accepted.body)
    expect((await callConsole(invited, 'GET', `/projects/${id}`, { key })).status).toBe(404)
    const { body: found } = await callConsole<{ data: { id: string }[] }>(invited, 'GET', '/me/invitations', {
      key,
    })
    const joined = await callConsole(invited, 'POST', `/me/invitations/${found.data[0]?.id}/accept`, { key })
    expect(joined.body).toMatchObject({ data: { project_id: id, role: 'viewer' } })
    expect((await callConsole(invited, 'GET', `/projects/${id}`, { key })).body).toMatchObject({
      data: { role: 'viewer' },
    })
    expect(
      refusalOf(await post(invited, '/invitations/accept', { token, password: PASSWORD })),
    ).not.toContain('200')
  })
})
