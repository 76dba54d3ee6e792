import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Forum, taken } from '#areas/discussions/forum.fixture.ts'
import { expireExports } from '#areas/exports/expire-exports.schedule.ts'
import type { ExportData } from '#areas/exports/schema.ts'
import { parseId } from '#platform/ids.ts'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { runSchedule } from '#testkit/areas/run-schedule.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'

const PASSWORD = 'correct horse battery'
interface Body<T = { id: string }> {
  code?: string
  data: T
}
interface Session {
  code?: string
  session: { access_token: string; refresh_token: string }
}

let mails: MailEnvironment
let s3: TestS3
/** The clock of this side is moved. */
let side: Side
let forum: Forum
let joined = 0

beforeAll(async () => {
  s3 = await startS3()
  mails = await startMailEnvironment(s3.environment, ['mail', 'exports', 'files'])
  side = mails.one.test
  forum = new Forum(side)
  await forum.category({ name: 'General' })
})
afterAll(async () => {
  await mails.close()
  await s3.close()
})

/** A member who logged in a while ago, so that only a password or a factor is a proof. */
async function join(input: object = {}) {
  const email = `leaver${++joined}@example.com`
  const { id } = await side.makeMember({ email, password: PASSWORD, ...input })
  const { session } = taken(await side.admin.post<Session>('/auth/login', { email, password: PASSWORD }))
  await loggedInBefore(id, '11 minutes')
  return { id, email, client: side.as(session.access_token), refresh: session.refresh_token }
}
const loggedInBefore = (id: string, ago: string) =>
  mails.sql('update sessions set created_at = now() - $2::interval where member_id = $1', [
    parseId('member', id),
    ago,
  ])
const leave = (client: Client, body: object | undefined = { password: PASSWORD }) =>
  client.delete<Body>('/user/profile', { body })
const restore = (id: string) => side.admin.post<Body>(`/members/${id}/restore`)
const logIn = (email: string, password = PASSWORD) =>
  side.admin.post<Session>('/auth/login', { email, password })
const requestData = (client: Client, body: object = { password: PASSWORD }) =>
  client.post<Body<ExportData>>('/user/data-export', body)

/** An authenticator app of a member, whose codes are all new. */
async function enroll(client: Client, id: string): Promise<() => string> {
  const app = taken(await client.post<Body<{ id: string; secret: string }>>('/auth/mfa/totp', {})).data
  const code = () => new TOTP({ secret: Secret.fromBase32(app.secret) }).generate()
  taken(await client.post<Body>('/auth/mfa/totp/verify', { factor_id: app.id, code: code() }))
  await mails.sql('update mfa_factors set last_step = 0 where member_id = $1', [parseId('member', id)])
  return code
}

describe.each([
  ['deleting oneself', (client: Client, body?: object) => leave(client, body ?? {})],
  ['an archive of one’s data', (client: Client, body?: object) => requestData(client, body ?? {})],
])('%s', (_what, ask) => {
  test('needs the password, a code of a factor, or a log-in within 10 minutes, and does nothing without', async () => {
    const { id, client, refresh } = await join()
    const code = await enroll(client, id)
    expect(refusalOf(await ask(client))).toBe('403 RECENT_LOGIN_REQUIRED')
    // New tokens of a session are no log-in.
    const { session } = taken(await side.admin.post<Session>('/auth/refresh', { refresh_token: refresh }))
    expect(refusalOf(await ask(side.as(session.access_token)))).toBe('403 RECENT_LOGIN_REQUIRED')
    expect(refusalOf(await ask(client, { password: 'another one of them' }))).toBe('401 INVALID_CREDENTIALS')
    expect(refusalOf(await ask(client, { code: '000000' }))).toBe('422 INVALID_CODE')
    for (const wrong of [{ password: PASSWORD, code: code() }, { code: '1' }, { password: '' }, { pin: '1' }])
      expect(refusalOf(await ask(client, wrong))).toBe('422 VALIDATION_ERROR')
    expect((await client.get('/user/profile')).status).toBe(200)
    expect((await ask(client, { code: code() })).status).toBeLessThan(300)
    const recent = await join()
    await loggedInBefore(recent.id, '9 minutes')
    expect((await ask(recent.client)).status).toBeLessThan(300)
  })

  test('waits after ten wrong passwords, and is nothing for keys', async () => {
    const { client } = await join()
    for (let i = 0; i < 10; i++) await ask(client, { password: 'another one of them' })
    expect(refusalOf(await ask(client, { password: PASSWORD }))).toBe('429 RATE_LIMITED')
    expect(refusalOf(await ask(side.admin))).toBe('403 INSUFFICIENT_PERMISSIONS')
  })
})

