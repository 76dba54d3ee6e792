import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'

const PASSWORD = 'correct horse battery'
const NEW = 'incorrect horse battery'
interface Body {
  code?: string
  member: { id: string; email: string; status: string; full_name: string }
  session: { access_token: string }
}

let mails: MailEnvironment
/** Does not confirm addresses; and one that does. */
let side: Side
let careful: Side
/** The customer's site. */
let site: Receiver
let home: string
let made = 0
const address = () => `visitor${++made}@example.com`

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  careful = mails.other.live
  site = await httpReceiver((_request, response) => response.end('<h1>Welcome back</h1>'))
  home = `http://127.0.0.1:${site.port}/welcome`
  await mails.configure(side, { redirectUrls: [home] })
  await mails.configure(careful, { redirectUrls: [home], emailConfirmation: true })
})
afterAll(async () => {
  await mails.close()
  await site.close()
})

const post = (path: string, body: object, of = side) => of.admin.post<Body>(`/auth/${path}`, body)
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search
/** Nobody is logged in here: pages take no credential. */
const visit = (method: string, link: string) => mails.api.send<string>(method, pathOf(link))
/** The page of a link that leads nowhere. */
const DOES_NOT_WORK = { status: 404, body: expect.stringContaining('This link does not work') }
const press = (fields: Record<string, string>, from?: string) =>
  mails.api.send<string>('POST', '/auth/continue', {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    ...(from !== undefined && { from }),
  })
/** The one-time token that a page leads on with. */
const tokenIn = (location: string | undefined) => new URL(location ?? '').searchParams.get('token') ?? ''

