import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator, describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { axeFaults, type DemoRig, FOCUSED, PASSWORD, startDemoRig, tabTo } from './demo-rig.ts'
import { testOtherWays } from './other-ways-suite.ts'
import { heading, logIn, press, type Visit, visitSite } from './visitor.ts'

let rig: DemoRig
beforeAll(async () => {
  rig = await startDemoRig()
})
afterAll(() => rig.close())

/** The bytes of an entry with all that it loads at once, each file compressed. */
async function sizeOf(entry: string): Promise<number> {
  const files = new Set([entry])
  let bytes = 0
  for (const file of files) {
    const text = await readFile(join(rig.folder, file), 'utf8')
    bytes += gzipSync(text, { level: 9 }).length
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"\.\/([\w./-]+)"/g))
      files.add(file.startsWith('chunks/') ? `chunks/${path}` : path)
  }
  return bytes
}

describeWithBrowser('the elements on a site of another origin with a strict policy', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  const visit: Visit = (path, visitor) => visitSite(browser, rig, path, visitor)

  testOtherWays(() => rig, visit)

  test('somebody signs up, and logs in by password, by a link in a mail and with an authenticator app', async () => {
    const { page, complaints, close } = await visit()
    const email = 'ada@elements.example'
    await press(page, 'Sign up')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('New password').fill('short')
    await press(page, 'Sign up')
    await page.getByText('At least 10 characters are needed.').waitFor()
    await page.getByLabel('New password').fill(PASSWORD)
    await press(page, 'Sign up')
    await page.getByLabel('Code of 6 digits').fill((await rig.mails.mailTo(email)).code)
    await press(page, 'Continue')
    await heading(page, 'You are logged in')
    await press(page, 'Log out')

    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('not this one at all')
    await press(page, 'Log in')
    await page.getByText('The address or the password is wrong.').waitFor()

    await press(page, 'Send me a link by email')
    await press(page, 'Send the mail')
    await page.goto((await rig.mails.mailTo(email)).link)
    await press(page, 'Log in')
    await heading(page, 'You are logged in')
    expect(new URL(page.url()).search).toBe('')

    const token = await page.evaluate<string>('JSON.parse(localStorage["guildhall.session"]).access')
    const member = rig.side.as(token)
    const { body } = await member.post<{ data: { id: string; secret: string } }>('/auth/mfa/totp', {})
    const app = new TOTP({ secret: Secret.fromBase32(body.data.secret) })
    await member.post('/auth/mfa/totp/verify', { factor_id: body.data.id, code: app.generate() })
    await press(page, 'Log out')
    await logIn(page, email)
    await page.getByLabel('Code of the app').fill(app.generate({ timestamp: Date.now() + 30_000 }))
    await press(page, 'Continue')
    await heading(page, 'You are logged in')
    await page.getByText(`As ${email}`).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a link that this browser did not ask for logs somebody in only after a click, and one that another browser asked for never', async () => {
    const email = 'bea@elements.example'
    await rig.side.makeMember({ email })
    const follow = async (page: Page) => {
      await page.goto((await rig.mails.mailTo(email)).link)
      await press(page, 'Log in')
      await page.waitForURL(`${rig.origin}/**`)
      await page.getByText('You have opened a link that logs you in.').waitFor()
      await press(page, 'Log in')
    }
    const asking = await visit()
    await press(asking.page, 'Send me a link by email')
    await asking.page.getByRole('textbox', { name: 'Email' }).fill(email)
    await press(asking.page, 'Send the mail')
    const other = await visit()
    await follow(other.page)
    await other.page.getByText('was asked for in another browser').waitFor()
    await rig.side.admin.post('/auth/magic-link', { email, redirect_url: rig.origin })
    await follow(other.page)
    await heading(other.page, 'You are logged in')
    await asking.close()
    await other.close()
  })

  test('a form shows the fields that its conditions ask for, says what is wrong at its field, and takes a file', async () => {
    const { page, complaints, close } = await visit('/form')
    await heading(page, 'Apply')
    expect(await page.getByLabel('Which other?').isVisible()).toBe(false)
    await page.getByLabel('Other', { exact: true }).check()
    await page.getByLabel('Which other?').fill('Cats')
    await press(page, 'Send')
    const name = page.getByLabel('Your name')
    expect(
      await name.evaluate(
        (field) => field === (field.getRootNode() as unknown as { activeElement: unknown }).activeElement,
      ),
    ).toBe(true)
    await name.fill('Zoë 🙂')
    await page.getByLabel('Code').fill('xyz')
    await page
      .getByLabel('Letter')
      .setInputFiles({ name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear all') })
    await press(page, 'Send')
    await page.getByText('This does not have the expected form.').waitFor()
    await page.getByLabel('Code').fill('XY')
    await press(page, 'Send')
    await page.getByText('Thank you! We have received it.').first().waitFor()
    const { body } = await rig.side.admin.get<{ data: { data: object }[] }>(`/forms/${rig.form}/submissions`)
    expect(body.data[0]?.data).toMatchObject({
      name: 'Zoë 🙂',
      topic: 'b',
      other: 'Cats',
      code: 'XY',
      letter: expect.stringContaining('http'),
    })
    expect(complaints).toEqual([])
    await close()
  })

  test('a form that is changed while it is filled in keeps what was entered, and says so', async () => {
    const fields = [{ id: 'name', type: 'text', label: 'Your name', required: true }]
    const made = await rig.side.admin.post<{ data: { id: string } }>('/forms', {
      name: 'Changing',
      type: 'custom',
      fields,
    })
    const path = `/forms/${made.body.data.id}`
    await rig.side.admin.post(`${path}/publish`)
    const { page, close } = await visit('/form')
    await page.evaluate(
      `document.querySelector('guildhall-form').setAttribute('form', '${made.body.data.id}')`,
    )
    await page.getByRole('heading', { name: 'Changing' }).waitFor()
    await page.getByLabel('Your name').fill('Grace')
    const boat = { id: 'boat', type: 'text', label: 'Your boat', required: true }
    await rig.side.admin.patch(path, { fields: [...fields, boat] })
    await rig.side.admin.post(`${path}/publish`)
    await press(page, 'Send')
    await page.getByText('This form was changed while you filled it in.').waitFor()
    expect(await page.getByLabel('Your name').inputValue()).toBe('Grace')
    expect(await page.getByLabel('Your boat').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Your boat').fill('Cutty Sark')
    await press(page, 'Send')
    await page.getByText('Thank you! We have received it.').first().waitFor()
    await close()
  })

  test('a member changes the profile, adds an app and sees recovery codes once, subscribes, and logs other devices out', async () => {
    const { id } = await rig.side.makeMember({ email: 'kay@elements.example' })
    await rig.session(id)
    const { page, complaints, close } = await visit('/account', { member: id })
    await page.getByLabel('Name that others see').fill('Kay 🙂')
    await press(page, 'Save')
    await page.getByText('Saved.').first().waitFor()
    const { body } = await rig.side.admin.get<{ data: { display_name: string } }>(`/profiles/${id}`)
    expect(body.data.display_name).toBe('Kay 🙂')
    await press(page, 'Add an authenticator app')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    const secret = (await page.locator('.secret').textContent())?.replaceAll(' ', '') ?? ''
    await page.getByLabel('Code of the app').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await press(page, 'Confirm')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    expect(await page.locator('.codes li').count()).toBe(10)
    await press(page, 'I have kept them')
    await page.getByRole('button', { name: 'Make new recovery codes' }).waitFor()
    expect(await page.locator('.codes').count()).toBe(0)
    await press(page, 'Log out everywhere else')
    await page.getByText('All other devices are logged out.').first().waitFor()
    await page.getByText('You have no bills.').waitFor()
    await press(page, 'Choose a plan')
    await press(page, 'Continue')
    await page.getByText('Waits for its first payment').waitFor()
    await page.getByRole('button', { name: /^Pay bill/ }).waitFor()
    await addAuthenticator(page)
    await press(page, 'Add a passkey')
    await page.getByText('Passkey', { exact: true }).waitFor()
    await page.goto(rig.origin)
    await press(page, 'Log out')
    await press(page, 'Use a passkey')
    await page.getByText('As kay@elements.example').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a vote is counted, and a comment comes to another window by itself', async () => {
    const [one, two] = [await rig.side.makeMember(), await rig.side.makeMember()]
    const ideas = await visit('/feedback', { member: one.id })
    const vote = ideas.page.getByRole('button', { name: /^Vote for “A night ferry”/ })
    await vote.click()
    await expect.poll(() => vote.getAttribute('aria-pressed')).toBe('true')
    // The first vote is that of the author.
    expect(await vote.textContent()).toBe('2')
    const reader = await visit('/comments', { member: two.id })
    const writer = await visit('/comments', { member: one.id })
    await reader.page.getByLabel('Your comment').waitFor()
    // What was written before the stream began is not in it.
    await expect.poll(() => reader.answered.some((url) => url.includes('/stream?'))).toBe(true)
    await writer.page.getByLabel('Your comment').fill('I come **along**.')
    await writer.page
      .getByLabel('Files')
      .setInputFiles({ name: 'map.txt', mimeType: 'text/plain', buffer: Buffer.from('map') })
    await press(writer.page, 'Send')
    const arrived = reader.page.getByRole('article').filter({ hasText: 'I come along.' })
    await arrived.getByText('map.txt').waitFor()
    await arrived.getByRole('button', { name: /^Like the comment/ }).click()
    await arrived.getByRole('button', { name: /^Like the comment/, pressed: true }).waitFor()
    await arrived.getByRole('button', { name: /^Reply to/ }).click()
    await reader.page.getByLabel(/^Your reply to/).fill('Me too!')
    await reader.page.getByRole('button', { name: 'Send', exact: true }).first().click()
    await writer.page.getByText('Me too!').waitFor()
    for (const each of [ideas, reader, writer]) {
      expect(each.complaints).toEqual([])
      await each.close()
    }
  })

  test('no element has a fault that axe finds, in both themes, nor is one wider than a telephone from right to left', async () => {
    const { id } = await rig.side.makeMember({ full_name: 'Maximiliane von und zu Hohenstein-Wackerbarth' })
    for (const colorScheme of ['light', 'dark'] as const) {
      const member = await visit('/account?lang=ar', { member: id, width: 390, colorScheme })
      for (const path of ['/account', '/feedback', '/comments', '/']) {
        await member.page.goto(`${rig.origin}${path}?lang=ar`)
        await member.page.waitForLoadState('load')
        await member.page.getByRole('heading', { level: 2 }).first().waitFor()
        expect([
          path,
          await member.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ]).toEqual([path, 0])
        expect([path, await axeFaults(member.page)]).toEqual([path, []])
      }
      await member.close()
      const stranger = await visit('/form?lang=ar', { width: 390, colorScheme })
      await press(stranger.page, 'إرسال')
      expect(await axeFaults(stranger.page)).toEqual([])
      await stranger.page.goto(`${rig.origin}/?lang=ar`)
      await press(stranger.page, 'تسجيل الدخول')
      expect(await axeFaults(stranger.page)).toEqual([])
      expect(await stranger.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      await stranger.close()
    }
  })

  test('the keyboard alone leads through the whole site, also where the browser forbids its storage', async () => {
    const email = 'keys@elements.example'
    await rig.side.makeMember({ email, password: PASSWORD })
    await rig.mails.sql('update members set email_verified_at = now() where email = $1', [email])
    const { page, complaints, close } = await visit()
    const type = async (name: string, text: string) => {
      await tabTo(page, name)
      await page.keyboard.type(text)
    }
    const go = async (name: string, key = 'Enter') => {
      await tabTo(page, name)
      await page.keyboard.press(key)
    }
    await heading(page, 'Log in')
    await type('Email', email)
    await type('Password', `${PASSWORD}\n`)
    await heading(page, 'You are logged in')
    expect(await page.evaluate(FOCUSED)).toBe('You are logged in')
    await go('Account', 'Enter')
    await page.getByLabel('Name that others see').waitFor()
    await type('Name that others see', 'Keys')
    await go('Save')
    await page.getByText('Saved.').first().waitFor()
    await go('Contact')
    await heading(page, 'Apply')
    await type('Your name', 'Keys')
    await go('Send')
    await page.getByText('Please look at what is marked.').waitFor()
    expect(await page.evaluate(FOCUSED)).toBe('Letter')
    await go('Ideas')
    await page
      .getByRole('button', { name: /^Vote for/ })
      .first()
      .waitFor()
    await go('Vote for', 'Space')
    await page
      .getByRole('button', { name: /^Vote for/, pressed: true })
      .first()
      .waitFor()
    await go('Discussion')
    await page.getByLabel('Your comment').waitFor()
    await type('Your comment', 'By keys alone')
    await go('Send')
    await page.getByRole('article').filter({ hasText: 'By keys alone' }).waitFor()
    expect(complaints).toEqual([])
    await close()

    const context = await browser.newContext()
    const other = await context.newPage()
    await other.addInitScript(
      'Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError") } })',
    )
    await other.goto(rig.origin)
    await logIn(other, email)
    await heading(other, 'You are logged in')
    await context.close()
  })

  test('the page of the guide shows its elements under the policy of the guide', async () => {
    const guide = await readFile(new URL('../../docs/guides/elements.md', import.meta.url), 'utf8')
    const { url } = rig.mails.api
    const [, html = ''] = /```html\n(.*?)```/s.exec(guide) ?? []
    const [, policy = ''] = /Content-Security-Policy: (.*)/.exec(guide) ?? []
    const headers = {
      'content-type': 'text/html',
      'content-security-policy': policy.replaceAll('http://127.0.0.1:3000', url),
    }
    let page = ''
    const server = createServer(async ({ url: path = '' }, response) => {
      if (path === '/') return response.writeHead(200, headers).end(page)
      const file = await fetch(rig.origin + path)
      response
        .writeHead(file.status, { 'content-type': file.headers.get('content-type') ?? '' })
        .end(await file.text())
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const site = `http://localhost:${(server.address() as AddressInfo).port}`
    const capabilities = ['catalog', 'submit']
    const { key } = await rig.side.makeKey({ type: 'public', capabilities, allowed_origins: [site] })
    page = html.replace('"API"', `"${url}"`).replace('"PK"', `"${key}"`).replace('"FORM"', `"${rig.form}"`)
    const visitor = await visit()
    await heading(visitor.page, 'Log in')
    await visitor.page.goto(site)
    await heading(visitor.page, 'Apply')
    await heading(visitor.page, 'Log in')
    // The browser asks every site for its icon.
    expect(visitor.complaints.filter((text) => !text.includes('favicon'))).toEqual([])
    await visitor.close()
    server.closeAllConnections()
    server.close()
  })

  test('the log-in with the client library is at most 17 kB, compressed', async () => {
    expect(await sizeOf('login.js')).toBeLessThanOrEqual(17_000)
  })
})