describe('a member who leaves', () => {
  test('is logged out everywhere for good, gets a mail, and reads why at the next log-in', async () => {
    const { id, email, client, refresh } = await join({ full_name: 'Ada' })
    const elsewhere = side.as((await side.signIn(id)).token)
    expect(await leave(client)).toMatchObject({ status: 200, body: { data: { id, deleted: true } } })
    for (const each of [client, elsewhere])
      await expect
        .poll(async () => refusalOf(await each.get('/user/profile')), SOON)
        .toBe('401 INVALID_TOKEN')
    expect((await mails.mailTo(email)).text).toMatch(/erased on \w+ \d+, \d{4}/)
    expect(refusalOf(await logIn(email))).toBe('422 ACCOUNT_DELETED')
    // Who does not know the password learns nothing.
    expect(refusalOf(await logIn(email, 'another one of them'))).toBe('401 INVALID_CREDENTIALS')
    expect(refusalOf(await side.admin.get(`/members/${id}`))).toBe('404 NOT_FOUND')
    taken(await restore(id))
    expect((await logIn(email)).status).toBe(200)
    expect(refusalOf(await side.admin.post('/auth/refresh', { refresh_token: refresh }))).toBe(
      '401 INVALID_TOKEN',
    )
    expect(refusalOf(await client.get('/user/profile'))).toBe('401 INVALID_TOKEN')
  })

  test('twice at once leaves once', async () => {
    const { id, client, email } = await join()
    const answers = await Promise.all(Array.from({ length: 4 }, () => leave(client)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
    const deleted = await mails.events(side, 'member.deleted')
    expect(deleted.filter((each) => each.id === id)).toEqual([{ id, mode: 'soft' }])
    await mails.mailTo(email)
    expect(await mails.countMails(email)).toBe(1)
  })

  test('keeps the place for 30 days while somebody signs up with the address, and none after that', async () => {
    const { id, email, client } = await join()
    await leave(client)
    const password = 'quite another secret'
    taken(await side.admin.post<Session>('/auth/signup', { email, password }))
    expect(refusalOf(await restore(id))).toBe('422 EMAIL_TAKEN')
    expect((await logIn(email, password)).status).toBe(200)
    // The address is somebody else's by now: nobody hears of the account from before.
    expect(refusalOf(await logIn(email))).toBe('401 INVALID_CREDENTIALS')
  })

  test('ends the subscription without credit, and subscribes anew after a restoration', async () => {
    const plan = await side.makePlan({ price: 30, currency: 'eur' })
    const { id, client } = await join()
    type Made = Body<{ id: string; bill: { id: string } | null }>
    const subscribe = async () =>
      taken(await side.admin.post<Made>('/subscriptions', { member_id: id, plan_id: plan.id })).data
    const made = await subscribe()
    taken(await side.admin.post<Body>(`/bills/${made.bill?.id}/mark-paid`))
    await leave(client)
    const ended = { status: 'canceled', cancel_reason: 'member_deleted' }
    const subscription = async () => (await side.admin.get<Body>(`/subscriptions/${made.id}`)).body.data
    expect(await subscription()).toMatchObject(ended)
    const credit = await mails.sql('select 1 from credit_entries where member_id = $1', [
      parseId('member', id),
    ])
    expect(credit).toEqual([])
    taken(await restore(id))
    expect(await subscription()).toMatchObject(ended)
    const { body } = await side.admin.get<Body<{ plan_id: string }>>(`/members/${id}`)
    expect(body.data.plan_id).not.toBe(plan.id)
    expect((await subscribe()).id).not.toBe(made.id)
  })

  test('has an order that is being paid go on, and finds it again after a restoration', async () => {
    const { id, client } = await join()
    const { id: product_id } = await makeProduct(side)
    const customer = await makeCustomer(side, id)
    taken(await customer.client.post<object>('/shop/cart', { product_id }))
    const order = taken(await customer.client.post<Body>('/shop/checkout', {})).data
    await leave(client)
    const paid = await side.admin.post<Body>(`/shop/orders/${order.id}/mark-paid`)
    expect(paid.status).toBe(200)
    taken(await restore(id))
    const { body } = await customer.client.get<{ orders: { id: string }[] }>('/shop/orders')
    expect(body.orders.map((each) => each.id)).toEqual([order.id])
  })

  test('is Former member beside their posts at once, and erased after 30 days; the posts stay', async () => {
    const { id, client } = await join({ full_name: 'Ada Lovelace' })
    const { id: post } = await forum.start({ client }, { title: 'Stays' })
    const gone = await join()
    for (const each of [client, gone.client]) taken(await leave(each))
    const author = async () =>
      (
        await side.admin.get<Body<{ author_id: string; author: { display_name: string } }>>(
          `/discussions/${post}?include=author`,
        )
      ).body.data
    expect(await author()).toMatchObject({ author_id: id, author: { display_name: 'Former member' } })
    await advance(side, { days: 29, hours: 23 })
    const row = () =>
      mails.sql<{ email: string; anonymized: boolean }>(
        'select email, anonymized_at is not null as anonymized from members where id = $1',
        [parseId('member', id)],
      )
    expect(await row()).toMatchObject([{ anonymized: false }])
    await advance(side, { hours: 2 })
    expect(await row()).toMatchObject([{ email: expect.stringContaining('anonymized'), anonymized: true }])
    expect(await author()).toMatchObject({ author_id: id, author: { display_name: 'Former member' } })
    expect(refusalOf(await restore(id))).toBe('404 NOT_FOUND')
  })
})

describe('a member who asks for their data', () => {
  const linkIn = (text: string) => /https?:\/\/\S+X-Amz\S+/.exec(text)?.[0] ?? ''

  test('gets a mail with a link to the archive, which works as long as the archive is kept', async () => {
    const { id, email, client } = await join()
    const { status, body } = await requestData(client)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ kind: 'member_data', status: 'queued' })
    const link = linkIn((await mails.mailTo(email)).text)
    const seconds = Number(new URL(link).searchParams.get('X-Amz-Expires'))
    expect(seconds).toBeGreaterThan(23.9 * 3_600)
    expect(seconds).toBeLessThanOrEqual(24 * 3_600)
    const archive = await fetch(link)
    expect(archive.status).toBe(200)
    expect(archive.headers.get('content-disposition')).toContain(`${id}.zip`)
    await archive.arrayBuffer()
    await mails.sql(`update exports set expires_at = now() where params ->> 'member_id' = $1`, [
      parseId('member', id),
    ])
    await runSchedule(expireExports, mails.api.config)
    await vi.waitFor(async () => expect((await fetch(link)).status).toBe(404), SOON)
  })

  test('twice at once gets one archive and one mail, and at most five within a day', async () => {
    const { email, client } = await join()
    for (let i = 0; i < 5; i++) {
      const answers = await Promise.all([1, 2, 3].map(() => requestData(client)))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
      await mails.mailTo(email)
      expect(await mails.countMails(email)).toBe(i + 1)
      await mails.age('exports', 'created_at', 61)
    }
    expect(refusalOf(await requestData(client))).toBe('429 RATE_LIMITED')
  })

  test('and then leaves, gets it all the same; one of whom nothing is left gets none', async () => {
    const leaving = await join()
    taken(await requestData(leaving.client))
    await leave(leaving.client)
    const texts = [await mails.mailTo(leaving.email), await mails.mailTo(leaving.email)].map(
      ({ text }) => text,
    )
    expect(texts.filter((text) => linkIn(text) !== '')).toHaveLength(1)
    const erased = await join()
    taken(await requestData(erased.client))
    await side.admin.delete(`/members/${erased.id}?mode=anonymize`)
    expect(await mails.countMails(erased.email)).toBe(0)
  })
})
