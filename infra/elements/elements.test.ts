import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { complaintsOf, type DemoRig, PASSWORD, startDemoRig } from './demo-rig.ts'

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

  /** A page of somebody who has never been here. */
  async function visit(path = '/', width = 1280) {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    const complaints = complaintsOf(page)
    await page.goto(rig.origin + path)
    return { page, complaints, close: () => context.close() }
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

  async function logIn(page: Page, email: string) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Log in')
  }

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

  test('the log-in with the client library is at most 17 kB, compressed', async () => {
    expect(await sizeOf('login.js')).toBeLessThan(17 * 1024)
  })
})
