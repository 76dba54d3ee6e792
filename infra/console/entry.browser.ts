import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { makeWorkerDeps } from '#platform/worker-deps.ts'
import { loggedInBefore, makeOperator, PASSWORD, setRole } from '#testkit/areas/console.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { type OidcServer, startOidcServer } from '#testkit/servers/oidc-provider.ts'
import { httpReceiver } from '#testkit/servers/receiver.ts'
import { startSmtp, type TestSmtp } from '#testkit/servers/smtp.ts'
import { SOON } from '#testkit/soon.ts'
import { askForCode, awaitApproval } from '../../packages/cli/src/device.ts'
import { tabTo } from '../elements/demo-rig.ts'
import { assertFits, logInTo } from './pages.ts'
import { withConsole } from './rig.ts'

// Every way into the console, and what keeps others out of it.

let smtp: TestSmtp
let provider: OidcServer
let stopWorker = async () => {}
let made = 0
const newAddress = () => `newcomer${++made}@acme.example`

const rig = withConsole(
  async ({ api }) => {
    provider.redirectUris.add(`${api.config.BASE_URL}/console/api/sso/callback`)
    const deps = makeWorkerDeps(api.config, makeLog('silent', 'worker'))
    const worker = startWorker({ deps, areas, lanes: ['mail'], finishMs: 5_000 })
    stopWorker = async () => {
      await worker.stop()
      await deps.close()
    }
  },
  {
    environment: async () => {
      smtp = await startSmtp()
      provider = await startOidcServer()
      return {
        ...{ SMTP_URL: smtp.url, MAIL_FROM: 'no-reply@guild.example', SWEEP_MS: '300' },
        ...{ CONSOLE_SIGNUP: 'open', ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1' },
        CONSOLE_SSO_ISSUER: provider.issuer,
        CONSOLE_SSO_CLIENT_ID: provider.clientId,
        CONSOLE_SSO_CLIENT_SECRET: provider.clientSecret,
        CONSOLE_SSO_NAME: 'Acme',
      }
    },
  },
)
afterAll(async () => {
  await smtp?.close()
  await provider?.close()
})
// Before the API of the rig goes.
afterAll(() => stopWorker())

const read = new Set<object>()
/** The next mail to an address, as its reader sees it. */
async function mailTo(address: string): Promise<{ code: string; link: string }> {
  const find = () =>
    smtp.mails.find((mail) => !read.has(mail) && mail.envelope.to.some((to) => to.toLowerCase() === address))
  await expect.poll(find, SOON).toBeDefined()
  const mail = find()
  if (mail) read.add(mail)
  const text = mail?.text ?? ''
  return {
    code: /^Your code: (\d{6})$/m.exec(text)?.[1] ?? '',
    link: /https?:\/\/\S+token=\S+/.exec(text)?.[0] ?? '',
  }
}

/** An operator with a role in the project. */
async function newOperator() {
  const who = await makeOperator(rig.api)
  await setRole(rig.api, rig.one.live.projectId, who.id, 'owner')
  return who
}
const isHome = (page: Page) => page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
async function logOut(page: Page): Promise<void> {
  await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test`)
  await press(page, 'Log out')
  await page.getByRole('heading', { name: 'Log in to Guildhall' }).waitFor()
}
/** Says at the provider who one is. */
async function passProvider(page: Page, login: string): Promise<void> {
  await page.getByLabel('Name').fill(login)
  await press(page, 'Continue')
}
function personOf(email: string): string {
  const login = `person${++made}`
  provider.people.set(login, { email, email_verified: true, name: 'Ada' })
  return login
}

describeWithBrowser('the ways into the console', () => {
  test('who signs up by keyboard alone confirms the address and makes a project', async () => {
    const { page, complaints, close } = await rig.open()
    const email = newAddress()
    await page.getByLabel('Password').waitFor()
    await tabTo(page, 'Sign up to Guildhall')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sign up to Guildhall' }).waitFor()
    await tabTo(page, 'Email address')
    await page.keyboard.type(email)
    await tabTo(page, 'New password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code of the mail').waitFor()
    await tabTo(page, 'Code of the mail')
    await page.keyboard.type((await mailTo(email)).code)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your first project' }).waitFor()
    await tabTo(page, 'Name')
    await page.keyboard.type('Boats')
    await page.keyboard.press('Enter')
    await isHome(page)
    await page.locator('option', { hasText: 'Boats' }).waitFor({ state: 'attached' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a wrong password is said over the form that it was typed in, which then lets in', async () => {
    const who = await newOperator()
    const { page, close } = await rig.open()
    await page.getByLabel('Email address').fill(who.email)
    await page.getByLabel('Password').fill('not the password')
    // Refused log-ins look for a session once more.
    const looked = page.waitForResponse((answer) => answer.url().endsWith('/console/api/refresh'))
    await press(page, 'Log in')
    await page.getByRole('alert').waitFor()
    await looked
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Log in')
    await isHome(page)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await close()
  })

  test('a mail logs in by its code, and by its link', async () => {
    const who = await newOperator()
    const { page, complaints, close } = await rig.open()
    const ask = async () => {
      await press(page, 'Log in by mail')
      await page.getByLabel('Email address').fill(who.email)
      await press(page, 'Send the mail')
      return mailTo(who.email)
    }
    const { code } = await ask()
    await page.getByLabel('Code of the mail').fill(code)
    await press(page, 'Log in')
    await isHome(page)
    await logOut(page)
    const { link } = await ask()
    await page.goto(link)
    await press(page, 'Log in')
    await isHome(page)
    expect(page.url()).not.toContain('token')
    expect(complaints).toEqual([])
    await close()
  })

  test('a forgotten password is set anew by a mail, and then logs in', async () => {
    const who = await newOperator()
    const { page, close } = await rig.open()
    await press(page, 'Set a new password')
    await page.getByLabel('Email address').fill(who.email)
    await press(page, 'Send the mail')
    await page.getByLabel('Code of the mail').fill((await mailTo(who.email)).code)
    await page.getByLabel('New password').fill('quite another password')
    await press(page, 'Set the password')
    await isHome(page)
    await logOut(page)
    await page.getByLabel('Email address').fill(who.email)
    await page.getByLabel('Password').fill('quite another password')
    await press(page, 'Log in')
    await isHome(page)
    await close()
  })

  test('an invitation to a team is accepted by somebody new from its link, and by an operator', async () => {
    const email = newAddress()
    const invite = (address: string) =>
      rig.owner.call('POST', `/projects/${rig.one.project.id}/invitations`, {
        email: address,
        role: 'viewer',
      })
    await invite(email)
    const { page, complaints, close } = await rig.open()
    await page.goto((await mailTo(email)).link)
    await page.getByLabel(/password/i).fill(PASSWORD)
    await press(page, 'Accept')
    await press(page, `Join: ${rig.one.project.name}`)
    await isHome(page)
    expect(complaints).toEqual([])
    await close()

    const known = await makeOperator(rig.api)
    await invite(known.email)
    const second = await rig.open()
    await second.page.goto((await mailTo(known.email)).link)
    await press(second.page, 'Log in')
    await press(second.page, `Join: ${rig.one.project.name}`)
    await isHome(second.page)
    await second.close()
  })

  test('an authenticator app is added by its picture and asked for at the next log-in; a passkey needs no password', async () => {
    const who = await newOperator()
    const { page, close } = await rig.open()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true },
      },
    })
    // Passkeys are of a name, and not of an address.
    const home = rig.api.url.replace('127.0.0.1', 'localhost')
    await page.goto(`${home}/console`)
    await logInTo(page, who.email)
    await page.goto(`${home}/console/account`)
    await press(page, 'Add an authenticator app')
    const picture = page.getByRole('img', { name: 'The key as a picture' })
    expect((await picture.boundingBox())?.width).toBeGreaterThan(150)
    const key = await page.getByRole('dialog').locator('code').textContent()
    const app = new TOTP({ secret: Secret.fromBase32((key ?? '').replaceAll(' ', '')) })
    await page.getByLabel('Code', { exact: true }).fill(app.generate())
    await press(page, 'Confirm')
    await press(page, 'I have saved them')
    await press(page, 'Add a passkey')
    await press(page, 'Go on')
    await page.getByRole('cell', { name: 'Passkey', exact: true }).first().waitFor()

    const leave = async () => {
      await page.goto(`${home}/console/${rig.one.project.id}/test`)
      await press(page, 'Log out')
    }
    await leave()
    await page.getByLabel('Email address').fill(who.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'Log in')
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await press(page, 'Log in')
    await page.getByRole('alert').waitFor()
    await rig.api.owner.query('update mfa_factors set last_step = 0')
    await page.getByLabel('Code', { exact: true }).fill(app.generate())
    await press(page, 'Log in')
    await isHome(page)
    await leave()
    await press(page, 'Log in by a passkey')
    await isHome(page)
    await close()
  })

  test('the provider logs in and leads back to the screen; what it refuses is said; another log-in proves who is there', async () => {
    const who = await newOperator()
    const { page, complaints, close } = await rig.open()
    await page.getByRole('button', { name: 'Log in by Acme' }).waitFor()
    await assertFits(page, 'log-in')
    await press(page, 'Log in by Acme')
    await passProvider(page, '')
    await page.getByText('The provider did not let you in').waitFor()
    expect(page.url()).not.toContain('error')
    const login = personOf(who.email)
    await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/settings/danger`)
    await press(page, 'Log in by Acme')
    await passProvider(page, login)
    await page.getByRole('button', { name: 'Delete the project' }).waitFor()
    expect(page.url()).not.toContain('code=')

    await loggedInBefore(rig.api, who.id, '11 minutes')
    const remove = async () => {
      await press(page, 'Delete the project')
      await page.getByLabel(/To go on, type/).fill(rig.one.project.name)
      await press(page, 'Delete')
    }
    await remove()
    await page.getByRole('dialog', { name: 'Prove that it is you' }).waitFor()
    await press(page, 'Log in by Acme')
    // Who has just logged in there is not asked again.
    await page.getByRole('dialog', { name: 'Prove that it is you' }).waitFor({ state: 'detached' })
    await remove()
    await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    await who.call('POST', `/projects/${rig.one.project.id}/restore`)
    expect(complaints).toEqual([])
    await close()
  })

  test('the code of a program is kept over the log-in by the provider, and the program goes on', async () => {
    const who = await newOperator()
    const { page, close } = await rig.open()
    const code = await askForCode(rig.api.url, 'ada on laptop')
    const approved = awaitApproval(rig.api.url, code)
    await page.goto(code.verification_uri_complete)
    await page.getByRole('link', { name: 'log in' }).click()
    await press(page, 'Log in by Acme')
    await passProvider(page, personOf(who.email))
    await press(page, 'Go on')
    await page.getByText('ada on laptop').waitFor()
    await press(page, 'Log it in')
    await page.getByText('The program is logged in').waitFor()
    expect(await approved).toMatchObject({
      email: who.email,
      project: { id: rig.one.project.id },
      role: 'owner',
    })
    await close()
  })
})

