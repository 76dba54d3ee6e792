import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Site, startSite } from '#testkit/areas/auth/site.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { addAuthenticator, describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'

const PASSWORD = 'correct horse battery'

let mails: MailEnvironment
let side: Side
let site: Site

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  const { key } = await side.makeKey({ type: 'public', capabilities: [] })
  site = await startSite(mails.api.url, key)
  await mails.configure(side, { redirectUrls: [site.origin], emailConfirmation: true })
})
afterAll(async () => {
  await site.close()
  await mails.close()
})

describeWithBrowser('in a browser, on a page of another origin that has a public key', () => {
  test('somebody signs up, comes and goes by every way in, and ends a session elsewhere', async () => {
    const browser = await startBrowser()
    const page = await browser.newPage()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const news = (text: string) => page.getByText(text, { exact: true }).waitFor()
    const isIn = (how: string) => page.getByRole('heading', { name: how, exact: true }).waitFor()
    const email = 'ada@example.com'
    /** Opens what a mail leads to, and presses its button. */
    const follow = async (button: string, password?: string) => {
      const { link } = await mails.mailTo(email)
      const { pathname, search } = new URL(link)
      await page.goto(mails.api.url + pathname + search)
      if (password !== undefined) await page.locator('input[type=password]').fill(password)
      await press(button)
      await page.waitForURL(`${site.origin}/**`)
    }
    const fill = async () => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(PASSWORD)
    }

    // Sign up, and confirm the address by the mail.
    await page.goto(site.origin)
    await fill()
    await press('Sign up')
    await news('Look at your mail')
    await press('Log in')
    await news('INVALID_CREDENTIALS')
    await follow('Confirm', PASSWORD)
    await isIn('aal1 email')

    // An access token of a session that was ended is good for nothing any more.
    await press('Log out')
    await news('INVALID_TOKEN')

    await page.getByLabel('Email').fill(email)
    await press('Mail me a link')
    await news('Look at your mail')
    await follow('Log in')
    await isIn('aal1 magic_link')

    // The authenticator app raises the session that adds it, and is asked for from then on.
    await page.goto(site.origin)
    await fill()
    await press('Log in')
    await isIn('aal1 password')
    await press('Add an app')
    const status = page.getByRole('status')
    await expect.poll(() => status.textContent()).toMatch(/^[A-Z2-7]{32}$/)
    const app = new TOTP({ secret: Secret.fromBase32((await status.textContent()) ?? '') })
    await page.getByLabel('Code').fill(app.generate())
    await press('Confirm the app')
    await news('10 recovery codes')
    await isIn('aal2 password+totp')
    await press('Log out')
    await news('INVALID_TOKEN')
    await press('Log in')
    await news('Second factor: totp')
    // The code of the next step: the present one was taken.
    await page.getByLabel('Code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
    await press('Send the code')
    await isIn('aal2 password+totp')

    // A passkey is two factors at once.
    await addAuthenticator(page)
    await press('Add a passkey')
    await news('Added Laptop')
    expect((await mails.mailTo(email)).subject).toContain('passkey was added')
    await press('Use a passkey')
    await isIn('aal2 passkey')

    // Everywhere that is logged in is there to see, and to end.
    await press('Show sessions')
    const items = page.getByRole('listitem')
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['passkey (this one) End', 'password+totp+passkey End', 'magic_link End'])
    await items.filter({ hasText: 'magic_link' }).getByRole('button').click()
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['passkey (this one) End', 'password+totp+passkey End'])
    await browser.close()
  })
})
