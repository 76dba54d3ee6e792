import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { within } from '#testkit/within.ts'
import type { Connection } from '../schema.ts'

// What domains of connections decide: whom a connection is offered to, whom it lets in, and who must use it.

const PASSWORD = 'correct horse battery'
let sso: SsoEnvironment
/** Speaks for acme.example; addresses of strict.example must use the other one. */
let acme: Connection
let strict: Connection
let made = 0
const address = (domain: string) => `somebody${++made}@${domain}`

beforeAll(async () => {
  sso = await startSsoEnvironment()
  acme = await sso.connect({ name: 'Acme', domains: ['ACME.example'] })
  strict = await sso.connect({ name: 'Strict', domains: ['strict.example'], required: true })
})
afterAll(() => sso.close())

const offered = async (email?: string) => {
  const query = email === undefined ? '' : `?email=${encodeURIComponent(email)}`
  const { body } = await sso.side.admin.get<{ data: { id: string; required: boolean }[] }>(
    `/auth/sso/connections${query}`,
  )
  return body.data.map(({ id, required }) => [id, required])
}
const post = (path: string, body: object) => sso.side.admin.post<{ code?: string }>(`/auth/${path}`, body)
const errorOf = async (email: string, by: Connection) => {
  sso.provider.people.set(email, { email, email_verified: true })
  return (await sso.pass(email, by)).parameters.get('error')
}

describe('a connection', () => {
  test('is offered to its domains, those without any to everybody, and disabled ones to nobody', async () => {
    const everybody = [sso.connection.id, false]
    expect(await offered()).toEqual([everybody])
    expect(await offered('ada@elsewhere.example')).toEqual([everybody])
    expect(await offered('Ada@Acme.Example')).toEqual([[acme.id, false], everybody])
    expect(await offered('ada@sub.acme.example')).toEqual([everybody])
    expect(await offered('ada@strict.example')).toEqual([[strict.id, true], everybody])
    const { id } = await sso.connect({ domains: ['off.example'], enabled: false })
    expect(await offered('ada@off.example')).toEqual([everybody])
    const started = await post('sso/start', {
      connection_id: id,
      redirect_url: sso.home,
      code_challenge: 'x'.repeat(43),
    })
    expect(started).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
  })

  test('answers the same for an address that is known', async () => {
    const { email } = await sso.side.makeMember({ email: address('acme.example') })
    expect(await offered(email)).toEqual(await offered(address('acme.example')))
  })

  test('lets nobody new in with an address that it does not speak for', async () => {
    expect(await errorOf(address('elsewhere.example'), acme)).toBe('domain_not_allowed')
    expect(await errorOf(address('strict.example'), sso.connection)).toBe('domain_not_allowed')
    expect(await errorOf(address('acme.example'), acme)).toBeNull()
    expect(await errorOf(address('strict.example'), strict)).toBeNull()
  })
})

describe('an address that must log in by single sign-on', () => {
  test('is sent to single sign-on by every other way to log in, whether there is such an account or not', async () => {
    const known = await sso.side.makeMember({ email: address('strict.example'), password: PASSWORD })
    for (const email of [known.email, known.email.toUpperCase(), address('strict.example')]) {
      const answers = [
        await post('login', { email, password: PASSWORD }),
        await post('signup', { email, password: PASSWORD }),
        await post('magic-link', { email, create_member: true }),
        await post('password/forgot', { email }),
      ]
      for (const { status, body } of answers) expect([status, body.code]).toEqual([422, 'SSO_REQUIRED'])
    }
    expect(await sso.mails.countMails(known.email)).toBe(0)
  })

  test('gets no session by a mail that was sent before, but has shown that it is its member’s', async () => {
    const { email, id } = await sso.side.makeMember({ email: address('late.example') })
    await post('magic-link', { email })
    const { token } = await sso.mails.mailTo(email)
    await sso.connect({ domains: ['late.example'], required: true })
    const late = await post('magic-link/verify', { token })
    expect([late.status, late.body.code]).toEqual([422, 'SSO_REQUIRED'])
    const sessions = await sso.sql(
      'select 1 from sessions s join members m on m.id = s.member_id where m.email = $1',
      [email],
    )
    expect(sessions).toEqual([])
    const [member] = await sso.sql<{ email_verified_at: string | null }>(
      'select email_verified_at from members where email = $1',
      [email],
    )
    expect(member?.email_verified_at).not.toBeNull()
    const [late1] = (await sso.side.admin.get<{ data: Connection[] }>('/sso-connections')).body.data
    sso.provider.people.set(id, { email, email_verified: true })
    const { parameters, verifier } = await sso.pass(id, late1)
    const exchanged = await sso.site.exchange(parameters.get('code'), verifier)
    expect(exchanged.body.member.id).toBe(id)
  })

  test('stays its member’s, who would come in without it else', async () => {
    const { email, id: memberId } = await sso.side.makeMember({ email: address('firm.example') })
    const connection = await sso.connect({ domains: ['firm.example'], required: true })
    const { id } = connection
    sso.provider.people.set(memberId, { email, email_verified: true })
    const { session } = (await sso.logIn(memberId, connection)).body
    const move = () =>
      sso.side.as(session.access_token).patch<{ code?: string }>('/user/profile', {
        email: address('elsewhere.example'),
      })
    expect(await move()).toMatchObject({ status: 422, body: { code: 'SSO_REQUIRED' } })
    await sso.side.admin.patch(`/sso-connections/${id}`, { required: false })
    expect((await move()).status).toBe(200)
  })

  test('is logged out of sessions that came about otherwise, once that is so', async () => {
    const { email, id } = await sso.side.makeMember({ email: address('sudden.example'), password: PASSWORD })
    const other = await sso.side.signIn()
    const { token } = await sso.side.signIn(id)
    const own = (by: string) =>
      sso.side
        .as(by)
        .get('/user/profile')
        .then(({ status }) => status)
    const connection = await sso.connect({ domains: ['sudden.example'] })
    expect(await own(token)).toBe(200)
    await sso.side.admin.patch(`/sso-connections/${connection.id}`, { required: true })
    await within(1_000, async () => expect(await own(token)).toBe(401))
    expect(await own(other.token)).toBe(200)
    sso.provider.people.set(id, { email, email_verified: true })
    const bySso = await sso.logIn(id, connection)
    await sso.side.admin.patch(`/sso-connections/${connection.id}`, { name: 'Sudden' })
    expect(await own(bySso.body.session.access_token)).toBe(200)
  })

  test('is free again where the connection is disabled or gone', async () => {
    const { email } = await sso.side.makeMember({ email: address('free.example'), password: PASSWORD })
    const { id } = await sso.connect({ domains: ['free.example'], required: true })
    const logIn = () => post('login', { email, password: PASSWORD })
    expect(await logIn()).toMatchObject({ status: 422, body: { code: 'SSO_REQUIRED' } })
    await sso.side.admin.patch(`/sso-connections/${id}`, { enabled: false })
    expect((await logIn()).status).toBe(200)
    await sso.side.admin.patch(`/sso-connections/${id}`, { enabled: true })
    expect(await logIn()).toMatchObject({ status: 422, body: { code: 'SSO_REQUIRED' } })
    await sso.side.admin.delete(`/sso-connections/${id}`)
    expect((await logIn()).status).toBe(200)
  })

  test('is another project’s matter there', async () => {
    const email = address('strict.example')
    const { status } = await sso.other.admin.post('/auth/signup', { email, password: PASSWORD })
    expect(status).toBe(201)
  })
})