describeWithBrowser('what goes wrong around the console', () => {
  test('another site can neither frame it nor act in it, though the browser is logged in', async () => {
    const { page, close } = await rig.openAt('members')
    const home = rig.api.url
    const site = await httpReceiver((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<iframe src="${home}/console" name="framed"></iframe><iframe name="hidden"></iframe>
        <form method="post" target="hidden" enctype="text/plain" action="${home}/console/api/refresh"><input name='{"scope":"all","x":"' value='"}'></form>`,
      )
    })
    const other = await page.context().newPage()
    // Another name of this machine is another site.
    await other.goto(`http://localhost:${site.port}`)
    await expect.poll(() => other.frame('framed')?.url(), SOON).toMatch(/^chrome-error:/)
    const came = other.waitForResponse((answer) => answer.url().endsWith('/refresh'))
    await other.evaluate('document.forms[0].submit()')
    expect((await came).status()).toBe(403)
    const asked = await other.evaluate(`Promise.all(['cors', 'no-cors'].map((mode) =>
      fetch('${home}/console/api/refresh', { method: 'POST', mode, credentials: 'include',
        headers: mode === 'cors' ? { 'x-guildhall-console': '1' } : {} }).then(({ type }) => type, () => 'refused')))`)
    expect(asked).toEqual(['refused', 'opaque'])
    await page.reload()
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
    await site.close()
    await close()
  })

  test.each([
    ['ahead', 3_600_000],
    ['behind', -3_600_000],
  ])('a browser whose clock is an hour %s logs in, stays logged in and works', async (_, off) => {
    const { page, complaints, close } = await rig.open()
    await page.clock.install({ time: Date.now() + off })
    let refreshed = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/refresh')) refreshed += 1
    })
    await page.reload()
    await logInTo(page, rig.admin.email)
    for (const name of ['Members', 'Orders']) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await page.getByRole('heading', { name, exact: true }).waitFor()
    }
    await page.getByText('Loading …').waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
    // One looks for a session before the log-in.
    expect(refreshed).toBeLessThanOrEqual(2)
    expect(complaints).toEqual([])
    await close()
  })

  test('a network that drops in the middle of a form is said, keeps what was typed, and the form is then sent once', async () => {
    const who = await newOperator()
    const { page, close } = await rig.openAt('members', { who })
    await page.goto(`${rig.api.url}/console/account`)
    await press(page, 'Change the name')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada of the Boats')
    await page.context().setOffline(true)
    await press(page, 'Save')
    await page.getByText('The server cannot be reached.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Ada of the Boats')
    await page.context().setOffline(false)
    await press(page, 'Save')
    await page.getByText('Your name is changed.').waitFor()
    await close()
  })

  test('a project that is deleted in another tab is said to be, on the screen that was open', async () => {
    const who = await newOperator()
    const { body } = await who.call<{ data: { id: string } }>('POST', '/projects', { name: 'Doomed' })
    const { page, close } = await rig.openAt('members', { who })
    await page.goto(`${rig.api.url}/console/${body.data.id}/test/members`)
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
    expect((await who.call('POST', `/projects/${body.data.id}/delete`, { name: 'Doomed' })).status).toBe(200)
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByText('This project is deleted').waitFor()
    await close()
  })
})