describe('the page of a mail’s link', () => {
  test('uses nothing up by being looked at, whoever looks and however often', async () => {
    const { email } = await side.makeMember()
    await post('magic-link', { email, redirect_url: home })
    const { link, token } = await mails.mailTo(email)
    const before = await mails.sql('select * from one_time_tokens')
    for (const method of ['GET', 'HEAD', 'GET']) expect((await visit(method, link)).status).toBe(200)
    expect(await mails.sql('select * from one_time_tokens')).toEqual(before)
    expect((await press({ token })).status).toBe(303)
  })

  test('runs no script, loads nothing, is not framed or kept, and tells nobody where it was', async () => {
    const { email } = await side.makeMember()
    await post('magic-link', { email, redirect_url: home })
    const { link } = await mails.mailTo(email)
    const { headers, body } = await visit('GET', link)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:\d+; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(body).not.toMatch(/<script|javascript:|https?:\/\//i)
  })

  test('shows what a project is called, and runs none of it', async () => {
    const { email } = await side.makeMember()
    const name = '<script>alert(1)</script> & "Söhne"'
    const rename = (to: string) =>
      mails.sql('update projects set name = $1 where id = $2', [to, side.projectId])
    await rename(name)
    await post('password/forgot', { email })
    const { link } = await mails.mailTo(email)
    const { body } = await visit('GET', link)
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Söhne&quot;')
    expect(body).not.toContain('<script>')
    await rename('One')
  })

  test('leads on with a one-time token that verify takes, and not with its own', async () => {
    const { email, id } = await side.makeMember()
    await post('magic-link', { email, redirect_url: `${home}/in?a=b` })
    const { token } = await mails.mailTo(email)
    const { status, headers } = await press({ token })
    expect(status).toBe(303)
    const target = new URL(headers['location'] ?? '')
    expect(target.href.startsWith(`${home}/in?a=b&token=`)).toBe(true)
    expect([...target.searchParams.keys()]).toEqual(['a', 'token'])
    expect(target.href).not.toContain(token)
    const onward = tokenIn(headers['location'])
    const exchanged = await post('magic-link/verify', { token: onward })
    expect(exchanged).toMatchObject({ status: 200, body: { member: { id } } })
    expect(refusalOf(await post('magic-link/verify', { token: onward }))).toBe('422 INVALID_LINK')
  })

  test('says after its use of which project it was, and leads back to that site', async () => {
    const { email } = await side.makeMember()
    await post('magic-link', { email, redirect_url: home })
    const { token, link } = await mails.mailTo(email)
    expect((await press({ token })).status).toBe(303)
    for (const answer of [await press({ token }), await visit('GET', link)]) {
      expect(answer).toMatchObject(DOES_NOT_WORK)
      expect(answer.body).toContain('<p class="project">One</p>')
      expect(answer.body).toContain(`<a href="${new URL(home).origin}">Back to One</a>`)
    }
    // A project with several sites does not say which they are.
    await mails.configure(side, { redirectUrls: [home, 'https://elsewhere.example.com/'] })
    const { body } = await visit('GET', link)
    expect(body).toContain('<p class="project">One</p>')
    expect(body).toContain('go back to the page where you started')
    expect(body).not.toMatch(/<a |https?:/)
    await mails.configure(side, { redirectUrls: [home] })
  })

  test('names no project that there is not', async () => {
    for (const token of ['abc', 'A'.repeat(64)]) {
      const { body } = await visit('GET', `http://x/auth/continue?token=${token}`)
      expect(body).not.toContain('class="project"')
      expect(body).not.toContain('<a ')
    }
  })

  test('leads to the only URL that the project allows where the request names none', async () => {
    const { email, id } = await side.makeMember()
    await post('magic-link', { email })
    const { token } = await mails.mailTo(email)
    const { headers } = await press({ token })
    expect(headers['location']?.startsWith(`${home}?token=`)).toBe(true)
    const verified = await post('magic-link/verify', { token: tokenIn(headers['location']) })
    expect(verified).toMatchObject({ status: 200, body: { member: { id } } })
  })

  test('is not linked where the project allows no URL or several: the mail has the code alone', async () => {
    for (const redirectUrls of [[], [home, 'https://elsewhere.example.com/']]) {
      await mails.configure(side, { redirectUrls })
      const { email, id } = await side.makeMember()
      expect((await post('magic-link', { email })).status).toBe(200)
      const { text, link, code } = await mails.mailTo(email)
      expect(link).toBe('')
      expect(text).toContain(`Your code: ${code}`)
      const verified = await post('magic-link/verify', { email, code })
      expect(verified).toMatchObject({ status: 200, body: { member: { id } } })
    }
    await mails.configure(side, { redirectUrls: [home] })
  })

  test('leads nowhere that the project has stopped to allow', async () => {
    const { email } = await side.makeMember()
    await post('magic-link', { email, redirect_url: home })
    const { link } = await mails.mailTo(email)
    await mails.configure(side, { redirectUrls: [] })
    const { body, headers } = await visit('GET', link)
    expect(body).not.toContain('<form')
    expect(headers['content-security-policy']).toContain("form-action 'self';")
    await mails.configure(side, { redirectUrls: [home] })
  })

  test('confirms an address, and says so where there is nowhere to lead on to', async () => {
    const email = address()
    await post('signup', { email, password: PASSWORD }, careful)
    const { token, link } = await mails.mailTo(email)
    expect((await visit('GET', link)).body).toContain('Confirm')
    const { status, body } = await press({ token, password: PASSWORD })
    expect(status).toBe(200)
    expect(body).toContain('Done')
    expect((await post('login', { email, password: PASSWORD }, careful)).status).toBe(200)
  })

  test('sets a new password, and says what is wrong with one that does not do', async () => {
    const { email } = await side.makeMember({ password: PASSWORD })
    await post('password/forgot', { email, redirect_url: home })
    const { token, link } = await mails.mailTo(email)
    expect((await visit('GET', link)).body).toContain('type="password"')
    for (const [password, fault] of [
      ['', 'choose a password'],
      ['short', '10 characters'],
      ['qwertyuiop', 'too common'],
    ] as const) {
      const body = expect.stringContaining(fault)
      expect(await press({ token, password })).toMatchObject({ status: 422, body })
    }
    expect((await press({ token, password: NEW })).status).toBe(303)
    expect(refusalOf(await post('login', { email, password: PASSWORD }))).toBe('401 INVALID_CREDENTIALS')
    expect((await post('login', { email, password: NEW })).status).toBe(200)
  })

  test('takes an invitation up, with a name and a password or without', async () => {
    const email = address()
    await side.admin.post('/invitations', { email, redirect_url: home })
    const { token, link } = await mails.mailTo(email)
    expect((await visit('GET', link)).body).toContain('You are invited')
    const { status, headers } = await press({ token, full_name: 'Ada', password: '' })
    expect(status).toBe(303)
    const { body } = await post('magic-link/verify', { token: tokenIn(headers['location']) })
    expect(body.member).toMatchObject({ email, full_name: 'Ada', status: 'active' })
    expect(await press({ token })).toMatchObject(DOES_NOT_WORK)
  })

  test.each([
    ['', 400],
    ['?token=', 404],
    ['?token=abc', 404],
    [`?token=${'A'.repeat(64)}`, 404],
    [`?token=${'A'.repeat(5_000)}`, 400],
    ['?token=%3Cscript%3E', 404],
    ['?token=a&token=b', 400],
  ])('%s is a page that says the link does not work', async (query, status) => {
    const answer = await visit('GET', `http://x/auth/continue${query}`)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('This link does not work')
    expect(answer.body).not.toContain('<script>')
  })

  test('takes forms only, and twenty of them a minute from one address', async () => {
    const asJson = await mails.api.send<string>('POST', '/auth/continue', { body: { token: 'x' } })
    expect(asJson.status).toBe(404)
    const from = '203.0.113.99'
    for (let i = 0; i < 20; i++) expect(await press({ token: 'x' }, from)).toMatchObject(DOES_NOT_WORK)
    const limited = await press({ token: 'x' }, from)
    expect(limited.status).toBe(429)
    expect(limited.body).toContain('too many attempts')
  })
})

describeWithBrowser('with JavaScript switched off', () => {
  test('somebody signs up, confirms, logs in by a link and comes back to the site', async () => {
    const browser = await startBrowser()
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    const email = address()
    const open = async () => page.goto(mails.api.url + pathOf((await mails.mailTo(email)).link))
    await post('signup', { email, password: PASSWORD, redirect_url: home }, careful)
    await open()
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.waitForURL(`${home}**`)
    expect(await page.textContent('h1')).toBe('Welcome back')
    const confirmed = await post('email/verify', { token: tokenIn(page.url()) }, careful)
    expect(confirmed.body.member).toMatchObject({ email, status: 'active' })
    await careful.as(confirmed.body.session.access_token).post('/auth/logout', {})

    await post('magic-link', { email, redirect_url: home }, careful)
    await open()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`${home}**`)
    const back = await post('magic-link/verify', { token: tokenIn(page.url()) }, careful)
    expect(back.body.member.email).toBe(email)

    await post('password/forgot', { email, redirect_url: home }, careful)
    await open()
    await page.getByLabel('New password').fill(NEW)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL(`${home}**`)
    expect((await post('login', { email, password: NEW }, careful)).status).toBe(200)
    await browser.close()
  })
})
